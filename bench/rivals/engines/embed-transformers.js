import { env, pipeline } from "@huggingface/transformers";

export const about = {
  kind: "embed",
  package: "@huggingface/transformers",
  setup:
    "README: pipeline feature-extraction over local files, dtype q8, device wasm, one thread, mean pooling, normalised",
};

// `from` names the folder of models.
export async function load(data) {
  const { models, model, runtime } = JSON.parse(new TextDecoder().decode(data));
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = models;
  env.useBrowserCache = false;
  env.backends.onnx.wasm.wasmPaths = runtime;
  env.backends.onnx.wasm.numThreads = 1;
  const extract = await pipeline("feature-extraction", model, { dtype: "q8", device: "wasm" });
  return {
    async search(text) {
      const found = await extract(text, { pooling: "mean", normalize: true });
      return Array.from(found.data);
    },
  };
}
