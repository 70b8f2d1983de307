/** What one search box shows, as data. */

import type { Factory, Progress, Result, SearchAnswer } from "../../worker/src/api";

export type Filters = Record<string, string[]>;

export type Phase = "idle" | "starting" | "ready" | "failed";

export interface View {
  phase: Phase;
  factory: Factory;
  /** Grows when a factory became ready or failed. */
  changes: number;
  query: string;
  filters: Filters;
  results: readonly Result[];
  /** True when the results are title matches from before the core was up. */
  quick: boolean;
  answer: SearchAnswer | null;
  /** Milliseconds from the question to its answer, as the page saw it. */
  roundTrip: number | null;
  progress: Progress | null;
  error: string | null;
  /** What works now but will not next time: a model that could not be kept. */
  problem: string | null;
}

export function emptyView(factory: Factory): View {
  return {
    phase: "idle",
    factory,
    changes: 0,
    query: "",
    filters: {},
    results: [],
    quick: false,
    answer: null,
    roundTrip: null,
    progress: null,
    error: null,
    problem: null,
  };
}

/** One value of a facet chosen or let go. */
export function toggled(filters: Filters, facet: string, value: string): Filters {
  const { [facet]: before = [], ...others } = filters;
  const chosen = new Set(before);
  if (!chosen.delete(value)) chosen.add(value);
  return chosen.size ? { ...others, [facet]: [...chosen] } : others;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
