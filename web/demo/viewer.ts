/** Shows one of the reader's own files as text: nothing of it is ever run or rendered. */

import { type OpenDetail, ownPages } from "hinny";
import { h } from "../src/dom";
import { passage } from "../src/links";
import { locate, readable } from "./own-text";

export async function showOwnFile(id: string, { result }: OpenDetail): Promise<void> {
  if (!result) return;
  const path = decodeURIComponent(result.page);
  const bytes = await ownPages.file(id, path);
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
