/**
 * A stand-in for the worker, for `npm run dev` with HINNY_MOCK=1 and for unit tests; never shipped.
 *
 * It answers from a handful of passages by plain substring, so that every part of the page can be looked at
 * without a bundle.
 */

import type {
  BundleInfo,
  Factory,
  FactoryInfo,
  OwnBundle,
  OwnEmbedded,
  Progress,
  Result,
  SearchAnswer,
  SearchRequest,
  StoredFile,
} from "../../worker/src/api";
import type { Device, EmbedOwnOptions, OpenBundle, Port, Titles } from "./port";
import { fold } from "./titles";

const PASSAGES: [page: string, title: string, anchor: string, heading: string, text: string][] = [
  [
    "sql-createindex.html",
    "CREATE INDEX",
    "",
    "",
    "CREATE INDEX constructs an index on the specified column(s) of the specified relation, which can be a table or a materialized view. Indexes are primarily used to enhance database performance (though inappropriate use can result in slower performance).",
  ],
  [
    "sql-createindex.html",
    "CREATE INDEX",
    "SQL-CREATEINDEX-CONCURRENTLY",
    "Building Indexes Concurrently",
    "Creating an index can interfere with regular operation of a database. PostgreSQL supports building indexes without locking out writes. This method is invoked by specifying the CONCURRENTLY option of CREATE INDEX.",
  ],
  [
    "sql-createindex.html",
    "CREATE INDEX",
    "id-1.9.3.69.8",
    "Examples",
    "To create a unique B-tree index on the column title in the table films: CREATE UNIQUE INDEX title_idx ON films (title);",
  ],
  [
    "sql-createindex.html",
    "CREATE INDEX",
    "id-1.9.3.69.6",
    "Parameters",
    "UNIQUE causes the system to check for duplicate values in the table when the index is created (if data already exist) and each time data is added.",
  ],
  [
    "sql-createindex.html",
    "CREATE INDEX",
    "id-1.9.3.69.7",
    "Notes",
    "See the index chapter for information about when indexes can be used, when they are not used, and in which particular situations they can be useful.",
  ],
  [
    "sql-createindex.html",
    "CREATE INDEX",
    "SQL-CREATEINDEX-STORAGE",
    "Index Storage Parameters",
    "The optional WITH clause specifies storage parameters for the index. Each index method has its own set of allowed storage parameters.",
  ],
  [
    "sql-dropindex.html",
    "DROP INDEX",
    "",
    "",
    "DROP INDEX drops an existing index from the database system. To execute this command you must be the owner of the index.",
  ],
  [
    "indexes-types.html",
    "11.2. Index Types",
    "INDEXES-TYPES-BTREE",
    "B-Tree",
    "B-trees can handle equality and range queries on data that can be sorted into some ordering. In particular, the PostgreSQL query planner will consider using a B-tree index whenever an indexed column is involved in a comparison.",
  ],
  [
    "indexes-types.html",
    "11.2. Index Types",
    "INDEXES-TYPE-GIN",
    "GIN",
    "GIN indexes are \u201cinverted indexes\u201d which are appropriate for data values that contain multiple component values, such as arrays.",
  ],
  [
    "indexes-partial.html",
    "11.8. Partial Indexes",
    "",
    "",
    "A partial index is an index built over a subset of a table; the subset is defined by a conditional expression (called the predicate of the partial index).",
  ],
  [
    "wal-intro.html",
    "30.3. Write-Ahead Logging (WAL)",
    "",
    "",
    "Write-Ahead Logging (WAL) is a standard method for ensuring data integrity. Briefly, WAL's central concept is that changes to data files must be written only after those changes have been logged.",
  ],
  [
    "runtime-config-wal.html",
    "20.5. Write Ahead Log",
    "GUC-WAL-LEVEL",
    "20.5.1. Settings",
    "wal_level determines how much information is written to the WAL. The default value is replica, which writes enough data to support WAL archiving and replication.",
  ],
];

const SECTION_PATHS: Record<string, string[]> = {
  "20.5.1. Settings": ["Server Configuration", "20.5.1. Settings"],
};

function find(text: string, words: string[]): [number, number][] {
  const lower = text.toLowerCase();
  const marks: [number, number][] = [];
  for (const word of words) {
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + word.length)) {
      marks.push([at, at + word.length]);
    }
  }
  return marks.sort((a, b) => a[0] - b[0]);
}

function answer(request: SearchRequest): SearchAnswer {
  const words = fold(request.text).split(" ").filter(Boolean);
  const results: Result[] = [];
  for (const [page, title, anchor, heading, text] of PASSAGES) {
    const everything = fold(`${title} ${heading} ${text}`);
    if (!words.every((word) => everything.includes(word))) continue;
    const headings = heading ? (SECTION_PATHS[heading] ?? [heading]) : [];
    results.push({
      id: `${page}#${anchor}`,
      rank: results.length + 1,
      score: 12.4 / (results.length + 1),
      scoreKind: "bm25f",
      url: anchor ? `${page}#${anchor}` : page,
      page,
      pageTitle: { text: title, marks: find(title, words) },
      headings: headings.map((name) => ({ text: name, marks: find(name, words) })),
      excerpt: { text, marks: find(text, words) },
      missing: [],
      language: "en",
      exact: fold(title) === words.join(" "),
      reasons: fold(title) === words.join(" ") ? ["exact-promotion"] : [],
      metadata: {},
      ...(request.explain ? { explanation: explanation(words, results.length) } : {}),
    });
  }
  return {
    results: results.slice(request.offset ?? 0, (request.offset ?? 0) + (request.limit ?? 20)),
    total: results.length,
    ms: 2.4,
    timings: { parse: 0.2, lexical: 1.1, fusion: 0.1, excerpts: 0.9 },
    query: {
      text: request.text,
      problems: [],
      didYouMean: words.includes("indx") ? "index" : null,
      alsoSearched: words.includes("index") ? ["indexes", "indexing"] : [],
    },
    facets: {},
    factory: request.factory ?? "lexical-only",
    degraded: [],
    stats: {},
  };
}

function explanation(words: string[], at: number): NonNullable<Result["explanation"]> {
  return {
    sources: [
      { name: "lexical", rank: at + 1, score: 12.4 / (at + 1), contribution: 0.0164 },
      { name: "vector", rank: at + 3, score: 0.71, contribution: 0.0159 },
    ],
    terms: words.flatMap((word) => [
      { word, match: "exact", field: "title", tf: 1, idf: 2.31, weight: 3, contribution: 5.2 },
      { word, match: "exact", field: "text", tf: 4, idf: 2.31, weight: 1, contribution: 3.1 },
    ]),
    rerank: {},
    reasons: [],
  };
}

const INFO: BundleInfo = {
  title: "PostgreSQL 15 manual",
  pages: 1173,
  sections: 8421,
  terms: 21_884,
  languages: { en: 8421 },
  bytes: 3_912_000,
  factories: [
    { id: "lexical-only", available: true, models: [] },
    {
      id: "tiny",
      available: true,
      models: [
        {
          id: "all-MiniLM-L6-v2 (int8)",
          kind: "embedder",
          bytes: 22_800_000,
          source: "https://huggingface.co",
          cached: false,
        },
      ],
    },
    { id: "semantic", available: false, reason: "This bundle was built without a token index.", models: [] },
  ],
  facets: [],
  hinny: "0.1.0",
  base: "../",
};

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export class MockPort implements Port, Device {
  startMs = 1500;

  async open(
    _bundle: string,
    _factory: Factory,
    onProgress: (progress: Progress) => void,
  ): Promise<OpenBundle> {
    const total = 8_400_000;
    for (let step = 0; step <= 10; step += 1) {
      onProgress({ stage: step < 8 ? "runtime" : "bundle", loaded: (total * step) / 10, total });
      await wait(this.startMs / 10);
    }
    return {
      info: INFO,
      search: async (request) => {
        await wait(5);
        return answer(request);
      },
    };
  }

  async titles(): Promise<Titles> {
    const entries = PASSAGES.map(([page, title, anchor, heading]) => ({
      url: anchor ? `${page}#${anchor}` : page,
      page,
      title,
      headings: heading ? [heading] : [],
    }));
    return { root: "../", entries };
  }

  async stored(): Promise<StoredFile[]> {
    const sha256 = "0".repeat(64);
    return [
      { name: "pyodide.asm.wasm", kind: "runtime", bytes: 3_100_000, sha256, verified: true },
      { name: "lexical-dictionary.npz", kind: "bundle", bytes: 310_000, sha256, verified: true },
    ];
  }

  async clear(): Promise<void> {}

  async buildOwn(): Promise<OwnBundle> {
    return { zip: new Uint8Array(0), info: INFO, skipped: [] };
  }

  async factories(): Promise<FactoryInfo[]> {
    return INFO.factories;
  }

  async embedOwn(_id: string, { signal, onProgress }: EmbedOwnOptions): Promise<OwnEmbedded> {
    for (let done = 0; done <= 40; done += 4) {
      signal.throwIfAborted();
      await onProgress({ stage: "sections", model: "minilm-l6-int8", done, total: 40 });
      await wait(300);
    }
    return { zip: new Uint8Array(0), info: INFO, truncated: {} };
  }

  async exportOwn(): Promise<Uint8Array> {
    return new Uint8Array(0);
  }

  async closeOwn(): Promise<void> {}
}
