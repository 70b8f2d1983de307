/**
 * The reader's own collections: in the origin private file system where a page may write to it, else in
 * IndexedDB, else, and what does not fit, in this tab's memory.
 */

import { messageOf } from "../view";
import { DatabaseStore } from "./database";
import { FileStore } from "./files";
import { MemoryStore } from "./memory";
import { type OwnCard, type OwnStore, type Place, type SourceFile, sorted } from "./store";

export class OwnPages {
  readonly #memory = new MemoryStore();
  readonly #open: () => Promise<OwnStore | null>;
  #opened: Promise<OwnStore> | null = null;

  constructor(open: () => Promise<OwnStore | null> = openStore) {
    this.#open = open;
  }

  /** Where collections are kept here. */
  async place(): Promise<Place> {
    return (await this.#store()).place;
  }

  async list(): Promise<OwnCard[]> {
    const store = await this.#store();
    const kept = store === this.#memory ? [] : await store.list();
    return sorted([...kept, ...(await this.#memory.list())]);
  }

  /** Keep a collection; what cannot be stored lives as long as the tab, and its card says why. */
  async keep(card: OwnCard, zip: Uint8Array, files: readonly SourceFile[]): Promise<OwnCard> {
    const store = await this.#store();
    let volatile = "this browser stores nothing here (a private window?)";
    if (store !== this.#memory) {
      try {
        await store.keep(card, zip, files);
        return card;
      } catch (error) {
        volatile = whyNotKept(error);
      }
    }
    const passing = { ...card, volatile };
    await this.#memory.keep(passing, zip, files);
    return passing;
  }

  async update(card: OwnCard, zip?: Uint8Array): Promise<void> {
    await (await this.#storeOf(card.id)).update(card, zip);
  }

  async zip(id: string): Promise<Uint8Array | null> {
    return (await this.#storeOf(id)).zip(id);
  }

  async file(id: string, path: string): Promise<Uint8Array | null> {
    return (await this.#storeOf(id)).file(id, path);
  }

  async remove(id: string): Promise<void> {
    await (await this.#storeOf(id)).remove(id);
  }

  async #storeOf(id: string): Promise<OwnStore> {
    return this.#memory.has(id) ? this.#memory : await this.#store();
  }

  #store(): Promise<OwnStore> {
    this.#opened ??= this.#open().then((found) => found ?? this.#memory);
    return this.#opened;
  }
}

async function openStore(): Promise<OwnStore | null> {
  return (await FileStore.open()) ?? (await DatabaseStore.open());
}

function whyNotKept(error: unknown): string {
  const full = error instanceof DOMException && error.name === "QuotaExceededError";
  return full ? "this site has no storage left on this device" : messageOf(error);
}
