/** Which hits stand explained, and their panels below their rows. */

import { h } from "./dom";
import { explanationPanel } from "./explain";
import type { Session } from "./session";
import type { Texts } from "./texts";
import { messageOf } from "./view";

export class WhyPanels {
  readonly #open = new Set<string>();

  constructor(
    private readonly session: Session,
    private readonly results: HTMLElement,
    private readonly texts: Texts,
    private readonly lang: string,
  ) {}

  /** Another question: none of them is explained yet. */
  clear(): void {
    this.#open.clear();
  }

  async toggle(id: string): Promise<void> {
    if (this.#open.delete(id)) {
      this.#place(id, null);
      return;
    }
    this.#open.add(id);
    await this.#show(id);
  }

  /** The rows are new: put the panels of those that are still open below them. */
  restore(): void {
    for (const id of this.#open) void this.#show(id);
  }

  async #show(id: string): Promise<void> {
    const { answer } = this.session.view;
    if (!answer) return;
    let panel: HTMLElement;
    try {
      const result = await this.session.explain(id);
      if (!result || this.session.view.answer !== answer || !this.#open.has(id)) return;
      panel = explanationPanel(result, answer, this.texts, this.lang);
    } catch (error) {
      panel = h("div", { class: "why" }, h("p", { class: "error" }, messageOf(error)));
    }
    this.#place(id, panel);
  }

  #place(id: string, panel: HTMLElement | null): void {
    for (const row of this.results.querySelectorAll<HTMLElement>(".row[data-id]")) {
      if (row.dataset.id !== id) continue;
      row.querySelector(".why-button")?.setAttribute("aria-expanded", String(panel !== null));
      const next = row.nextElementSibling;
      if (next?.classList.contains("why-row")) next.remove();
      if (panel) {
        const cell = h("div", { role: "gridcell", tabindex: -1 }, panel);
        row.after(h("div", { role: "row", class: "why-row" }, cell));
      }
      return;
    }
  }
}
