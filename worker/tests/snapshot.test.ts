import { describe, expect, it } from "vitest";
import type { EmscriptenModule } from "../src/runtime/emscripten.ts";
import { decode, encode, restoreMemory, type SnapshotHeader } from "../src/runtime/snapshot.ts";

const PAGES = 16;
const SIZE = PAGES * 1024;
const STATIC_END = 4 * 1024;
const STACK_BASE = 6 * 1024;
const HELPER_OFFSET_AT = 1024;
const PYTHON_STATE = 2048;

/** As much of a module as a snapshot touches: memory, and where the stack lies. */
function moduleWith(fill: (heap: Uint8Array) => void): EmscriptenModule {
  const buffer = new ArrayBuffer(SIZE);
  const heap = new Uint8Array(buffer);
  new Uint32Array(buffer)[HELPER_OFFSET_AT / 4] = 8;
  fill(heap);
  return {
    HEAPU8: heap,
    HEAPU32: new Uint32Array(buffer),
    _emscripten_stack_get_end: () => STATIC_END,
    stackSave: () => STACK_BASE,
    _PyEM_CountArgsPtr: 77,
    __PyRuntime: PYTHON_STATE,
    __PyEM_EMSCRIPTEN_COUNT_ARGS_OFFSET: HELPER_OFFSET_AT,
  } as unknown as EmscriptenModule;
}

const header: SnapshotHeader = {
  madeWith: {},
  memory: SIZE,
  table: 1,
  symbols: 1,
  staticEnd: STATIC_END,
  held: { hiwireKeys: [], immortalKeys: ["a"] },
  libraries: [],
  files: [{ path: "/lib/data.json", bytes: 3 }],
};
const files = { "/lib/data.json": new Uint8Array([1, 2, 3]) };

const fresh = () => moduleWith((heap) => heap.fill(9, 3 * 1024, 4 * 1024));
const started = () =>
  moduleWith((heap) => {
    heap.fill(9, 3 * 1024, 4 * 1024); // static data, unchanged
    heap[100] = 5; // static data, changed
    heap.fill(8, STATIC_END, STACK_BASE); // what an earlier call left on the stack
    heap[8 * 1024 + 1] = 7;
    heap.fill(6, 15 * 1024);
  });

describe("a snapshot", () => {
  const bytes = encode(started(), header, fresh(), files);

  it("gives back header, files and memory", () => {
    const snapshot = decode(bytes.slice());
    expect(snapshot.header).toMatchObject(header);
    expect([...(snapshot.files["/lib/data.json"] ?? [])]).toEqual([1, 2, 3]);
    // The target's heap is not clean: what the snapshot has as zero must become zero.
    const target = moduleWith((heap) => {
      heap.fill(9, 3 * 1024, 4 * 1024);
      heap.fill(1, 10 * 1024, 12 * 1024);
    });
    restoreMemory(target, snapshot);
    const expected = started().HEAPU8;
    expected.fill(0, STATIC_END, STACK_BASE);
    new Uint32Array(expected.buffer)[(PYTHON_STATE + 8) / 4] = 77; // this engine's helper
    expect(target.HEAPU8).toEqual(expected);
  });

  it("stores no page that is zero, or static and unchanged", () => {
    expect([...decode(bytes.slice()).stored].flatMap((one, page) => (one ? [page] : []))).toEqual([0, 8, 15]);
  });

  it("is the same for the same memory", () => {
    expect(encode(started(), header, fresh(), files)).toEqual(bytes);
  });

  it("is refused when cut, of another format, or for another memory", () => {
    expect(() => decode(bytes.slice(0, -1))).toThrow("does not fit");
    const other = bytes.slice();
    other[4] = 99;
    expect(() => decode(other)).toThrow("format");
    const larger = { ...fresh(), HEAPU8: new Uint8Array(2 * SIZE) };
    expect(() => restoreMemory(larger, decode(bytes.slice()))).toThrow(`${2 * SIZE} bytes of memory`);
  });
});
