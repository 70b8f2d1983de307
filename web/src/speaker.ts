/** Tells a screen reader how many there are, when the reader has paused and not at every letter. */

import { fill, plural, type Texts } from "./texts";
import type { View } from "./view";

const SPEAK_AFTER_MS = 700;

export class Speaker {
  #timer = 0;

  constructor(
    private readonly live: HTMLElement,
    private readonly texts: Texts,
    private readonly lang: string,
  ) {}

  speak(view: View): void {
    this.stop();
    this.#timer = window.setTimeout(() => {
      const text = this.#text(view);
      if (text !== null) this.live.textContent = text;
    }, SPEAK_AFTER_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #text({ query, quick, answer }: View): string | null {
    if (!query.trim()) return "";
    if (quick) return this.texts.quick;
    if (!answer) return null;
    if (answer.results.length) return plural(this.texts.count, answer.total, this.lang);
    return fill(this.texts.none, { query: query.slice(0, 200) });
  }
}
