/** From the events of a skeleton's parts to what the reader wants. */

import type { Skeleton } from "./skeleton";

export interface Wishes {
  type(text: string): void;
  key(event: KeyboardEvent): void;
  start(): void;
  empty(): void;
  more(): void;
  show(): void;
  hide(): void;
  /** Another query that was offered. */
  suggestion(query: string): void;
  /** Another try: to start, or to bring a factory's models here. */
  retry(what: "start" | "factory"): void;
  /** A value of a facet; null: none any more. */
  filter(chosen: { facet: string; value: string } | null): void;
  /** What was searched for before is to be forgotten. */
  forget(): void;
  openPage(page: string): void;
  explain(id: string): void;
  open(event: MouseEvent, id: string | undefined): void;
}

export function listen(parts: Skeleton, wishes: Wishes): void {
  const { box, input, clear, results, more, dialog, opener, closer, facets, notices, status } = parts;
  input.addEventListener("input", () => wishes.type(input.value));
  input.addEventListener("focus", () => wishes.start());
  input.addEventListener("keydown", (event) => wishes.key(event));
  box.addEventListener("submit", (event) => event.preventDefault());
  clear.addEventListener("click", () => {
    wishes.empty();
    input.focus();
  });
  results.addEventListener("click", (event) => resultClicked(event, wishes));
  more.addEventListener("click", () => wishes.more());
  for (const place of [notices, status]) {
    place.addEventListener("click", (event) => lineClicked(event, wishes));
  }
  facets.addEventListener("click", (event) => facetClicked(event, wishes));
  opener?.addEventListener("click", () => wishes.show());
  opener?.addEventListener("pointerenter", () => wishes.start(), { once: true });
  closer.addEventListener("click", () => wishes.hide());
  dialog?.addEventListener("click", (event) => {
    if (event.target === dialog) wishes.hide();
  });
}

function lineClicked(event: Event, wishes: Wishes): void {
  const { query, action } = (event.target as Element).closest("button")?.dataset ?? {};
  if (query !== undefined) wishes.suggestion(query);
  else if (action === "retry") wishes.retry("start");
  else if (action === "retry-factory") wishes.retry("factory");
}

function resultClicked(event: MouseEvent, wishes: Wishes): void {
  const target = event.target as Element;
  const { page, query, action } = target.closest("button")?.dataset ?? {};
  const id = target.closest<HTMLElement>(".row")?.dataset.id;
  if (query !== undefined) wishes.suggestion(query);
  else if (action === "forget") wishes.forget();
  else if (page !== undefined) wishes.openPage(page);
  else if (target.closest(".why-button") && id !== undefined) wishes.explain(id);
  else if (target.closest("a.hit")) wishes.open(event, id);
}

function facetClicked(event: Event, wishes: Wishes): void {
  const button = (event.target as Element).closest("button");
  if (!button) return;
  const { facet, value } = button.dataset;
  wishes.filter(facet === undefined || value === undefined ? null : { facet, value });
}
