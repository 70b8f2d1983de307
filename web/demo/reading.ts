/** The line below a collection's picker while it is read by a model: how far, how long still, pause, cancel. */

import { h } from "../src/dom";
import { bytes } from "../src/format";
import type { Embedding, EmbeddingJob } from "./embedding";

export interface ReadingActions {
  job: EmbeddingJob;
  again: () => void;
}

/** About how long, in a unit that does not change at every step. */
export function about(milliseconds: number): string {
  const seconds = Math.max(5, Math.ceil(milliseconds / 5000) * 5);
  return seconds < 90 ? `about ${seconds} s` : `about ${Math.round(seconds / 60)} min`;
}

export function readingText(state: Embedding): string {
  switch (state.stage) {
    case "waiting":
      return "Waiting for its turn.";
    case "model":
      return state.total
        ? `Bringing ${state.model} here: ${bytes(state.loaded, "en")} of ${bytes(state.total, "en")}.`
        : `Bringing ${state.model} here.`;
    case "sections": {
      const left = state.left === null ? "" : `, ${about(state.left)} left`;
      return `Read ${state.done} of ${state.total} sections${left}. Words find everything meanwhile.`;
    }
    case "paused":
      return state.total ? `Paused after ${state.done} of ${state.total} sections.` : "Paused.";
    case "failed":
      return `It could not be read by meaning: ${state.message}`;
    default:
      return "";
  }
}

/** One place for all states, so that the buttons keep their focus from state to state. */
export class ReadingLine {
  readonly element: HTMLElement;
  readonly #text = h("p", { class: "quiet", role: "status" });
  readonly #bar = h("progress", { "aria-label": "Sections read by the model" });
  readonly #pause = h("button", { type: "button", class: "plain" });
  readonly #cancel = h("button", { type: "button", class: "plain" }, "Cancel");
  #actions: ReadingActions | null = null;

  constructor() {
    const actions = h("span", { class: "actions" }, this.#pause, this.#cancel);
    this.element = h("div", { class: "reading", hidden: true }, this.#bar, this.#text, actions);
    this.#pause.addEventListener("click", () => {
      const { job, again } = this.#actions ?? {};
      if (job?.state.stage === "failed") again?.();
      else if (job?.state.stage === "paused") job.resume();
      else job?.pause();
    });
    this.#cancel.addEventListener("click", () => this.#actions?.job.cancel());
  }

  show(state: Embedding, actions: ReadingActions): void {
    this.#actions = actions;
    this.element.hidden = state.stage === "done" || state.stage === "cancelled";
    this.#text.textContent = readingText(state);
    this.#text.classList.toggle("bad", state.stage === "failed");
    this.#bar.hidden = state.stage === "failed";
    const [value, max] =
      state.stage === "model"
        ? [state.loaded, state.total]
        : state.stage === "sections" || state.stage === "paused"
          ? [state.done, state.total]
          : [0, 0];
    if (max) {
      this.#bar.max = max;
      this.#bar.value = value;
    } else this.#bar.removeAttribute("value");
    this.#pause.textContent =
      state.stage === "failed" ? "Try again" : state.stage === "paused" ? "Go on" : "Pause";
  }
}
