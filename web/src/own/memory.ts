/** Collections that live as long as their tab: where nothing may be stored, or nothing more fits. */

import { type OwnCard, type OwnStore, type SourceFile, sorted } from "./store";

export class MemoryStore implements OwnStore {
  readonly place = "memory";
  readonly #kept = new Map<string, { card: OwnCard; zip: Uint8Array; files: Map<string, Uint8Array> }>();

  has(id: string): boolean {
    return this.#kept.has(id);
  }

  async list(): Promise<OwnCard[]> {
    return sorted([...this.#kept.values()].map(({ card }) => card));
  }

  async keep(card: OwnCard, zip: Uint8Array, files: readonly SourceFile[]): Promise<void> {
    const byPath = new Map(files.map(({ path, bytes }) => [path, bytes]));
    this.#kept.set(card.id, { card, zip, files: byPath });
  }

  async update(card: OwnCard, zip?: Uint8Array): Promise<void> {
    const found = this.#kept.get(card.id);
    if (!found) throw new Error("these pages are no longer here");
    found.card = card;
    if (zip) found.zip = zip;
  }

  async zip(id: string): Promise<Uint8Array | null> {
    return this.#kept.get(id)?.zip ?? null;
  }

  async file(id: string, path: string): Promise<Uint8Array | null> {
    return this.#kept.get(id)?.files.get(path) ?? null;
  }

  async remove(id: string): Promise<void> {
    this.#kept.delete(id);
  }
}
