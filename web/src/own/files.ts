/**
 * Collections in the origin private file system: a folder each, with all source files in one, their places in
 * another, the bundle in a third, and a card that names them. The card is written last and as a whole, so a
 * folder without one is a collection that never came to be, and a bundle that no card names is an old one.
 */

import { type OwnCard, type OwnStore, type SourceFile, sorted } from "./store";

const FOLDER = "hinny-own";
const CARD = "card.json";
const PLACES = "files.json";
const FILES = "files.bin";

interface KeptCard {
  card: OwnCard;
  zip: string;
}

export class FileStore implements OwnStore {
  readonly place = "opfs";

  private constructor(private readonly folder: FileSystemDirectoryHandle) {}

  /** Null where this browser, or this window of it, has none, or none that a page may write to. */
  static async open(): Promise<FileStore | null> {
    try {
      if (!("createWritable" in FileSystemFileHandle.prototype)) return null;
      const root = await navigator.storage.getDirectory();
      return new FileStore(await root.getDirectoryHandle(FOLDER, { create: true }));
    } catch {
      return null;
    }
  }

  async list(): Promise<OwnCard[]> {
    const cards: OwnCard[] = [];
    for await (const [id, handle] of this.folder.entries()) {
      const kept = handle.kind === "directory" ? await this.#card(id) : null;
      if (kept) cards.push(kept.card);
    }
    return sorted(cards);
  }

  async keep(card: OwnCard, zip: Uint8Array, files: readonly SourceFile[]): Promise<void> {
    const folder = await this.folder.getDirectoryHandle(card.id, { create: true });
    try {
      let at = 0;
      const places = files.map(({ path, bytes }): [string, [number, number]] => {
        const from = at;
        at += bytes.byteLength;
        return [path, [from, bytes.byteLength]];
      });
      await write(folder, FILES, ...files.map(({ bytes }) => bytes));
      await write(folder, PLACES, JSON.stringify(Object.fromEntries(places)));
      await write(folder, zipName(0), zip);
      await write(folder, CARD, JSON.stringify({ card, zip: zipName(0) } satisfies KeptCard));
    } catch (error) {
      await this.folder.removeEntry(card.id, { recursive: true }).catch(() => {});
      throw error;
    }
  }

  async update(card: OwnCard, zip?: Uint8Array): Promise<void> {
    const before = await this.#card(card.id);
    if (!before) throw new Error("these pages are no longer on this device");
    const folder = await this.folder.getDirectoryHandle(card.id);
    const name = zip ? zipName(1 + Number(/\d+/u.exec(before.zip)?.[0] ?? 0)) : before.zip;
    if (zip) await write(folder, name, zip);
    await write(folder, CARD, JSON.stringify({ card, zip: name } satisfies KeptCard));
    if (zip) await folder.removeEntry(before.zip).catch(() => {});
  }

  async zip(id: string): Promise<Uint8Array | null> {
    const kept = await this.#card(id);
    const file = kept && (await this.#file(id, kept.zip));
    return file ? new Uint8Array(await file.arrayBuffer()) : null;
  }

  async file(id: string, path: string): Promise<Uint8Array | null> {
    const listing = await this.#file(id, PLACES);
    const places = listing && (JSON.parse(await listing.text()) as Record<string, [number, number]>);
    const place = places && Object.hasOwn(places, path) ? places[path] : undefined;
    const all = place && (await this.#file(id, FILES));
    if (!place || !all) return null;
    return new Uint8Array(await all.slice(place[0], place[0] + place[1]).arrayBuffer());
  }

  async remove(id: string): Promise<void> {
    await this.folder.removeEntry(id, { recursive: true });
  }

  async #card(id: string): Promise<KeptCard | null> {
    const file = await this.#file(id, CARD);
    try {
      return file && (JSON.parse(await file.text()) as KeptCard);
    } catch {
      return null;
    }
  }

  async #file(id: string, name: string): Promise<File | null> {
    try {
      const folder = await this.folder.getDirectoryHandle(id);
      return await (await folder.getFileHandle(name)).getFile();
    } catch {
      return null;
    }
  }
}

function zipName(number: number): string {
  return `bundle-${number}.zip`;
}

/** A file is there as a whole when its stream is closed, and as it was before until then. */
async function write(
  folder: FileSystemDirectoryHandle,
  name: string,
  ...parts: (string | Uint8Array)[]
): Promise<void> {
  const stream = await (await folder.getFileHandle(name, { create: true })).createWritable();
  try {
    for (const part of parts) await stream.write(part as string | Uint8Array<ArrayBuffer>);
  } catch (error) {
    await stream.abort().catch(() => {});
    throw error;
  }
  await stream.close();
}
