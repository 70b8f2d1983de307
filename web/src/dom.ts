/** The few lines that stand between this element and a framework. Text goes in as text, never as markup. */

type Child = Node | string | null | undefined | false;

interface Attributes {
  [name: string]: string | number | boolean | null | undefined;
}

/** An element with attributes (true: empty, null, undefined and false: absent) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

const PATHS = {
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.5 15.5 20 20",
  clear: "M6 6l12 12M18 6 6 18",
  section: "M9 4 7 20M17 4l-2 16M4.5 9h16M3.5 15h16",
  page: "M6 3.5h8l4 4v13H6zM14 3.5v4h4",
  why: "M5 19V11M10 19V5M15 19v-6M20 19V9",
} as const;

/** A line icon, hidden from screen readers. */
export function icon(name: keyof typeof PATHS): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", "icon");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}
