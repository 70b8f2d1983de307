/** The reader's own files: indexed here, kept here, searched here, removed or taken along as a bundle. */

import { device, type OwnCard, ownPages } from "hinny";
import type { OwnFile } from "../../worker/src/api";
import { messageOf } from "../src/view";
import { Collection } from "./collection";
import { byId } from "./dom";
import { type Gathered, gather, titleOf } from "./gather";

const shown = new Map<string, Collection>();

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
      factory: "lexical-only",
      ready: [],
    };
    await ownPages.keep(card, built.zip, files);
    await showCollections();
    say(`${title}: ${card.pages} ${card.pages === 1 ? "page" : "pages"} indexed.`);
  } catch (error) {
    say(messageOf(error), true);
  } finally {
    bar.hidden = true;
  }
}

function nothing(skipped: { path: string; reason: string }[]): string {
  const first = skipped[0];
  return first ? `Nothing to index: ${first.path} is ${first.reason}.` : "Nothing to index was dropped.";
}

const PLACES = {
  opfs: "Kept in this browser\u2019s private file system, on this device.",
  indexeddb: "Kept in this browser\u2019s database, on this device.",
  memory: "This browser stores nothing here (a private window?): your pages last until this tab is closed.",
};

/** Those that are there stay as they are: they may be searched, or being read. */
export async function showCollections(): Promise<void> {
  const list = byId("yours-list");
  const cards = await ownPages.list().catch((error: unknown) => {
    say(messageOf(error), true);
    return [];
  });
  for (const [id, collection] of shown) {
    if (cards.some((card) => card.id === id)) continue;
    collection.close();
    collection.element.remove();
    shown.delete(id);
  }
  let before: Element | null = null;
  for (const card of cards) {
    let collection = shown.get(card.id);
    if (!collection) {
      collection = new Collection(card, () => void showCollections());
      shown.set(card.id, collection);
      if (before) before.after(collection.element);
      else list.prepend(collection.element);
    }
    before = collection.element;
  }
  const place = await ownPages.place();
  const where = byId("yours-place");
  where.textContent = PLACES[place];
  where.hidden = !cards.length && place !== "memory";
}
