/**
 * Reading a zip that somebody dropped: names from the central directory, contents by the browser's own inflate.
 *
 * Limits are checked while bytes come out, not by what the headers promise, so a zip bomb stops early.
 */

export interface ZipLimits {
  files: number;
  fileBytes: number;
  totalBytes: number;
}

export interface ZipEntry {
  path: string;
  bytes: Uint8Array;
}

export interface Unzipped {
  entries: ZipEntry[];
  skipped: { path: string; reason: string }[];
}

export class ZipError extends Error {
  override readonly name = "ZipError";
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const STORED = 0;
const DEFLATED = 8;

interface Listed {
  path: string;
  method: number;
  packed: number;
  offset: number;
  encrypted: boolean;
}

function list(view: DataView): Listed[] {
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  const out: Listed[] = [];
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== CENTRAL)
      throw new ZipError("damaged directory");
    const nameLength = view.getUint16(at + 28, true);
    const name = new Uint8Array(view.buffer, view.byteOffset + at + 46, nameLength);
    out.push({
      path: new TextDecoder().decode(name),
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      offset: view.getUint32(at + 42, true),
      encrypted: (view.getUint16(at + 8, true) & 1) === 1,
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return out;
}

/** The end record stands in the last 64 KB, before a comment of any length. */
function findEnd(view: DataView): number {
  const first = Math.max(0, view.byteLength - 22 - 0xffff);
  for (let at = view.byteLength - 22; at >= first; at -= 1) if (view.getUint32(at, true) === END) return at;
  throw new ZipError("not a zip file");
}

function packedBytes(view: DataView, entry: Listed): Uint8Array<ArrayBuffer> {
  const at = entry.offset;
  if (at + 30 > view.byteLength || view.getUint32(at, true) !== LOCAL) throw new ZipError("damaged entry");
  const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  if (start + entry.packed > view.byteLength) throw new ZipError("cut off");
  return new Uint8Array(view.buffer as ArrayBuffer, view.byteOffset + start, entry.packed);
}

async function inflate(packed: Uint8Array<ArrayBuffer>, limit: number): Promise<Uint8Array> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > limit) {
      await reader.cancel();
      throw new ZipError(`unpacks to more than ${limit} bytes`);
    }
    chunks.push(value);
  }
  const out = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    out.set(chunk, at);
    at += chunk.byteLength;
  }
  return out;
}

/**
 * Unpack what `wanted` accepts. A bad entry is skipped with its reason; a file that is no zip at all, or one
 * that unpacks to more than the limits, is a `ZipError`.
 */
export async function unzip(
  data: Uint8Array<ArrayBuffer>,
  limits: ZipLimits,
  wanted: (path: string) => boolean,
): Promise<Unzipped> {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const listed = list(view).filter((entry) => !entry.path.endsWith("/"));
  const chosen = listed.filter((entry) => wanted(entry.path));
  if (chosen.length > limits.files) throw new ZipError(`more than ${limits.files} files`);
  const entries: ZipEntry[] = [];
  const skipped = listed
    .filter((entry) => !wanted(entry.path))
    .map(({ path }) => ({ path, reason: "not a page" }));
  let total = 0;
  for (const entry of chosen) {
    try {
      const bytes = await unpack(view, entry, limits.fileBytes);
      total += bytes.byteLength;
      entries.push({ path: entry.path, bytes });
    } catch (error) {
      skipped.push({ path: entry.path, reason: error instanceof ZipError ? error.message : "damaged" });
    }
    if (total > limits.totalBytes) throw new ZipError(`unpacks to more than ${limits.totalBytes} bytes`);
  }
  return { entries, skipped };
}

async function unpack(view: DataView, entry: Listed, limit: number): Promise<Uint8Array> {
  if (entry.encrypted) throw new ZipError("encrypted");
  const packed = packedBytes(view, entry);
  if (entry.method === DEFLATED) return inflate(packed, limit);
  if (entry.method !== STORED) throw new ZipError(`unknown compression ${entry.method}`);
  if (packed.byteLength > limit) throw new ZipError(`larger than ${limit} bytes`);
  return packed.slice();
}
