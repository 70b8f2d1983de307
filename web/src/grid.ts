/** The keyboard's place in the grid of results, while focus stays in the box (`aria-activedescendant`). */

export interface Place {
  id: string | null;
  column: number;
}

export class GridCursor {
  #row = -1;
  #column = 0;

  constructor(
    private readonly input: HTMLInputElement,
    private readonly grid: HTMLElement,
  ) {}

  get #rows(): HTMLElement[] {
    return [...this.grid.querySelectorAll<HTMLElement>(".row")];
  }

  /** Handle a moving key; false when it is not ours. */
  key(event: KeyboardEvent, rightToLeft: boolean): boolean {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false;
    const rows = this.#rows;
    if (!rows.length) return false;
    const forward = rightToLeft ? "ArrowLeft" : "ArrowRight";
    const back = rightToLeft ? "ArrowRight" : "ArrowLeft";
    switch (event.key) {
      case "ArrowDown":
        return this.#go(rows, this.#row + 1 >= rows.length ? -1 : this.#row + 1, this.#column);
      case "ArrowUp":
        return this.#go(rows, this.#row < 0 ? rows.length - 1 : this.#row - 1, this.#column);
      case "Home":
        return this.#row >= 0 && this.#go(rows, 0, this.#column);
      case "End":
        return this.#row >= 0 && this.#go(rows, rows.length - 1, this.#column);
      case forward:
        return this.#row >= 0 && this.#go(rows, this.#row, 1);
      case back:
        return this.#row >= 0 && this.#go(rows, this.#row, 0);
      default:
        return false;
    }
  }

  /** Open or explain the active cell; false when there is none. */
  act(event: KeyboardEvent): boolean {
    const row = this.#rows[this.#row];
    return row ? press(this.#cell(row), event) : false;
  }

  /** Open the first hit. */
  first(event: KeyboardEvent): boolean {
    const cell = this.grid.querySelector<HTMLElement>(".row .cell");
    return cell ? press(cell, event) : false;
  }

  /** Back to the box; false when the cursor was there already. */
  leave(): boolean {
    if (this.#row < 0) return false;
    this.#go(this.#rows, -1, 0);
    return true;
  }

  place(): Place {
    return { id: this.#rows[this.#row]?.dataset.id ?? null, column: this.#column };
  }

  /** After new rows: stay on the same hit when it is still there, else go back to the box. */
  restore(place: Place): void {
    const rows = this.#rows;
    const row = place.id === null ? -1 : rows.findIndex((element) => element.dataset.id === place.id);
    this.#go(rows, row, place.column, false);
  }

  #go(rows: HTMLElement[], row: number, column: number, scroll = true): boolean {
    for (const old of this.grid.querySelectorAll(".active")) old.classList.remove("active");
    this.#row = row;
    const element = rows[row];
    if (!element) {
      this.#row = -1;
      this.#column = 0;
      this.input.removeAttribute("aria-activedescendant");
      return true;
    }
    this.#column = element.querySelector(".why-cell") ? column : 0;
    const cell = this.#cell(element);
    element.classList.add("active");
    cell.classList.add("active");
    this.input.setAttribute("aria-activedescendant", cell.id);
    if (scroll) element.scrollIntoView({ block: "nearest" });
    return true;
  }

  #cell(row: HTMLElement): HTMLElement {
    const name = this.#column === 1 ? ".why-cell" : ".cell";
    return row.querySelector<HTMLElement>(name) ?? row;
  }
}

/** A click on the cell's link or button, with the keyboard's modifiers: Ctrl-Enter opens a new tab. */
function press(cell: HTMLElement, event: KeyboardEvent): boolean {
  const target = cell.querySelector<HTMLElement>("a, button");
  if (!target) return false;
  const { ctrlKey, metaKey, shiftKey } = event;
  target.dispatchEvent(
    new MouseEvent("click", { bubbles: true, cancelable: true, composed: true, ctrlKey, metaKey, shiftKey }),
  );
  return true;
}
