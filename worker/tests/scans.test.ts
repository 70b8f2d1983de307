import { expect, test } from "vitest";
import { PLAIN, RELAXED } from "../src/scan/kernels.ts";
import { layOut } from "../src/scan/queries.ts";
import { compile, type PyBuffer, Scans } from "../src/scan/scans.ts";
import { kernels } from "../tools/make-scan.mjs";

const LEVELS = new Uint8Array([1, 16, 27, 35, 42, 49, 55, 61, 67, 73, 79, 86, 93, 101, 112, 127]);

/** A buffer of Python's, and how many views of it are held. */
function buffer<T extends ArrayBufferView>(data: T): PyBuffer & { data: T; held: number } {
  const made = {
    data,
    held: 0,
    getBuffer() {
      made.held++;
      return { data, release: () => void made.held-- };
    },
  };
  return made;
}

/** Numbers from -1 to 1 and whole numbers from `random(n)`, the same every time. */
function generator(seed: number) {
  let state = seed;
  const next = () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return { real: () => 2 * next() - 1, whole: (below: number) => Math.floor(next() * below) };
}

function make(rows: number, dim: number, seed = 1) {
  const random = generator(seed);
  const codes = Uint8Array.from({ length: rows * Math.ceil(dim / 2) }, () => random.whole(256));
  const worths = Float32Array.from({ length: rows }, () => 0.02 + 0.001 * random.real());
  return { codes, worths, random };
}

/** A row's coordinate as the codes say it. */
function coordinate(codes: Uint8Array, dim: number, row: number, i: number): number {
  const byte = codes[row * Math.ceil(dim / 2) + (i >> 1)] as number;
  return (LEVELS[i & 1 ? byte >> 4 : byte & 15] as number) - 64;
}

/** int8 coordinates and their scale, by the same rule as the kernels'. */
function rounded(token: Float32Array): { values: number[]; scale: number } {
  const largest = token.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return { values: [...token].map((v) => Math.round((v / largest) * 127) || 0), scale: largest / 127 };
}

function product(codes: Uint8Array, dim: number, row: number, token: Float32Array): number {
  const { values, scale } = rounded(token);
  return scale * values.reduce((sum, value, i) => sum + value * coordinate(codes, dim, row, i), 0);
}

function near(found: Float32Array, expected: number[]) {
  expect(found.length).toBe(expected.length);
  for (const [i, value] of expected.entries()) expect(found[i]).toBeCloseTo(value, 4);
}

test("the committed kernels are what the source compiles to", async () => {
  expect(await kernels()).toContain(RELAXED);
  expect(await kernels()).toContain(PLAIN);
}, 60_000);

function build(module: WebAssembly.Module): number {
  const { exports } = new WebAssembly.Instance(module, {
    env: { memory: new WebAssembly.Memory({ initial: 1 }) },
  });
  return (exports.QUERY_BYTES as WebAssembly.Global).value;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
}

test("an engine that cannot run the relaxed build, or answers wrongly, gets the plain one", () => {
  expect(build(compile(new Uint8Array([0])))).toBe(2);
  // The plain build reads int16 where the check wrote int8: it stands for an engine that multiplies otherwise.
  expect(build(compile(bytesOf(PLAIN)))).toBe(2);
  expect([1, 2]).toContain(build(compile()));
});

// 384: whole blocks; 100 and 64: rows padded to 16 bytes or filling them; 5: less than one block, an odd number.
test.each([
  [1, 384],
  [7, 100],
  [9, 64],
  [4, 5],
])("a dense scan of %i rows in %i dimensions gives every inner product", (rows, dim) => {
  const { codes, worths, random } = make(rows, dim);
  const query = Float32Array.from({ length: dim }, random.real);
  const scans = new Scans();
  const given = [buffer(codes), buffer(worths), buffer(LEVELS)] as const;
  const handle = scans.load(...given, dim, null);
  const out = buffer(new Float32Array(rows));
  scans.scores(handle, buffer(query), out);
  near(
    out.data,
    [...worths].map((worth, row) => worth * product(codes, dim, row, query)),
  );
  expect([...given, out].map((each) => each.held)).toEqual([0, 0, 0, 0]);
});

// Query tokens fill no group of eight, one, and more than one; documents have 1 to 9 tokens.
test.each([
  [1, 96],
  [8, 64],
  [11, 20],
])("MaxSim of %i query tokens in %i dimensions is the mean of the best products", (tokens, dim) => {
  const counts = new Int32Array([3, 1, 4, 9, 5]);
  const { codes, worths, random } = make(22, dim, 3);
  const query = Float32Array.from({ length: tokens * dim }, random.real);
  const scans = new Scans();
  const handle = scans.load(buffer(codes), buffer(worths), buffer(LEVELS), dim, buffer(counts));
  const out = buffer(new Float32Array(counts.length));
  scans.scores(handle, buffer(query), out);
  let first = 0;
  const expected = [...counts].map((count) => {
    const rows = Array.from({ length: count }, (_, i) => first + i);
    first += count;
    let sum = 0;
    for (let t = 0; t < tokens; t++) {
      const token = query.subarray(t * dim, (t + 1) * dim);
      sum += Math.max(...rows.map((row) => (worths[row] as number) * product(codes, dim, row, token)));
    }
    return sum / tokens;
  });
  near(out.data, expected);
});

test("a query larger than any before it finds room, and a token of zeros scores zero", () => {
  const { codes, worths } = make(3, 32);
  const scans = new Scans();
  const counts = buffer(new Int32Array([3]));
  const handle = scans.load(buffer(codes), buffer(worths), buffer(LEVELS), 32, counts);
  const out = buffer(new Float32Array(1).fill(7));
  scans.scores(handle, buffer(new Float32Array(4000 * 32)), out);
  expect(out.data[0]).toBeCloseTo(0, 6);
});

test("scans do not disturb each other, and a released one says so", () => {
  const first = make(4, 32, 1);
  const second = make(4, 32, 2);
  const query = Float32Array.from({ length: 32 }, first.random.real);
  const scans = new Scans();
  const [a, b] = [first, second].map(({ codes, worths }) =>
    scans.load(buffer(codes), buffer(worths), buffer(LEVELS), 32, null),
  ) as [number, number];
  const out = buffer(new Float32Array(4));
  scans.scores(b, buffer(query), out);
  scans.release(b);
  scans.release(b);
  scans.scores(a, buffer(query), out);
  near(
    out.data,
    [...first.worths].map((worth, row) => worth * product(first.codes, 32, row, query)),
  );
  expect(() => scans.scores(b, buffer(query), out)).toThrow("it was released");
});

test("a query's int8 stand where the kernels look for them", () => {
  // 32 coordinates 0 to 31: even ones first. Two tokens in a group of eight: four bytes of each in turn.
  const tokens = Float32Array.from({ length: 64 }, (_, i) => (i < 32 ? (i * 127) / 31 : -1));
  const memory = new ArrayBuffer(8 * 32);
  const { zeros, scales } = layOut(tokens, 32, 16, 1, 8, memory, 0);
  const found = new Int8Array(memory);
  expect([...found.subarray(0, 8)]).toEqual([0, 8, 16, 25, -127, -127, -127, -127]);
  expect([...found.subarray(4 * 32, 4 * 32 + 4)]).toEqual([4, 12, 20, 29]);
  expect(scales[0]).toBeCloseTo(1);
  expect(zeros[1]).toBe(64 * 32 * -127);
  expect([zeros[2], scales[2]]).toEqual([0, 0]);
});
