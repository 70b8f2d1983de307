/** Draws what a session knows into an element's skeleton, and says what has changed by events. */

import type { SearchAnswer } from "../../worker/src/api";
import { h } from "./dom";
import type { GridCursor } from "./grid";
import { recentRows } from "./recent";
import { renderGroups } from "./results";
import type { Skeleton } from "./skeleton";
import { Speaker } from "./speaker";
import { renderFacets, renderNotices, statusText } from "./status";
import { fill, type Texts } from "./texts";
import type { View } from "./view";
import type { WhyPanels } from "./why-panels";

/** Of the event `hinny-answer`. */
export interface AnswerDetail {
  answer: SearchAnswer;
  roundTrip: number;
}

export interface PainterOptions {
  parts: Skeleton;
  cursor: GridCursor;
  why: WhyPanels;
  texts: Texts;
  lang: string;
  siteBase: () => string;
  /** What is offered while the box is empty. */
  recent: () => readonly string[];
  emit: (name: string, detail: unknown) => void;
  /** An answer is on the page. */
  answered: () => void;
}

export class Painter {
  readonly #speaker: Speaker;
  #shown: View | null = null;
  /** Pages whose further hits are shown. */
  #openPages = new Set<string>();

  constructor(private readonly options: PainterOptions) {
    this.#speaker = new Speaker(options.parts.live, options.texts, options.lang);
  }

  stop(): void {
    this.#speaker.stop();
  }

  /** Another question: pages show their first hits. */
  closePages(): void {
    this.#openPages.clear();
  }

  /** Draw all of it, whatever is on the page. */
  again(view: View): void {
    this.#shown = null;
    this.render(view);
  }

  openPage(page: string, view: View): void {
    this.#openPages.add(page);
    this.again(view);
  }

  render(view: View): void {
    const { parts, texts, lang, emit } = this.options;
    const before = this.#shown;
    parts.clear.hidden = !view.query;
    this.#renderProgress(view);
    parts.status.replaceChildren(...statusText(view, texts, lang));
    const other =
      before?.results !== view.results || before.answer !== view.answer || before.quick !== view.quick;
    if (other) this.#renderAnswer(view, before);
    parts.input.setAttribute("aria-expanded", String(parts.results.childElementCount > 0));
    this.#renderEnd(view);
    parts.root.dataset.phase = view.phase;
    const moved = before?.phase !== view.phase || before.factory !== view.factory;
    if (moved || before.changes !== view.changes) {
      emit("hinny-phase", { phase: view.phase, error: view.error });
    }
    this.#shown = view;
  }

  #renderAnswer(view: View, before: View | null): void {
    const { parts, cursor, why, texts, lang, siteBase } = this.options;
    const place = cursor.place();
    parts.results.classList.toggle("quick", view.quick);
    parts.results.replaceChildren(
      renderGroups(view.results, {
        texts,
        lang,
        siteBase: siteBase(),
        explainable: !view.quick && view.answer !== null,
        openPages: this.#openPages,
      }),
    );
    if (!view.query.trim()) parts.results.append(recentRows(this.options.recent(), texts) ?? "");
    cursor.restore(place);
    why.restore();
    parts.notices.replaceChildren(...renderNotices(view, texts));
    renderFacets(parts.facets, view, texts, lang);
    this.#speaker.speak(view);
    if (!view.answer || before?.answer === view.answer) return;
    const detail: AnswerDetail = { answer: view.answer, roundTrip: view.roundTrip ?? 0 };
    this.options.emit("hinny-answer", detail);
    this.options.answered();
  }

  /** What stands below the hits, or in their place. */
  #renderEnd(view: View): void {
    const { parts, texts } = this.options;
    const nothing = view.answer !== null && view.results.length === 0;
    parts.empty.hidden = !nothing;
    if (nothing) {
      const line = fill(texts.none, { query: view.query.slice(0, 200) });
      parts.empty.replaceChildren(h("strong", {}, h("bdi", {}, line)), texts.noneHint);
    }
    parts.more.hidden =
      !view.answer || view.quick || view.results.length >= view.answer.total || !view.results.length;
  }

  #renderProgress(view: View): void {
    const { bar } = this.options.parts;
    bar.hidden = view.phase !== "starting";
    if (bar.hidden) return;
    const progress = view.progress;
    const done = progress?.total ? Math.min(1, progress.loaded / progress.total) : 0;
    (bar.firstElementChild as HTMLElement).style.setProperty("--done", done.toFixed(3));
    bar.setAttribute("aria-valuenow", String(Math.round(done * 100)));
    if (progress) this.options.emit("hinny-progress", progress);
  }
}
