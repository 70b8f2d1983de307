/** What the keys do that are pressed in the box. */

import type { GridCursor } from "./grid";

export interface Keyed {
  cursor: GridCursor;
  rightToLeft: boolean;
  dialog: boolean;
  query: string;
  /** Ask for whole words, and make it a step of the history. */
  ask(): void;
  empty(): void;
  hide(): void;
}

export function pressed(event: KeyboardEvent, box: Keyed): void {
  if (event.isComposing) return;
  if (box.cursor.key(event, box.rightToLeft)) {
    event.preventDefault();
  } else if (event.key === "Enter") {
    event.preventDefault();
    if (box.cursor.act(event) || (box.dialog && box.cursor.first(event))) return;
    box.ask();
  } else if (event.key === "Escape") {
    const moved = box.cursor.leave();
    if (!moved && !box.dialog && !box.query) return;
    // By itself the browser would empty a search field before it closes a dialog.
    event.preventDefault();
    if (moved) return;
    if (box.dialog) box.hide();
    else box.empty();
  }
}
