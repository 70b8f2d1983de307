import { expect, test } from "vitest";
import { type ManifestModel, ModelCatalogue } from "../src/models/catalogue.ts";

const files: ManifestModel["files"] = [
  { role: "graph", path: "onnx/model.onnx", bytes: 10, sha256: "a".repeat(64) },
  { role: "tokenizer", path: "tokenizer.json", bytes: 20, sha256: "b".repeat(64) },
];
const ours: ManifestModel = { id: "ours", kind: "embedder", source: "site", files, base: "models" };
const theirs: ManifestModel = {
  ...ours,
  id: "theirs",
  source: "hub",
  repository: "owner/name",
  revision: "c".repeat(40),
  base: "https://huggingface.co",
};
const catalogue = new ModelCatalogue("https://site.example/docs/search/", { ours, theirs });

test("a model of the site lies beside its bundle", () => {
  expect(catalogue.request("ours", "graph")).toEqual({
    name: "ours/onnx/model.onnx",
    url: "https://site.example/docs/search/models/ours/onnx/model.onnx",
    bytes: 10,
    sha256: "a".repeat(64),
    type: "application/octet-stream",
    kind: "model",
  });
});

test("a model of the hub is asked for at its revision", () => {
  expect(catalogue.requests("theirs").map(({ url }) => url)).toEqual([
    `https://huggingface.co/owner/name/resolve/${"c".repeat(40)}/onnx/model.onnx`,
    `https://huggingface.co/owner/name/resolve/${"c".repeat(40)}/tokenizer.json`,
  ]);
});

test("the same model in the site's own hands lies beside the bundle, too", () => {
  const moved = new ModelCatalogue("https://site.example/s/", { theirs: { ...theirs, base: "models" } });
  expect(moved.request("theirs", "tokenizer")?.url).toBe(
    "https://site.example/s/models/theirs/tokenizer.json",
  );
});

test("a file that a model lacks is null, a model that is not named an error with the names", () => {
  expect(catalogue.request("ours", "tokenizer_config")).toBeNull();
  expect(() => catalogue.find("gpt-9")).toThrow("names no model gpt-9; it names ours, theirs");
});
