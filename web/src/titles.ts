/**
 * Title and heading matches for the seconds before the core is up.
 *
 * A small file of the bundle holds every page's title and headings. Each query word must begin a word of
 * the title or heading. A whole title comes first, then titles that begin with the query, then other
 * titles, then headings; shorter first among equals.
 */

import type { Result } from "../../worker/src/api";

export interface TitleEntry {
  url: string;
  page: string;
  title: string;
  /** Headings below the page's title; empty for the page itself. */
  headings: string[];
}

interface Row {
  entry: TitleEntry;
  /** Folded, every word after a space. */
  words: string;
  own: string;
}

/** Lower case without diacritics, the letters and digits of any script kept. */
export function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

export class TitleIndex {
  readonly #rows: Row[];

  constructor(entries: readonly TitleEntry[]) {
    this.#rows = entries.map((entry) => {
      const own = fold(entry.headings.at(-1) ?? entry.title);
      return { entry, own, words: ` ${own}` };
    });
  }

  get size(): number {
    return this.#rows.length;
  }

  search(query: string, limit = 8): TitleEntry[] {
    const folded = fold(query);
    if (!folded) return [];
    const needles = folded.split(" ").map((word) => ` ${word}`);
    const found: { row: Row; order: number }[] = [];
    for (const row of this.#rows) {
      if (needles.every((needle) => row.words.includes(needle))) {
        found.push({ row, order: this.#order(row, folded) });
      }
    }
    found.sort((a, b) => a.order - b.order || a.row.own.length - b.row.own.length);
    return found.slice(0, limit).map((item) => item.row.entry);
  }

  #order(row: Row, folded: string): number {
    const heading = row.entry.headings.length ? 1 : 0;
    if (row.own === folded) return heading;
    if (row.own.startsWith(folded)) return 2 + heading;
    return 4 + heading;
  }
}

/** Title matches in the shape of search results, so that one renderer shows both. */
export function quickResults(entries: readonly TitleEntry[]): Result[] {
  return entries.map((entry, index) => ({
    id: entry.url,
    rank: index + 1,
    score: 0,
    scoreKind: "title",
    url: entry.url,
    page: entry.page,
    pageTitle: { text: entry.title, marks: [] },
    headings: entry.headings.map((text) => ({ text, marks: [] })),
    excerpt: { text: "", marks: [] },
    missing: [],
    language: null,
    exact: false,
    reasons: [],
    metadata: {},
  }));
}
