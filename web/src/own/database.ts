/** Collections in IndexedDB: one transaction writes a bundle, its files and its card together. */

import { type OwnCard, type OwnStore, type SourceFile, sorted } from "./store";

const NAME = "hinny-own";
const CARDS = "cards";
const ZIPS = "zips";
const FILES = "files";

function wait<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("storage failed"));
  });
}

async function database(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(CARDS, { keyPath: "id" });
    request.result.createObjectStore(ZIPS);
    request.result.createObjectStore(FILES);
  };
  return wait(request);
}

type Stores = (name: string) => IDBObjectStore;

async function change(work: (store: Stores) => void): Promise<void> {
  const db = await database();
  try {
    const transaction = db.transaction([CARDS, ZIPS, FILES], "readwrite");
    const finished = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onerror = () => reject(transaction.error ?? new Error("storage failed"));
      transaction.onabort = () => reject(transaction.error ?? new Error("storage is full or denied"));
    });
    work((name) => transaction.objectStore(name));
    await finished;
  } finally {
    db.close();
  }
}

async function read<T>(store: string, ask: (store: IDBObjectStore) => IDBRequest): Promise<T | undefined> {
  const db = await database();
  try {
    return (await wait(ask(db.transaction(store).objectStore(store)))) as T | undefined;
  } finally {
    db.close();
  }
}

export class DatabaseStore implements OwnStore {
  readonly place = "indexeddb";

  /** Null where this browser, or this window of it, has none. */
  static async open(): Promise<DatabaseStore | null> {
    try {
      (await database()).close();
      return new DatabaseStore();
    } catch {
      return null;
    }
  }

  async list(): Promise<OwnCard[]> {
    return sorted((await read<OwnCard[]>(CARDS, (store) => store.getAll())) ?? []);
  }

  async keep(card: OwnCard, zip: Uint8Array, files: readonly SourceFile[]): Promise<void> {
    await change((store) => {
      store(CARDS).put(card);
      store(ZIPS).put(zip, card.id);
      for (const { path, bytes } of files) store(FILES).put(bytes, [card.id, path]);
    });
  }

  async update(card: OwnCard, zip?: Uint8Array): Promise<void> {
    let found = false;
    await change((store) => {
      const asked = store(CARDS).getKey(card.id);
      asked.onsuccess = () => {
        found = asked.result !== undefined;
        if (!found) return;
        store(CARDS).put(card);
        if (zip) store(ZIPS).put(zip, card.id);
      };
    });
    if (!found) throw new Error("these pages are no longer on this device");
  }

  async zip(id: string): Promise<Uint8Array | null> {
    return (await read<Uint8Array>(ZIPS, (store) => store.get(id))) ?? null;
  }

  async file(id: string, path: string): Promise<Uint8Array | null> {
    return (await read<Uint8Array>(FILES, (store) => store.get([id, path]))) ?? null;
  }

  async remove(id: string): Promise<void> {
    await change((store) => {
      store(CARDS).delete(id);
      store(ZIPS).delete(id);
      // Arrays sort after every string, so this is all keys that begin with the id.
      store(FILES).delete(IDBKeyRange.bound([id], [id, []]));
    });
  }
}
