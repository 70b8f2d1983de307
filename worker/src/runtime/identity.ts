/**
 * One object a function. By WebAssembly's JavaScript interface a function is the same object wherever a script meets
 * it: among a module's exports and at each of its places in a table. Emscripten relies on it when it looks for an
 * export in the table, and adds what it does not find. JavaScriptCore (Safari, WebKitGTK 2.50) makes an object for
 * each place: the table grows by more than a thousand functions, and nothing stands where a snapshot has it. There,
 * exports are replaced by the table's objects, which are the same functions.
 */

/** A module with one function, exported as `f`, and first in its table, exported as `t`. */
const PROBE = new Uint8Array([
  ...[0, 97, 115, 109, 1, 0, 0, 0],
  ...[1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 4, 4, 1, 112, 0, 1],
  ...[7, 9, 2, 1, 102, 0, 0, 1, 116, 1, 0, 9, 7, 1, 0, 65, 0, 11, 1, 0, 10, 4, 1, 2, 0, 11],
]);

type Table = Pick<WebAssembly.Table, "get" | "length">;

let kept: boolean | undefined;

/** Whether this engine has one object a function. */
export function keepsIdentity(): boolean {
  if (kept === undefined) {
    const { f, t } = new WebAssembly.Instance(new WebAssembly.Module(PROBE)).exports;
    kept = (t as WebAssembly.Table).get(0) === f;
  }
  return kept;
}

/**
 * A module's exports, as the objects that its table has from place `from` on. A function's name is its number in its
 * module; where one stands at several places the last counts, as Emscripten has it.
 */
export function asInTable(exports: WebAssembly.Exports, table: Table, from: number): WebAssembly.Exports {
  const held = new Map<string, WebAssembly.ExportValue>();
  for (let place = from; place < table.length; place++) {
    const found = table.get(place) as { name: string } | null;
    if (found) held.set(found.name, found as unknown as WebAssembly.ExportValue);
  }
  return Object.fromEntries(
    Object.entries(exports).map(([name, value]) => [
      name,
      typeof value === "function" ? (held.get((value as { name: string }).name) ?? value) : value,
    ]),
  );
}

/** Run what instantiates one module, whose functions the table has from `from` on, with one object a function. */
export function withIdentity<T>(table: Table, from: number, work: () => T, needed = !keepsIdentity()): T {
  if (!needed) return work();
  const webAssembly = WebAssembly as { Instance: unknown };
  const Instance = WebAssembly.Instance;
  webAssembly.Instance = function instantiate(module: WebAssembly.Module, imports: WebAssembly.Imports) {
    return { exports: asInTable(new Instance(module, imports).exports, table, from) };
  };
  try {
    return work();
  } finally {
    webAssembly.Instance = Instance;
  }
}
