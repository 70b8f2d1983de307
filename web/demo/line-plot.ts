/** Lines over two logarithmic axes, as SVG: how something grows with the corpus. */

export interface Line {
  name: string;
  own: boolean;
  points: [x: number, y: number][];
}

const WIDTH = 720;
const HEIGHT = 280;
const LEFT = 56;
const RIGHT = 110;
const TOP = 12;
const BOTTOM = 34;
const SVG = "http://www.w3.org/2000/svg";

/** Powers of ten from below the least to above the greatest. */
export function decades(values: readonly number[]): number[] {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  return Array.from({ length: high - low + 1 }, (_, step) => 10 ** (low + step));
}

/** Heights of labels that stand at least `apart` from each other, in the order of the wanted ones. */
export function spread(wanted: readonly number[], apart: number): number[] {
  const order = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const placed = [...wanted];
  let last = Number.NEGATIVE_INFINITY;
  for (const index of order) {
    last = Math.max(wanted[index] ?? 0, last + apart);
    placed[index] = last;
  }
  return placed;
}

function draw(name: string, attributes: Record<string, string | number>, text = ""): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.textContent = text;
  return element;
}

export function linePlot(lines: readonly Line[], label: string, unit: string): SVGElement {
  const xs = lines.flatMap(({ points }) => points.map(([x]) => x));
  const ticks = decades(lines.flatMap(({ points }) => points.map(([, y]) => y)));
  const [left, right] = [Math.log10(Math.min(...xs)), Math.log10(Math.max(...xs))];
  const [low, high] = [Math.log10(ticks[0] ?? 1), Math.log10(ticks.at(-1) ?? 10)];
  const atX = (x: number) => LEFT + ((Math.log10(x) - left) / (right - left || 1)) * (WIDTH - LEFT - RIGHT);
  const atY = (y: number) => TOP + ((high - Math.log10(y)) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const format = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
  const plot = draw("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    class: "lines",
    role: "img",
    "aria-label": label,
  });
  for (const tick of ticks) {
    plot.append(draw("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: atY(tick), y2: atY(tick) }));
    plot.append(
      draw("text", { x: LEFT - 8, y: atY(tick) + 4, "text-anchor": "end" }, `${format.format(tick)} ${unit}`),
    );
  }
  for (const x of new Set(xs)) {
    plot.append(draw("text", { x: atX(x), y: HEIGHT - 10, "text-anchor": "middle" }, format.format(x)));
  }
  const ends = lines.map(({ points }) => atY(points.at(-1)?.[1] ?? 1));
  const labels = spread(ends, 15);
  lines.forEach(({ name, own, points }, index) => {
    const kind = own ? "own" : "other";
    const path = points.map(([x, y]) => `${atX(x).toFixed(1)},${atY(y).toFixed(1)}`).join(" ");
    plot.append(draw("polyline", { class: kind, points: path }));
    for (const [x, y] of points) plot.append(draw("circle", { class: kind, cx: atX(x), cy: atY(y), r: 3 }));
    const last = atX(points.at(-1)?.[0] ?? 1);
    plot.append(draw("text", { class: kind, x: last + 9, y: (labels[index] ?? 0) + 4 }, name));
  });
  return plot;
}
