import type { Result } from "../../worker/src/api";

/** A page with the hits inside it, best first. */
export interface PageGroup {
  page: string;
  best: Result;
  others: Result[];
}

/** Gather hits under their pages; pages stand in the order of their best hit. */
export function groupByPage(results: readonly Result[]): PageGroup[] {
  const groups = new Map<string, PageGroup>();
  for (const result of results) {
    const group = groups.get(result.page);
    if (group) group.others.push(result);
    else groups.set(result.page, { page: result.page, best: result, others: [] });
  }
  return [...groups.values()];
}
