/** Shows one of the reader's own files as text: nothing of it is ever run or rendered. */

import type { OpenDetail } from "hinny";
import { h } from "../src/dom";
import { passage } from "../src/links";
import { readOwnFile } from "../src/own-store";

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

export async function showOwnFile(id: string, { result }: OpenDetail): Promise<void> {
  if (!result) return;
  const path = decodeURIComponent(result.page);
  const bytes = await readOwnFile(id, path);
  const place = h("pre", { tabindex: 0, role: "region", "aria-label": path });
  const close = h("button", { type: "submit", class: "button" }, "Close");
  const dialog = h(
    "dialog",
    { class: "viewer", id: "viewer", "aria-label": path },
    h("header", {}, h("h2", {}, h("bdi", {}, path)), h("form", { method: "dialog" }, close)),
    place,
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  const text = bytes ? readable(path, bytes) : "This file is no longer kept on this device.";
  const found =
    locate(text, passage(result.excerpt) ?? "") ?? locate(text, result.headings.at(-1)?.text ?? "");
  if (found) {
    const mark = document.createElement("mark");
    mark.textContent = text.slice(...found);
    place.replaceChildren(text.slice(0, found[0]), mark, text.slice(found[1]));
    dialog.showModal();
    mark.scrollIntoView({ block: "center" });
  } else {
    place.replaceChildren(text);
    dialog.showModal();
    place.scrollTop = 0;
  }
}
