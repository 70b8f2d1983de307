import type { MarkedText } from "../../worker/src/api";

/** A run of text that is wholly marked or wholly not. */
export interface Piece {
  text: string;
  mark: boolean;
}

/**
 * Cut a marked text into runs. Ranges come from a worker and may be wrong: those that are empty,
 * reversed, outside the text or overlapping are clamped or merged, so the pieces always join to the text.
 */
export function pieces({ text, marks }: MarkedText): Piece[] {
  const ranges = marks
    .map(([start, end]) => [Math.max(0, start), Math.min(text.length, end)] as const)
    .filter(([start, end]) => start < end)
    .sort((a, b) => a[0] - b[0]);
  const out: Piece[] = [];
  let at = 0;
  for (const [start, end] of ranges) {
    if (end <= at) continue;
    const from = Math.max(start, at);
    if (from > at) out.push({ text: text.slice(at, from), mark: false });
    const last = out.at(-1);
    if (last?.mark && from === at) last.text += text.slice(from, end);
    else out.push({ text: text.slice(from, end), mark: true });
    at = end;
  }
  if (at < text.length) out.push({ text: text.slice(at), mark: false });
  return out;
}

/** The first `limit` UTF-16 units, never half a surrogate pair, with an ellipsis where something was cut. */
export function clip(marked: MarkedText, limit: number): MarkedText {
  if (marked.text.length <= limit) return marked;
  const last = marked.text.charCodeAt(limit - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit;
  const text = `${marked.text.slice(0, end).trimEnd()}\u2026`;
  return { text, marks: marked.marks.filter(([start]) => start < end) };
}

/**
 * The text from a little before its first mark, `room` UTF-16 units at most, cut between words; whole when the
 * mark stands that near its beginning. For one line of an excerpt, whose end the page cuts.
 */
export function fromFirstMark(marked: MarkedText, room: number): MarkedText {
  const first = Math.min(...marked.marks.map(([start]) => start));
  if (!(first > room && first < marked.text.length)) return marked;
  const space = marked.text.indexOf(" ", first - room);
  // Without a space there (Chinese, a long name) the mark itself is where a cut harms no word.
  const cut = space >= 0 && space < first ? space + 1 : first;
  return {
    text: `\u2026${marked.text.slice(cut)}`,
    marks: marked.marks.map(([start, end]) => [start - cut + 1, end - cut + 1]),
  };
}

export function plain(text: string): MarkedText {
  return { text, marks: [] };
}

/** Text nodes and `<mark>` elements: what a document says can never become markup. */
export function markedNodes(marked: MarkedText): Node[] {
  return pieces(marked).map((piece) => {
    if (!piece.mark) return document.createTextNode(piece.text);
    const mark = document.createElement("mark");
    mark.part.add("mark");
    mark.textContent = piece.text;
    return mark;
  });
}
