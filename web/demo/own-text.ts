/** The text of one of the reader's own files, and where a passage stands in it. */

/** The text of a file: of HTML only what is read, of everything else all of it. */
export function readable(path: string, bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  if (!/\.x?html?$/iu.test(path)) return text;
  // A parsed document is inert: no script runs, nothing is fetched.
  const page = new DOMParser().parseFromString(text, "text/html");
  for (const element of page.querySelectorAll("script, style, template, noscript")) element.remove();
  return (page.body.textContent ?? "")
    .replace(/[ \t]+/gu, " ")
    .replace(/\s*\n\s*\n\s*/gu, "\n\n")
    .trim();
}

/** Where a passage stands in a text, however its blanks and line breaks differ; null when it does not. */
export function locate(text: string, wanted: string): [start: number, end: number] | null {
  const words = wanted.split(/\s+/u).filter(Boolean);
  if (!words.length) return null;
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&")).join("\\s+");
  const found = new RegExp(pattern, "u").exec(text);
  return found ? [found.index, found.index + found[0].length] : null;
}
