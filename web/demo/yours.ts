/** The reader's own files: indexed here, kept here, searched here, removed or taken along as a bundle. */

import { bytes, device, type OpenDetail } from "hinny";
import type { OwnFile } from "../../worker/src/api";
import { h } from "../src/dom";
import { keepOwn, listOwn, type OwnCard, readOwn, removeOwn } from "../src/own-store";
import { byId } from "./dom";
import { type Gathered, gather, titleOf } from "./gather";
import { showOwnFile } from "./viewer";

export function setUpYours(): void {
  const drop = byId("drop");
  for (const name of ["dragenter", "dragover"]) {
    drop.addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.add("over");
    });
  }
  for (const name of ["dragleave", "drop"]) drop.addEventListener(name, () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer) void add(gather.dropped(event.dataTransfer));
  });
  for (const id of ["pick-files", "pick-folder"]) {
    const input = byId<HTMLInputElement>(id);
    input.addEventListener("change", () => {
      const files = [...(input.files ?? [])];
      input.value = "";
      if (files.length) void add(gather.picked(files));
    });
  }
  void showCollections();
}

function say(text: string, bad = false): void {
  const status = byId("yours-status");
  status.textContent = text;
  status.classList.toggle("bad", bad);
}

async function add(gathering: Promise<Gathered>): Promise<void> {
  const bar = byId<HTMLProgressElement>("yours-progress");
  try {
    say("Reading the files\u2026");
    const { files, skipped } = await gathering;
    if (!files.length) {
      say(nothing(skipped), true);
      return;
    }
    bar.hidden = false;
    bar.removeAttribute("value");
    say(`Indexing ${files.length} ${files.length === 1 ? "file" : "files"}\u2026`);
    const title = titleOf(files);
    const built = await device.buildOwn(files as OwnFile[], title, (done, total) => {
      bar.max = total;
      bar.value = done;
    });
    const card: OwnCard = {
      id: crypto.randomUUID(),
      title,
      pages: built.info.pages,
      sections: built.info.sections,
      bytes: built.zip.byteLength,
      added: new Date().toISOString(),
      skipped: [...skipped, ...built.skipped],
    };
    await keepOwn(card, built.zip, files);
    say(`${title}: ${card.pages} ${card.pages === 1 ? "page" : "pages"} indexed.`);
    await showCollections();
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), true);
  } finally {
    bar.hidden = true;
  }
}

function nothing(skipped: { path: string; reason: string }[]): string {
  const first = skipped[0];
  return first ? `Nothing to index: ${first.path} is ${first.reason}.` : "Nothing to index was dropped.";
}

async function showCollections(): Promise<void> {
  const list = byId("yours-list");
  try {
    const cards = await listOwn();
    list.replaceChildren(...cards.map(collection));
  } catch {
    list.replaceChildren(
      h(
        "p",
        { class: "quiet" },
        "This browser stores nothing here (a private window?), so collections cannot be kept.",
      ),
    );
  }
}

function collection(card: OwnCard): HTMLElement {
  const save = h("button", { type: "button", class: "plain" }, "Export as a bundle");
  save.addEventListener("click", () => void download(card));
  const remove = h("button", { type: "button", class: "plain" }, "Remove");
  remove.addEventListener("click", () => void removeOwn(card.id).then(showCollections));
  const search = h("hinny-search", {
    bundle: `own:${card.id}`,
    base: `own/${card.id}/`,
    lang: "en",
    placeholder: `Search ${card.title}`,
    "deep-link": "off",
    shortcut: "none",
    preload: "focus",
  });
  search.addEventListener("hinny-open", (event) => {
    event.preventDefault();
    void showOwnFile(card.id, (event as CustomEvent<OpenDetail>).detail);
  });
  const element = h(
    "section",
    { class: "collection", "aria-label": card.title },
    h(
      "header",
      {},
      h("h2", {}, h("bdi", {}, card.title)),
      h(
        "span",
        { class: "quiet" },
        `${card.pages} pages, ${card.sections} sections, ${bytes(card.bytes, "en")}`,
      ),
      h("span", { class: "actions" }, save, remove),
    ),
    search,
  );
  if (card.skipped.length) {
    const lines = h("ul");
    for (const { path, reason } of card.skipped.slice(0, 200))
      lines.append(h("li", {}, h("bdi", {}, path), `: ${reason}`));
    element.append(
      h("details", { class: "skipped" }, h("summary", {}, `${card.skipped.length} skipped`), lines),
    );
  }
  return element;
}

async function download(card: OwnCard): Promise<void> {
  const zip = await readOwn(card.id);
  if (!zip) return;
  const url = URL.createObjectURL(new Blob([zip as Uint8Array<ArrayBuffer>], { type: "application/zip" }));
  const name = card.title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/gu, "") || "pages";
  h("a", { href: url, download: `${name}-hinny.zip` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
