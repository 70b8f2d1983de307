/**
 * Scans over 4-bit codes, run at once where they lie: what `hinny.kernels.packed_scans` calls. Each has an
 * instance of the kernels (assembly/scan.ts) with a memory of its own, which goes when the scan does.
 */

import { PLAIN, RELAXED } from "./kernels.ts";
import { layOut, type QueryBytes } from "./queries.ts";

/** A Python object with the buffer protocol, as Pyodide hands it over. */
export interface PyBuffer {
  getBuffer(type: string): { data: ArrayBufferView; release(): void };
}

interface Kernels {
  readonly QUERY_BYTES: { value: QueryBytes };
  dense(
    levels: number,
    codes: number,
    stride: number,
    rows: number,
    worths: number,
    query: number,
    zero: number,
    scale: number,
    out: number,
  ): void;
  maxsim(
    levels: number,
    codes: number,
    stride: number,
    counts: number,
    documents: number,
    worths: number,
    query: number,
    groups: number,
    zeros: number,
    scales: number,
    mean: number,
    scratch: number,
    out: number,
  ): void;
}

interface Scan {
  memory: WebAssembly.Memory;
  kernels: Kernels;
  dim: number;
  stride: number;
  rows: number;
  /** Documents of how many tokens; null where each row is a document. */
  counts: Int32Array | null;
  codes: number;
  worths: number;
  countsAt: number;
  scratch: number;
  out: number;
  /** Where a query's data begin: after everything else, since they may need more room. */
  query: number;
}

const PAGE = 65_536;
const LEVELS = 0;

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
}

/**
 * The fastest build that this engine takes and computes rightly: relaxed SIMD had other answers while it was a
 * draft, and one multiplication of the largest negative numbers tells.
 */
export function compile(relaxed = bytesOf(RELAXED)): WebAssembly.Module {
  if (WebAssembly.validate(relaxed)) {
    const module = new WebAssembly.Module(relaxed);
    if (multiplies(module)) return module;
  }
  return new WebAssembly.Module(bytesOf(PLAIN));
}

function instance(module: WebAssembly.Module, memory: WebAssembly.Memory): Kernels {
  return new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Kernels;
}

function multiplies(module: WebAssembly.Module): boolean {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const levels = new Uint8Array(memory.buffer, LEVELS, 16).map((_, i) => 8 * i + 7);
  const query = Int8Array.from({ length: 32 }, (_, i) => (i ? 1 + 37 * i : -127));
  // One row of the codes 0 to 15, twice: low halves are the even ones, and the query has those first.
  const codes = Uint8Array.from({ length: 16 }, (_, i) => ((2 * i) & 15) | (((2 * i + 1) & 15) << 4));
  new Uint8Array(memory.buffer).set(levels, LEVELS);
  new Uint8Array(memory.buffer).set(codes, 64);
  new Float32Array(memory.buffer, 128, 4).fill(1); // worths
  new Int8Array(memory.buffer).set(query, 256);
  instance(module, memory).dense(LEVELS, 64, 16, 1, 128, 256, 0, 1, 512);
  const decoded = query.map((_, i) => (i < 16 ? 2 * i : 2 * i - 31) & 15);
  const expected = query.reduce((sum, value, i) => sum + value * (levels[decoded[i] as number] as number), 0);
  return new Float32Array(memory.buffer, 512, 1)[0] === expected;
}

function up(size: number, to = 64): number {
  return Math.ceil(size / to) * to;
}

/** A copy of a Python buffer's contents. */
function copyOf<T extends Uint8Array | Float32Array | Int32Array>(buffer: PyBuffer, type: string): T {
  const view = buffer.getBuffer(type);
  try {
    return (view.data as T).slice() as T;
  } finally {
    view.release();
  }
}

export class Scans {
  #module: WebAssembly.Module | null = null;
  #scans = new Map<number, Scan>();
  #last = 0;

  /**
   * Packed codes (uint8, row after row), what a unit of each row is worth (float32), the 16 levels (uint8),
   * and for MaxSim each document's tokens (int32), else null; the answer is a handle.
   */
  load(codes: PyBuffer, worths: PyBuffer, levels: PyBuffer, dim: number, counts?: PyBuffer | null): number {
    const worth = copyOf<Float32Array>(worths, "f32");
    const lengths = counts ? copyOf<Int32Array>(counts, "i32") : null;
    this.#module ??= compile();
    const rows = worth.length;
    const stride = up(Math.ceil(dim / 2), 16);
    const longest = lengths ? lengths.reduce((most, count) => Math.max(most, count), 1) : 0;
    const worthsAt = 64 + up(stride * up(rows, 4));
    const countsAt = worthsAt + up(4 * up(rows, 4));
    const scratch = countsAt + up(4 * (lengths?.length ?? 0));
    const out = scratch + up(4 * stride * longest);
    const query = out + up(4 * up(lengths?.length ?? rows, 4));
    const memory = new WebAssembly.Memory({ initial: Math.ceil(query / PAGE) });
    const kernels = instance(this.#module, memory);
    const places = { codes: 64, worths: worthsAt, countsAt, scratch, out, query };
    const scan: Scan = { memory, kernels, dim, stride, rows, counts: lengths, ...places };
    this.#fill(scan, codes, worth, levels);
    this.#scans.set(++this.#last, scan);
    return this.#last;
  }

  /** Scores of a query (float32 [q, dim]; one row for a dense scan) into `out` (float32, one a document). */
  scores(handle: number, query: PyBuffer, out: PyBuffer): void {
    const scan = this.#scans.get(handle);
    if (!scan) throw new Error(`there is no scan ${handle}: it was released`);
    const given = query.getBuffer("f32");
    const answer = out.getBuffer("f32");
    try {
      const found = scan.counts
        ? maxsim(scan, scan.counts.length, given.data as Float32Array)
        : dense(scan, given.data as Float32Array);
      (answer.data as Float32Array).set(found);
    } finally {
      given.release();
      answer.release();
    }
  }

  /** Give a scan's memory back; harmless when called again. */
  release(handle: number): void {
    this.#scans.delete(handle);
  }

  #fill(scan: Scan, codes: PyBuffer, worth: Float32Array, levels: PyBuffer): void {
    const { memory, stride, rows, dim } = scan;
    const bytes = new Uint8Array(memory.buffer);
    bytes.set(copyOf<Uint8Array>(levels, "u8"), LEVELS);
    const view = codes.getBuffer("u8");
    try {
      const packed = view.data as Uint8Array;
      const width = Math.ceil(dim / 2);
      if (width === stride) bytes.set(packed, scan.codes);
      else
        for (let row = 0; row < rows; row++)
          bytes.set(packed.subarray(row * width, (row + 1) * width), scan.codes + row * stride);
    } finally {
      view.release();
    }
    new Float32Array(memory.buffer, scan.worths, rows).set(worth);
    if (scan.counts) new Int32Array(memory.buffer, scan.countsAt, scan.counts.length).set(scan.counts);
  }
}

/** Room for a query of so many bytes. */
function room(scan: Scan, size: number): void {
  const missing = scan.query + size - scan.memory.buffer.byteLength;
  if (missing > 0) scan.memory.grow(Math.ceil(missing / PAGE));
}

function dense(scan: Scan, query: Float32Array): Float32Array {
  const { kernels, memory, stride, rows } = scan;
  const each = kernels.QUERY_BYTES.value;
  room(scan, 2 * stride * each);
  const { zeros, scales } = layOut(query, scan.dim, stride, each, 1, memory.buffer, scan.query);
  const [zero, scale] = [zeros[0] as number, scales[0] as number];
  kernels.dense(LEVELS, scan.codes, stride, rows, scan.worths, scan.query, zero, scale, scan.out);
  return new Float32Array(memory.buffer, scan.out, rows);
}

function maxsim(scan: Scan, documents: number, query: Float32Array): Float32Array {
  const { kernels, memory, stride } = scan;
  const each = kernels.QUERY_BYTES.value;
  const tokens = query.length / scan.dim;
  const groups = Math.ceil(tokens / 8);
  const zerosAt = scan.query + 16 * stride * each * groups;
  const scalesAt = zerosAt + 32 * groups;
  room(scan, scalesAt + 32 * groups - scan.query);
  const { zeros, scales } = layOut(query, scan.dim, stride, each, 8, memory.buffer, scan.query);
  new Int32Array(memory.buffer, zerosAt, 8 * groups).set(zeros.map((zero) => -zero));
  new Float32Array(memory.buffer, scalesAt, 8 * groups).set(scales);
  const { codes, countsAt, worths, scratch, out } = scan;
  const mean = 1 / tokens;
  kernels.maxsim(
    LEVELS,
    codes,
    stride,
    countsAt,
    documents,
    worths,
    scan.query,
    groups,
    zerosAt,
    scalesAt,
    mean,
    scratch,
    out,
  );
  return new Float32Array(memory.buffer, scan.out, documents);
}
