/** A host, a cache and a file for the tests of downloads; an onnxruntime for those of sessions. */

import { vi } from "vitest";
import type { Ort } from "../src/ort.ts";
import type { FileRequest } from "../src/runtime/files.ts";
import { sha256Slow } from "../src/sha256.ts";

export const DATA = new Uint8Array(1000).map((_, i) => i % 251);

export function fileOf(data: Uint8Array, name = "m/model.onnx"): FileRequest {
  return {
    name,
    url: `https://hub.example/${name}`,
    bytes: data.length,
    sha256: sha256Slow(new Uint8Array(data)),
    type: "application/octet-stream",
    kind: "model",
  };
}

/** Answers in turn; a function answers with what it returns. Keeps what was asked. */
export function fakeFetch(...answers: ((init: RequestInit) => Response | Promise<Response>)[]) {
  const asked: RequestInit[] = [];
  const fetch = async (_url: string, init: RequestInit) => {
    asked.push(init);
    const answer = answers[Math.min(asked.length, answers.length) - 1];
    if (!answer) throw new Error("nothing to answer");
    return await answer(init);
  };
  return { asked, fetch: fetch as unknown as typeof globalThis.fetch };
}

export function bytes(data: Uint8Array, init: ResponseInit = {}): Response {
  return new Response(new Uint8Array(data), {
    headers: { "content-type": "application/octet-stream" },
    ...init,
  });
}

/** An answer whose stream stops without an end until it is aborted. */
export function stuck(data: Uint8Array, signal: AbortSignal | null | undefined): Response {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(data);
      signal?.addEventListener("abort", () => controller.error(new DOMException("stopped", "AbortError")));
    },
  });
  return new Response(stream);
}

export class FakeCache {
  readonly entries = new Map<string, Response>();
  full = false;

  async match(key: string): Promise<Response | undefined> {
    return this.entries.get(key)?.clone();
  }

  async put(key: string, response: Response): Promise<void> {
    if (this.full) throw new DOMException("no room", "QuotaExceededError");
    this.entries.set(key, response);
  }

  async delete(key: string): Promise<boolean> {
    return this.entries.delete(key);
  }
}

/** onnxruntime-web whose sessions double their input; `log` tells what happened when. */
export function fakeOrt(log: string[] = []) {
  class Tensor {
    constructor(
      readonly type: string,
      readonly data: ArrayBufferView,
      readonly dims: readonly number[],
    ) {}
  }
  const create = vi.fn(async (_graph: Uint8Array, _options: Record<string, unknown>) => ({
    inputNames: ["x"],
    outputNames: ["y"],
    async run({ x }: Record<string, Tensor>) {
      const input = (x as Tensor).data as Float32Array;
      log.push(`start ${input[0]}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      log.push(`end ${input[0]}`);
      return {
        y: new Tensor(
          "float32",
          input.map((v) => 2 * v),
          (x as Tensor).dims,
        ),
      };
    },
    release: async () => void log.push("release"),
  }));
  return { ort: { env: { wasm: {} }, InferenceSession: { create }, Tensor } as unknown as Ort, create };
}

/** Put up what the stores need of a site's page; the device's empty cache. `vi.unstubAllGlobals` takes it down. */
export function stubPage(): FakeCache {
  const cache = new FakeCache();
  vi.stubGlobal("caches", { open: async () => cache });
  vi.stubGlobal("location", { origin: "https://site.example" });
  vi.stubGlobal("navigator", { onLine: true });
  return cache;
}
