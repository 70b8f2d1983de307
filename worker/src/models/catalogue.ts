/** The models that a bundle's manifest names, and where their files are. */

import type { ModelInfo } from "../api.ts";
import type { FileRequest } from "../runtime/files.ts";
import { ModelError } from "./errors.ts";

export type ModelRole = "graph" | "tokenizer" | "tokenizer_config";

interface PinnedFile {
  role: ModelRole;
  path: string;
  bytes: number;
  sha256: string;
}

/** A pin (hinny/models/pins.py) with where its files are. */
export interface ManifestModel {
  id: string;
  kind: ModelInfo["kind"];
  source: "hub" | "site";
  repository?: string;
  revision?: string;
  files: PinnedFile[];
  /** `models`: beside the bundle; else the address of a hub or mirror. */
  base: string;
}

export class ModelCatalogue {
  readonly models: ReadonlyMap<string, ManifestModel>;
  #bundle: string;

  /** `bundle` is the absolute URL of the bundle's folder. */
  constructor(bundle: string, models: Record<string, ManifestModel>) {
    this.#bundle = bundle;
    this.models = new Map(Object.entries(models));
  }

  find(id: string): ManifestModel {
    const model = this.models.get(id);
    if (model) return model;
    const known = [...this.models.keys()].join(", ") || "none";
    throw new ModelError("unknown", `this bundle names no model ${id}; it names ${known}`);
  }

  /** The file in a role, or null where the model has none. */
  request(id: string, role: ModelRole): FileRequest | null {
    const model = this.find(id);
    const file = model.files.find((item) => item.role === role);
    return file ? this.#describe(model, file) : null;
  }

  /** All files of a model. */
  requests(id: string): FileRequest[] {
    const model = this.find(id);
    return model.files.map((file) => this.#describe(model, file));
  }

  #describe(model: ManifestModel, file: PinnedFile): FileRequest {
    return {
      name: `${model.id}/${file.path}`,
      url: this.#url(model, file),
      bytes: file.bytes,
      sha256: file.sha256,
      type: file.path.endsWith(".json") ? "application/json" : "application/octet-stream",
      kind: "model",
    };
  }

  #url(model: ManifestModel, file: PinnedFile): string {
    if (model.base === "models") return new URL(`models/${model.id}/${file.path}`, this.#bundle).href;
    const base = model.base.replace(/\/+$/, "");
    if (model.source === "hub") return `${base}/${model.repository}/resolve/${model.revision}/${file.path}`;
    return new URL(`${base}/${model.id}/${file.path}`, this.#bundle).href;
  }
}
