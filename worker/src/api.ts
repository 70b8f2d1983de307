/**
 * What a page and the search worker say to each other. Plain data only: everything here survives
 * structured cloning, and the same shapes are what `hinny search --json` prints.
 */

/** `three-source` joins words, vectors and late interaction; it shares the parts and models of the other two. */
export type Factory = "lexical-only" | "tiny" | "semantic" | "three-source";

/** Where the start-up is. Bytes are what came over the network or out of the cache, in this stage. */
export interface Progress {
  stage: "runtime" | "python" | "bundle" | "model" | "ready";
  loaded: number;
  total: number;
  file?: string;
  /** True when the bytes came from this device's cache. */
  cached?: boolean;
  /** A model works but could not be kept for the next visit, and why. */
  problem?: string;
}

export interface OpenOptions {
  /** URL of the folder that `hinny build` wrote; relative to the page. */
  bundle: string;
  factory?: Factory;
}

/**
 * A factory of a bundle became ready, or cannot become so now: ask again, the answer differs. With
 * `three-source` or a reranker there are several of these: `joined` when one more source (or `rerank`) takes
 * part while others are still on their way; at the end `ready`, or `failed` when one of them cannot come (the
 * others take part all the same).
 */
export interface FactoryChange {
  /** Absolute URL of the bundle's folder. */
  bundle: string;
  factory: Factory;
  state: "joined" | "ready" | "failed";
  /** Why it failed; of `joined`, which one joined. */
  message: string;
}

export interface FactoryInfo {
  id: Factory;
  available: boolean;
  /** Why it is not available. */
  reason?: string;
  /**
   * Every model that it loads, a reranker (kind `cross-encoder`) among them and last. Factories share models:
   * the same id is one download.
   */
  models: ModelInfo[];
  /** Id of the model that reorders the first hits (`hinny build --rerank`); absent where none does. */
  reranker?: string;
}

export interface BundleInfo {
  title: string;
  pages: number;
  sections: number;
  terms: number;
  languages: Record<string, number>;
  bytes: number;
  /** Factories that this bundle can serve, in the order lexical-only, tiny, semantic, three-source. */
  factories: FactoryInfo[];
  facets: string[];
  hinny: string;
  /** URL of the site's root relative to the bundle's folder: what results' URLs are relative to. */
  base: string;
}

/**
 * The bundle's part `site/titles`, gzipped JSON: what the page matches while the core is still starting.
 * One row a page: its URL, its title, and its sections in order as anchor (without "#"; empty: the page) and heading.
 */
export interface TitlesFile {
  version: 1;
  /** False when deep headings were left out to keep the file small. */
  complete: boolean;
  pages: [url: string, title: string, sections: [anchor: string, heading: string][]][];
}

/** The bundle's part `site/questions`, gzipped JSON: benchmark questions, by whose id `recorded` asks. */
export type QuestionsFile = { id: string; text: string }[];

/** A file that the reader handed to the page; it never leaves the device. */
export interface OwnFile {
  /** Path inside the folder or zip, with "/" between its parts. */
  path: string;
  bytes: Uint8Array;
}

/** What the worker makes of the reader's own files, by the code behind `hinny build`: searched by words at once. */
export interface OwnBundle {
  /** The files that `hinny build` would have written, as one zip: kept on the device. */
  zip: Uint8Array;
  info: BundleInfo;
  skipped: { path: string; reason: string }[];
}

/** How the reader's own files become searchable by meaning: `SearchClient.embedOwn`. */
export interface EmbedOptions {
  factory: Exclude<Factory, "lexical-only">;
  /** URL of the site's bundle whose models encode them (relative to the page); it has to offer the factory. */
  models: string;
}

export interface EmbedProgress {
  /** `model`: it is being brought here (bytes: `SearchClient.onProgress`); `sections`: it encodes. */
  stage: "model" | "sections";
  /** The model under way. */
  model: string;
  /** Sections encoded, of all; with two models each section counts twice. */
  done: number;
  total: number;
}

/** The same files with what the factory searches by. Keep this zip instead of the former one. */
export interface OwnEmbedded {
  zip: Uint8Array;
  info: BundleInfo;
  /** By model: sections longer than it takes, of which the beginning was encoded. */
  truncated: Record<string, number>;
}

export interface ModelInfo {
  id: string;
  kind: "embedder" | "colbert" | "cross-encoder";
  bytes: number;
  source: string;
  cached: boolean;
}

export interface SearchRequest {
  text: string;
  limit?: number;
  offset?: number;
  factory?: Factory;
  /** The reader is still typing: the last word is a prefix. */
  asYouType?: boolean;
  /** Facet name to accepted values. */
  filters?: Record<string, string[]>;
  /** Ask for every hit's explanation. */
  explain?: boolean;
  /** Id of a benchmark question of the bundle: its text and its recorded vector are used, no model is asked. */
  recorded?: string;
}

/** Text with the ranges [start, end) to mark, in UTF-16 code units; never markup. */
export interface MarkedText {
  text: string;
  marks: [number, number][];
}

export interface Result {
  id: string;
  rank: number;
  score: number;
  scoreKind: string;
  /** URL with anchor, relative to the site's root as the bundle knows it. */
  url: string;
  page: string;
  pageTitle: MarkedText;
  /** Heading path below the page's title. */
  headings: MarkedText[];
  excerpt: MarkedText;
  /** Words of the reader's that the section lacks; none where it was found in another way than by words. */
  missing: string[];
  language: string | null;
  exact: boolean;
  reasons: string[];
  metadata: Record<string, unknown>;
  explanation?: Explanation;
}

export interface Explanation {
  /** Per source: rank from 1, raw score, contribution to the fused score. */
  sources: { name: string; rank: number; score: number; contribution: number | null }[];
  /** Per matched word and field. */
  terms: {
    word: string;
    match: "exact" | "stem" | "prefix" | "typo" | "sound" | "synonym" | "phrase";
    field: string;
    tf: number;
    idf: number;
    weight: number;
    contribution: number;
  }[];
  /**
   * What the reranker did to the hit, empty where it did nothing: `current` (what its rank before gives) and
   * `neural` (what the reranker's order gives), which sum to its score.
   */
  rerank: Record<string, number>;
  reasons: string[];
}

export interface SearchAnswer {
  results: Result[];
  total: number;
  /** Milliseconds in the worker, and by stage. */
  ms: number;
  timings: Record<string, number>;
  query: { text: string; problems: string[]; didYouMean: string | null; alsoSearched: string[] };
  facets: Record<string, { value: string; before: number; after: number }[]>;
  factory: Factory;
  /** What did not take part, and why: a source (`lexical`, `vector`, `tokens`) or the reranker (`rerank`). */
  degraded: { source: string; reason: "error" | "timeout" | "loading"; message: string }[];
  stats: Record<string, unknown>;
}

/** What runs models: WebAssembly everywhere, WebGPU where the browser and the site's runtime have it. */
export type ExecutionProvider = "wasm" | "webgpu";

/** How a model's download is watched over. */
export interface DownloadSettings {
  /** Milliseconds without a byte before a download counts as stalled. */
  stallMs?: number;
  /** How often a broken download is tried. */
  attempts?: number;
}

/** Texts as a model's vectors, and how they were tokenised. */
export interface EncodeRequest {
  /** A model that the bundle names: an embedder or a colbert model. */
  model: string;
  texts: string[];
  /** `query` or `document`: models treat the two differently. */
  as?: "query" | "document";
}

export interface Encoded {
  tokens: number[][];
  /** One vector a text; for a colbert model one row a token. */
  vectors: number[][] | number[][][];
  fingerprint: string;
  /** Milliseconds spent on tokenising, inference and pooling; loading is not among them. */
  ms: number;
}

/** What the device holds, for the page about downloads. */
export interface StoredFile {
  name: string;
  kind: "runtime" | "bundle" | "model" | "boot";
  bytes: number;
  sha256: string;
  verified: boolean;
}
