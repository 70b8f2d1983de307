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
  };
  return wait(request);
}

async function change(work: (cards: IDBObjectStore, zips: IDBObjectStore) => void): Promise<void> {
  const db = await database();
  try {
    const transaction = db.transaction([CARDS, ZIPS], "readwrite");
    const finished = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onerror = () => reject(transaction.error ?? new Error("storage failed"));
      transaction.onabort = () => reject(transaction.error ?? new Error("storage is full or denied"));
    });
    work(transaction.objectStore(CARDS), transaction.objectStore(ZIPS));
    await finished;
  } finally {
    db.close();
  }
}

export async function keepOwn(card: OwnCard, zip: Uint8Array): Promise<void> {
  await change((cards, zips) => {
    cards.put(card);
    zips.put(zip, card.id);
  });
}

export async function removeOwn(id: string): Promise<void> {
  await change((cards, zips) => {
    cards.delete(id);
    zips.delete(id);
  });
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
