/** Unpacking one Zstandard frame that tells its size, by zstd's own decoder in WebAssembly (tools/zstd-decoder.mjs). */

import { HinnyError } from "../errors.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** What the decoder exports, of it what is used here. */
interface Decoder {
  memory: WebAssembly.Memory;
  malloc(size: number): number;
  ZSTD_findDecompressedSize(address: number, size: number): bigint;
  ZSTD_decompress(to: number, room: number, from: number, size: number): number;
}

/** More than any snapshot has: a frame that promises it is damaged. */
const MOST = 1 << 28;

/** The frame's content: a view of the decoder's own memory, which lives as long as the view does. */
export async function unpack(module: WebAssembly.Module, frame: Bytes): Promise<Bytes> {
  const instance = await WebAssembly.instantiate(module, { env: { emscripten_notify_memory_growth() {} } });
  const decoder = instance.exports as unknown as Decoder;
  const from = decoder.malloc(frame.length);
  new Uint8Array(decoder.memory.buffer).set(frame, from);
  const size = Number(decoder.ZSTD_findDecompressedSize(from, frame.length));
  if (size === 0 || size > MOST) throw damaged();
  const to = decoder.malloc(size);
  const done = decoder.ZSTD_decompress(to, size, from, frame.length);
  if (to === 0 || done !== size) throw damaged();
  return new Uint8Array(decoder.memory.buffer as ArrayBuffer, to, size);
}

function damaged(): HinnyError {
  return new HinnyError("runtime", "the snapshot cannot be unpacked: it is damaged or no Zstandard frame");
}
