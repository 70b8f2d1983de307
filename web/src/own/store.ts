/** Where the reader's own collections lie: one shape for all places, so that the page need not know which. */

import type { Factory } from "../../../worker/src/api";

export interface OwnCard {
  id: string;
  title: string;
  pages: number;
  sections: number;
  bytes: number;
  added: string;
  skipped: { path: string; reason: string }[];
  /** How the reader wants to search them. Until `ready` holds it, words answer. */
  factory: Factory;
  /** The factories that the kept bundle can serve. */
  ready: Factory[];
  /** Why it is not kept beyond this tab. */
  volatile?: string;
}

export interface SourceFile {
  path: string;
  bytes: Uint8Array;
}

export type Place = "opfs" | "indexeddb" | "memory";

export interface OwnStore {
  readonly place: Place;
  list(): Promise<OwnCard[]>;
  /** Keep a bundle and the files that it was made of; all of it or nothing. */
  keep(card: OwnCard, zip: Uint8Array, files: readonly SourceFile[]): Promise<void>;
  /** Replace the card, and the bundle where another is given; both or nothing. */
  update(card: OwnCard, zip?: Uint8Array): Promise<void>;
  zip(id: string): Promise<Uint8Array | null>;
  /** One of the files that a bundle was made of. */
  file(id: string, path: string): Promise<Uint8Array | null>;
  remove(id: string): Promise<void>;
}

/** The id in a bundle's address `own:ID`, for bundles that lie here; null for all others. */
export function ownId(bundle: string): string | null {
  return /^own:([\w-]+)\/?$/u.exec(bundle)?.[1] ?? null;
}

/** The newest first. */
export function sorted(cards: OwnCard[]): OwnCard[] {
  return cards.sort((a, b) => b.added.localeCompare(a.added));
}
