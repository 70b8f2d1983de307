/**
 * The reader's own collections: each a bundle as one zip, in this device's IndexedDB, until it is removed.
 *
 * IndexedDB rather than OPFS: it is there in every browser's private window that stores anything at all, it
 * takes bytes as they are, and one transaction writes the bundle and its card together.
 */

export interface OwnCard {
  id: string;
  title: string;
  pages: number;
  sections: number;
  bytes: number;
  added: string;
  skipped: { path: string; reason: string }[];
}

/** The id in a bundle's address `own:ID`, for bundles that lie here; null for all others. */
export function ownId(bundle: string): string | null {
  return /^own:([\w-]+)\/?$/u.exec(bundle)?.[1] ?? null;
}

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

/** Keep a bundle and the files that it was made of; all of it or nothing. */
export async function keepOwn(
  card: OwnCard,
  zip: Uint8Array,
  files: readonly { path: string; bytes: Uint8Array }[],
): Promise<void> {
  await change((store) => {
    store(CARDS).put(card);
    store(ZIPS).put(zip, card.id);
    for (const { path, bytes } of files) store(FILES).put(bytes, [card.id, path]);
  });
}

export async function removeOwn(id: string): Promise<void> {
  await change((store) => {
    store(CARDS).delete(id);
    store(ZIPS).delete(id);
    // Arrays sort after every string, so this is all keys that begin with the id.
    store(FILES).delete(IDBKeyRange.bound([id], [id, []]));
  });
}

/** One of the files that a bundle was made of. */
export async function readOwnFile(id: string, path: string): Promise<Uint8Array | null> {
  const db = await database();
  try {
    const request = db.transaction(FILES).objectStore(FILES).get([id, path]);
    return ((await wait(request)) as Uint8Array | undefined) ?? null;
  } finally {
    db.close();
  }
}

export async function listOwn(): Promise<OwnCard[]> {
  const db = await database();
  try {
    const cards = (await wait(db.transaction(CARDS).objectStore(CARDS).getAll())) as OwnCard[];
    return cards.sort((a, b) => b.added.localeCompare(a.added));
  } finally {
    db.close();
  }
}

export async function readOwn(id: string): Promise<Uint8Array | null> {
  const db = await database();
  try {
    return ((await wait(db.transaction(ZIPS).objectStore(ZIPS).get(id))) as Uint8Array | undefined) ?? null;
  } finally {
    db.close();
  }
}
