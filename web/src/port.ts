/**
 * What the element and the demo need of a search worker. `worker-port.ts` brings the real one; tests and
 * `npm run dev` bring a stand-in of the same shape.
 */

import type {
  BundleInfo,
  EmbedProgress,
  Factory,
  FactoryChange,
  FactoryInfo,
  OwnBundle,
  OwnEmbedded,
  OwnFile,
  Progress,
  SearchAnswer,
  SearchRequest,
  StoredFile,
} from "../../worker/src/api";
import type { TitleEntry } from "./titles";

export interface OpenBundle {
  info: BundleInfo;
  search(request: SearchRequest): Promise<SearchAnswer>;
  /** Be told when a factory became ready or failed: the same question is answered otherwise now. */
  onChange?(listener: (change: FactoryChange) => void): () => void;
  /** Try again to bring what a factory needs here. */
  prepare?(factory: Factory): Promise<void>;
}

export interface Port {
  /** Start the core and open a bundle; the same bundle twice is the same promise. */
  open(bundle: string, factory: Factory, onProgress: (progress: Progress) => void): Promise<OpenBundle>;
  /** The bundle's small list of titles and headings, without starting anything. */
  titles(bundle: string): Promise<Titles>;
}

export interface Titles {
  root: string;
  entries: TitleEntry[];
}

/** What the demo's other pages ask of the same worker. */
export interface Device {
  /** Everything that lies in this device's caches for this site. */
  stored(): Promise<StoredFile[]>;
  /** Throw files of one kind away, or all. */
  clear(kind?: StoredFile["kind"]): Promise<void>;
  /** What a bundle can be searched by, and which models that takes. */
  factories(bundle: string): Promise<FactoryInfo[]>;
  /** Index the reader's own files, here, by the code behind `hinny build`. */
  buildOwn(
    files: OwnFile[],
    title: string,
    onProgress: (done: number, total: number) => void,
  ): Promise<OwnBundle>;
  /** Make a collection of own files searchable by meaning; words go on answering. */
  embedOwn(id: string, options: EmbedOwnOptions): Promise<OwnEmbedded>;
  /** A collection as a bundle for another place, with the models that it names. */
  exportOwn(id: string): Promise<Uint8Array | null>;
  /** A collection is gone: nothing of it stays open. */
  closeOwn(id: string): Promise<void>;
}

export interface EmbedOwnOptions {
  factory: Exclude<Factory, "lexical-only">;
  /** URL of the bundle whose models read the files. */
  models: string;
  signal: AbortSignal;
  /** What it answers is waited for before the next sections are read. */
  onProgress: (progress: EmbedProgress) => Promise<void>;
  /** Bytes of a model that is on its way. */
  onBytes: (progress: Progress) => void;
}

/** An outdated question; the answer is of no use any more. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
