/** Ctrl/Cmd-K, and `/` outside of text fields, for one search of the page: the dialog before the inline box. */

export interface Target {
  dialog: boolean;
  show(): void;
}

const targets: Target[] = [];

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const chord =
    (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "k";
  const slash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !inText(event);
  if (!chord && !slash) return;
  const target = targets.find((candidate) => candidate.dialog) ?? targets[0];
  if (!target) return;
  event.preventDefault();
  target.show();
}

function inText(event: KeyboardEvent): boolean {
  const element = event.composedPath()[0];
  if (!(element instanceof HTMLElement)) return false;
  return element.isContentEditable || /^(?:input|textarea|select)$/iu.test(element.tagName);
}

/** Take part; the returned function takes the target out again. */
export function registerShortcut(target: Target): () => void {
  if (!targets.length) document.addEventListener("keydown", onKey);
  targets.push(target);
  return () => {
    const index = targets.indexOf(target);
    if (index >= 0) targets.splice(index, 1);
    if (!targets.length) document.removeEventListener("keydown", onKey);
  };
}
