import { describe, expect, it } from "vitest";
import { asInTable, keepsIdentity, withIdentity } from "../src/runtime/identity.ts";

/** Two functions, exported as `a`, `b` and, again the first, `c`. */
const MODULE = new WebAssembly.Module(
  new Uint8Array([
    ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 3, 2, 0, 0],
    ...[7, 13, 3, 1, 97, 0, 0, 1, 98, 0, 1, 1, 99, 0, 0, 10, 7, 2, 2, 0, 11, 2, 0, 11],
  ]),
);

/** A table as JavaScriptCore has it: an object of its own at each place; null where nothing stands. */
function tableOf(...names: (string | null)[]) {
  const places = names.map((name) => name && Object.defineProperty(() => {}, "name", { value: name }));
  return { length: places.length, get: (place: number) => places[place] };
}

describe("one object a function", () => {
  it("is what this engine has", () => {
    expect(keepsIdentity()).toBe(true);
  });

  it("is taken from the table, from its last place", () => {
    const table = tableOf("0", null, "0", "7");
    const { exports } = new WebAssembly.Instance(MODULE);
    const found = asInTable(exports, table, 0);
    expect(found.a).toBe(table.get(2));
    expect(found.c).toBe(table.get(2));
    expect(found.b).toBe(exports.b); // which no table holds
    expect(Object.keys(found)).toEqual(["a", "b", "c"]);
  });

  it("counts only the places that are the module's own, and functions only", () => {
    const memory = new WebAssembly.Memory({ initial: 1 });
    const { a } = new WebAssembly.Instance(MODULE).exports as { a: () => void };
    const found = asInTable({ a, memory }, tableOf("0", "1"), 1);
    expect(found).toEqual({ a, memory });
  });

  it("holds for what is instantiated meanwhile, and no longer", () => {
    const { Instance } = WebAssembly;
    const table = tableOf("x", "1");
    const made = withIdentity(table, 0, () => new WebAssembly.Instance(MODULE), true);
    expect(made.exports.b).toBe(table.get(1));
    expect(WebAssembly.Instance).toBe(Instance);
    const failing = () => {
      throw new Error("no");
    };
    expect(() => withIdentity(table, 0, failing, true)).toThrow("no");
    expect(WebAssembly.Instance).toBe(Instance);
  });

  it("needs nothing where the engine has it", () => {
    const { Instance } = WebAssembly;
    expect(withIdentity(tableOf(), 0, () => WebAssembly.Instance)).toBe(Instance);
  });
});
