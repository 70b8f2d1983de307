/**
 * What the element and the demo need of a search worker. `worker-port.ts` brings the real one; tests and
 * `npm run dev` bring a stand-in of the same shape.
 */

import type {
  BundleInfo,
  Factory,
  FactoryChange,
  OwnBundle,
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
  /** Index the reader's own files, here, by the code behind `hinny build`. */
  buildOwn(
    files: OwnFile[],
    title: string,
    onProgress: (done: number, total: number) => void,
  ): Promise<OwnBundle>;
}

/** An outdated question; the answer is of no use any more. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
