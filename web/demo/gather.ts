/** From what was dropped or picked to a list of files to index: folders walked, zips unpacked, limits kept. */

import { unzip, type ZipLimits } from "../src/unzip";

export interface GatheredFile {
  path: string;
  bytes: Uint8Array;
}

export interface Skipped {
  path: string;
  reason: string;
}

export interface Gathered {
  files: GatheredFile[];
  skipped: Skipped[];
}

export const LIMITS: ZipLimits = { files: 5000, fileBytes: 20e6, totalBytes: 200e6 };
const PAGE = /\.(?:html?|xhtml|md|markdown|txt|text|rst)$/iu;
const HIDDEN = /(?:^|\/)(?:\.|__MACOSX|node_modules\/)/u;

export function isPage(path: string): boolean {
  return PAGE.test(path) && !HIDDEN.test(path);
}

/** Bytes that no text file holds: a binary under a text's name. UTF-16 is told by its mark. */
export function looksBinary(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return false;
  return bytes.subarray(0, 4096).includes(0);
}

/** A name for what was dropped: the folder that holds it all, or the first file. */
export function titleOf(files: readonly { path: string }[]): string {
  const [first] = files;
  if (!first) return "";
  const folder = first.path.split("/").slice(0, -1)[0];
  if (folder && files.every((file) => file.path.startsWith(`${folder}/`))) return folder;
  const name = (first.path.split("/").at(-1) ?? first.path).replace(/\.[^.]+$/u, "");
  return files.length === 1 ? name : `${name} and ${files.length - 1} more`;
}

class Basket {
  readonly files: GatheredFile[] = [];
  readonly skipped: Skipped[] = [];
  #total = 0;

  async add(path: string, file: File): Promise<void> {
    if (/\.zip$/iu.test(path)) {
      await this.#addZip(path, file);
      return;
    }
    if (!isPage(path)) {
      this.skipped.push({ path, reason: "not HTML, Markdown or text" });
      return;
    }
    if (file.size > LIMITS.fileBytes) {
      this.skipped.push({ path, reason: "too large" });
      return;
    }
    this.#keep(path, new Uint8Array(await file.arrayBuffer()));
  }

  async #addZip(path: string, file: File): Promise<void> {
    try {
      const data = new Uint8Array(await file.arrayBuffer());
      const { entries, skipped } = await unzip(data, LIMITS, isPage);
      for (const entry of entries) this.#keep(entry.path, entry.bytes);
      this.skipped.push(...skipped);
    } catch (error) {
      this.skipped.push({ path, reason: error instanceof Error ? error.message : String(error) });
    }
  }

  #keep(path: string, bytes: Uint8Array): void {
    let reason = "";
    if (looksBinary(bytes)) reason = "binary, not text";
    else if (!bytes.byteLength) reason = "empty";
    else if (this.files.length >= LIMITS.files) reason = `beyond the first ${LIMITS.files} files`;
    else if (this.#total + bytes.byteLength > LIMITS.totalBytes) reason = "beyond the size that fits";
    if (reason) {
      this.skipped.push({ path, reason });
      return;
    }
    this.#total += bytes.byteLength;
    this.files.push({ path, bytes });
  }

  /** In one order, however the browser walked the folder: the same files give the same bundle. */
  done(): Gathered {
    this.files.sort((a, b) => (a.path < b.path ? -1 : 1));
    this.skipped.sort((a, b) => (a.path < b.path ? -1 : 1));
    return { files: this.files, skipped: this.skipped };
  }
}

async function picked(files: readonly File[]): Promise<Gathered> {
  const basket = new Basket();
  for (const file of files) await basket.add(file.webkitRelativePath || file.name, file);
  return basket.done();
}

async function dropped(data: DataTransfer): Promise<Gathered> {
  // All of it must be taken before the first await: afterwards the list is empty.
  const items = [...data.items].map((item) => ({
    entry: item.webkitGetAsEntry?.() ?? null,
    file: item.kind === "file" ? item.getAsFile() : null,
  }));
  const basket = new Basket();
  for (const { entry, file } of items) {
    // A file is taken as such: WebKit's entry of one that lies nowhere on the disk cannot be read.
    if (entry?.isDirectory) await walk(entry, basket);
    else if (file) await basket.add(file.name, file);
  }
  return basket.done();
}

async function walk(entry: FileSystemEntry, basket: Basket): Promise<void> {
  const path = entry.fullPath.replace(/^\//u, "");
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => {
      (entry as FileSystemFileEntry).file(resolve, reject);
    });
    await basket.add(path, file);
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (!batch.length) return;
    for (const child of batch) await walk(child, basket);
  }
}

export const gather = { picked, dropped };
