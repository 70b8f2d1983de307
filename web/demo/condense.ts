/** From what `make bench` and `make eval` wrote to what the demo's page shows; what is not there is left out. */

export interface Difference {
  difference: number;
  low: number;
  high: number;
}

export interface Relevance {
  collection: string;
  documents: number;
  questions: number;
  /** nDCG@10 by method. */
  ndcg: Record<string, number>;
  /** Each method's nDCG@10 minus that of words alone, with its 95% interval. */
  differences: Record<string, Difference>;
}

export interface Timing {
  engine: string;
  median: number;
  p95: number;
  ndcg?: number;
}

/** One engine over a corpus of one size. */
export interface Scale {
  engine: string;
  sections: number;
  median: number;
  p95: number;
  /** Of the index, gzipped. */
  bytes?: number;
}

export interface Benchmarks {
  summary: Record<string, number>;
  machine: Record<string, string>;
  relevance: Relevance[];
  /** Milliseconds in Chromium by kind of question. */
  timings: { kind: string; rows: Timing[] }[];
  /** As the corpus grows. */
  scaling: Scale[];
}

/** Methods of the evaluation that are shown, and how the page calls them. */
export const METHODS: Record<string, string> = {
  bm25s: "bm25s",
  lexical: "Words",
  tiny: "Words + passages",
  efficient: "Words + meaning",
  three_source: "All three",
};
/** Held-out English collections; the others are in the documentation. */
const COLLECTIONS = ["manual_concept", "scifact", "nfcorpus", "cranfield", "tldr", "xquad_en", "belebele_en"];
/** Kinds of question by the set that is asked and how. */
const KINDS: Record<string, string> = {
  "scifact.plain": "Plain questions, SciFact",
  "scifact.fuzzy": "With typing errors allowed, SciFact",
  "typing.typing": "A key typed, 10,000 sections",
  "manual.keywords": "Keywords, the manual",
  "manual.sentences": "Sentences, the manual",
  "manual.phrases": "Phrases in quotation marks, the manual",
};

type Json = Record<string, unknown>;

function record(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export type Files = Partial<Record<"summary" | "machine" | "eval" | "rivals" | "scaling", unknown>>;

export function condense(files: Files): Benchmarks {
  const summary: Record<string, number> = {};
  for (const [name, value] of Object.entries(record(files.summary))) {
    const known = number(value);
    if (known !== undefined) summary[name] = known;
  }
  const machine = Object.fromEntries(
    Object.entries(record(files.machine)).filter(([, value]) => typeof value === "string"),
  ) as Record<string, string>;
  return {
    summary,
    machine,
    relevance: relevance(files.eval),
    timings: timings(files.rivals),
    scaling: scaling(files.scaling),
  };
}

function relevance(value: unknown): Relevance[] {
  const collections = record(record(value).collections);
  const found: Relevance[] = [];
  for (const collection of COLLECTIONS) {
    const { facts, methods } = record(collections[collection]);
    const row: Relevance = {
      collection,
      documents: number(record(facts).documents) ?? 0,
      questions: number(record(facts).questions) ?? 0,
      ndcg: {},
      differences: {},
    };
    for (const name of Object.keys(METHODS)) {
      const method = record(record(methods)[name]);
      const ndcg = number(method.ndcg10);
      if (ndcg !== undefined) row.ndcg[name] = ndcg;
      const { difference, low, high } = record(method.vs_lexical) as Partial<Difference>;
      if (difference === undefined || low === undefined || high === undefined) continue;
      row.differences[name] = { difference, low, high };
    }
    if (Object.keys(row.ndcg).length) found.push(row);
  }
  return found;
}

function timings(value: unknown): Benchmarks["timings"] {
  const kinds = new Map<string, Timing[]>();
  for (const [set, engines] of Object.entries(record(record(value).results))) {
    for (const [engine, measured] of Object.entries(record(engines))) {
      for (const [kind, figures] of Object.entries(record(measured))) {
        const { median, p95, ndcg10 } = record(figures);
        const [middle, high] = [number(median), number(p95)];
        if (middle === undefined || high === undefined) continue;
        const row: Timing = { engine, median: middle, p95: high };
        const ndcg = number(ndcg10);
        const name = KINDS[`${set}.${kind}`] ?? `${set}: ${kind}`;
        kinds.set(name, [...(kinds.get(name) ?? []), ndcg === undefined ? row : { ...row, ndcg }]);
      }
    }
  }
  return [...kinds].map(([kind, rows]) => ({ kind, rows: rows.sort((a, b) => a.median - b.median) }));
}

function scaling(value: unknown): Scale[] {
  const found: Scale[] = [];
  for (const [set, engines] of Object.entries(record(record(value).results))) {
    const sections = Number(/^sections_(\d+)$/u.exec(set)?.[1]);
    if (!sections) continue;
    for (const [engine, measured] of Object.entries(record(engines))) {
      const { questions, index } = record(measured);
      const { median, p95 } = record(questions);
      const [middle, high, bytes] = [number(median), number(p95), number(record(index).gz)];
      if (middle === undefined || high === undefined) continue;
      const row: Scale = { engine, sections, median: middle, p95: high };
      found.push(bytes === undefined ? row : { ...row, bytes });
    }
  }
  return found.sort((a, b) => a.sections - b.sections || a.median - b.median);
}
