/** `?q=` in the address, and what the back button brings back: query, filters, length of the list, scroll. */

import { readState, writeState } from "./links";

interface Saved {
  filters: Record<string, string[]>;
  limit: number;
  y: number;
}

const WRITE_AFTER_MS = 300;

export class Memory {
  static #taken = false;

  /** The page's one memory, or null when another box has it. */
  static claim(): Memory | null {
    if (Memory.#taken) return null;
    Memory.#taken = true;
    return new Memory();
  }

  #timer = 0;
  #pending: (() => void) | null = null;
  #returning: (() => void) | null = null;
  #scrollTo: number | null = null;

  release(): void {
    Memory.#taken = false;
    clearTimeout(this.#timer);
    if (this.#returning) window.removeEventListener("popstate", this.#returning);
  }

  onReturn(callback: () => void): void {
    this.#returning = callback;
    window.addEventListener("popstate", callback);
  }

  read(): { query: string; factory: string | null; limit: number; filters: Record<string, string[]> } {
    const saved = savedIn(history.state);
    this.#scrollTo = saved?.y ?? null;
    return { ...readState(location.href), limit: saved?.limit ?? 0, filters: saved?.filters ?? {} };
  }

  /** The box says something else; the address follows when typing pauses. */
  typed(query: string, filters: Record<string, string[]>, limit: number): void {
    this.#pending = () => {
      this.#pending = null;
      const { factory } = readState(location.href);
      const saved: Saved = { filters, limit, y: 0 };
      history.replaceState({ ...history.state, hinny: saved }, "", writeState(location.href, query, factory));
    };
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#pending?.(), WRITE_AFTER_MS);
  }

  /** The reader has settled on a query: one step of history for it. */
  push(): void {
    this.#flush();
    history.pushState(history.state, "", location.href);
  }

  /** A hit is being opened. */
  leave(filters: Record<string, string[]>, limit: number): void {
    this.#flush();
    const saved: Saved = { filters, limit, y: window.scrollY };
    history.replaceState({ ...history.state, hinny: saved }, "", location.href);
  }

  /** The first answer after a return is on the page: go to where the reader was. */
  shown(): void {
    if (this.#scrollTo !== null && window.scrollY === 0) window.scrollTo({ top: this.#scrollTo });
    this.#scrollTo = null;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#pending?.();
  }
}

function savedIn(state: unknown): Saved | null {
  if (typeof state !== "object" || state === null || !("hinny" in state)) return null;
  const saved = state.hinny as Partial<Saved> | null;
  return {
    filters: saved?.filters ?? {},
    limit: typeof saved?.limit === "number" ? saved.limit : 0,
    y: typeof saved?.y === "number" ? saved.y : 0,
  };
}
