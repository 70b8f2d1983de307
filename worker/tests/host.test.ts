import { describe, expect, it } from "vitest";
import { BundleHost } from "../src/host.ts";
import { FileStore } from "../src/runtime/files.ts";

const SHA = "a".repeat(64);
const MANIFEST = JSON.stringify({
  parts: {},
  models: {
    late: {
      id: "late",
      kind: "colbert",
      source: "site",
      base: "https://example.org/search/models",
      files: [{ role: "graph", path: "model.onnx", bytes: 3, sha256: SHA }],
    },
  },
});

describe("a bundle that no server has", () => {
  it("is known by the manifest that it was given, and its models lie where that says", async () => {
    const host = new BundleHost("own:1", new FileStore());
    host.adopt(MANIFEST);
    expect(await host.manifest()).toBe(MANIFEST);
    const catalogue = await host.catalogue();
    expect(catalogue.request("late", "graph")?.url).toBe("https://example.org/search/models/late/model.onnx");
    const manifest = await host.file("manifest.json");
    expect(new TextDecoder().decode(manifest)).toBe(MANIFEST);
  });

  it("forgets its former models with its former manifest", async () => {
    const host = new BundleHost("own:1", new FileStore());
    host.adopt(MANIFEST);
    await host.catalogue();
    host.adopt('{"parts":{},"models":{}}');
    expect((await host.catalogue()).models.size).toBe(0);
    await expect(host.model("late", "graph")).rejects.toThrow("names no model late");
  });
});
