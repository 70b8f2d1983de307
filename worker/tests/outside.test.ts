import { expect, test } from "vitest";
import { weightsOutside } from "../src/models/outside.ts";

const encoder = new TextEncoder();

/** A field of fewer than 2^14 bytes, or of a small number. */
function field(number: number, content: number | string | number[]): number[] {
  if (typeof content === "number") return [number << 3, content];
  const bytes = typeof content === "string" ? [...encoder.encode(content)] : content;
  const { length } = bytes;
  return [(number << 3) | 2, ...(length < 128 ? [length] : [(length & 127) | 128, length >> 7]), ...bytes];
}

function model(...tensors: number[][]): Uint8Array<ArrayBuffer> {
  const graph = [...field(2, "g"), ...tensors.flatMap((tensor) => field(5, tensor)), ...field(12, "y")];
  return new Uint8Array([...field(1, 8), ...field(7, graph), ...field(8, [])]);
}

const small = [...field(2, 1), ...field(8, "small"), ...field(9, [1, 2, 3, 4])];
const large = Array.from({ length: 5000 }, (_, i) => i % 251);
const entry = (key: string, value: string) => field(13, [...field(1, key), ...field(2, value)]);

test("large weights are named by their place in the file, all else stays as it was", () => {
  const file = model(small, [...field(1, [5, 1]), ...field(9, large), ...field(8, "large")]);
  const at = file.findIndex((_, i) => file.slice(i, i + 5000).every((byte, k) => byte === large[k]));
  const moved = [...entry("location", "w"), ...entry("offset", String(at)), ...entry("length", "5000")];
  const place = [(14 << 3) | 0, 1]; // data_location = EXTERNAL
  const rest = model(small, [...field(1, [5, 1]), ...moved, ...place, ...field(8, "large")]);
  expect(weightsOutside(file, "w")).toEqual(rest);
});

test("numbers of eight and four bytes are passed over", () => {
  const fixed = [(20 << 3) | 1, ...Array(8).fill(200), ...[(21 << 3) | 5, 200, 200, 200, 200]];
  const tensor = [...field(9, large)];
  const long = [...fixed.slice(0, 1), 1, ...fixed.slice(1, 9), ...fixed.slice(9, 10), 1, ...fixed.slice(10)];
  const rest = weightsOutside(new Uint8Array([...long, ...model(tensor)]), "w");
  expect([...(rest as Uint8Array).slice(0, long.length)]).toEqual(long);
});

test("a graph without large weights, or what is none, is left to onnxruntime as it is", () => {
  expect(weightsOutside(model(small), "w")).toBeNull();
  expect(weightsOutside(encoder.encode("graph"), "w")).toBeNull();
  expect(weightsOutside(model([...field(9, large)]).slice(0, -100), "w")).toBeNull();
  expect(weightsOutside(new Uint8Array([0x08, 0xff]), "w")).toBeNull();
});
