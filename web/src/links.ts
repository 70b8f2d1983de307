import type { MarkedText } from "../../worker/src/api";
import { pieces } from "./marks";

const SCHEMES = new Set(["http:", "https:"]);

/**
 * The absolute URL of a hit, or null when it must not be a link: a script URL, another scheme, or no URL
 * at all. A page opened from disk may link to other files of the disk.
 */
export function safeUrl(url: string, base: string): string | null {
  try {
    const resolved = new URL(url, base);
    const sameScheme = resolved.protocol === "file:" && new URL(base).protocol === "file:";
    return SCHEMES.has(resolved.protocol) || sameScheme ? resolved.href : null;
  } catch {
    return null;
  }
}

/** Most words of context at each side of the mark that a text fragment names. */
const CONTEXT = 3;
const LONGEST = 120;

/**
 * The passage that the browser should highlight: the first mark with a few words around it.
 *
 * A text fragment must lie inside one block of the page, and an excerpt may run over several, so the context
 * stops at line breaks, ellipses and the ends of sentences.
 */
export function passage(excerpt: MarkedText): string | null {
  const cut = pieces(excerpt);
  const first = cut.findIndex((piece) => piece.mark);
  if (first < 0) return null;
  const before = cut
    .slice(0, first)
    .map((piece) => piece.text)
    .join("");
  const mark = cut[first]?.text ?? "";
  const after = cut
    .slice(first + 1)
    .map((piece) => piece.text)
    .join("");
  // What is glued to the mark belongs to its word: a fragment matches whole words only.
  const left = /[^\s\u2026]*$/u.exec(before)?.[0] ?? "";
  const right = /^[^\s\u2026]*/u.exec(after)?.[0] ?? "";
  const rest = before.slice(0, before.length - left.length);
  const lead = words(rest.split(/[\n\u2026]|[.!?:;]\s/u).at(-1) ?? "").slice(-CONTEXT);
  const ends = /[.!?:;,]$/u.test(right);
  const tail = ends
    ? []
    : words(after.slice(right.length).split(/[\n\u2026]|[.!?:;](?:\s|$)/u)[0] ?? "").slice(0, CONTEXT);
  const core = `${left}${mark}${right}`.replace(/[.,;:!?]+$/u, "");
  const text = [...lead, core, ...tail].join(" ").replace(/\s+/gu, " ").trim();
  if (!text) return null;
  return text.length <= LONGEST ? text : core.slice(0, LONGEST);
}

function words(text: string): string[] {
  return text.split(/\s+/u).filter(Boolean);
}

/** Percent-encode for a text directive, in which `-`, `,` and `&` have meanings of their own. */
function encodeDirective(text: string): string {
  return encodeURIComponent(text).replace(/-/gu, "%2D");
}

/** Add the text directive to a URL, after its anchor, so that the browser scrolls to the words themselves. */
export function withPassage(url: string, excerpt: MarkedText): string {
  const text = passage(excerpt);
  if (!text) return url;
  const directive = `:~:text=${encodeDirective(text)}`;
  return url.includes("#") ? `${url}${directive}` : `${url}#${directive}`;
}

/** Read `?q=` and its companions from a page's address. */
export function readState(href: string): { query: string; factory: string | null } {
  const params = new URL(href).searchParams;
  return { query: params.get("q") ?? "", factory: params.get("factory") };
}

/** The page's address with `?q=` and `?factory=` set or removed, everything else kept. */
export function writeState(href: string, query: string, factory: string | null): string {
  const url = new URL(href);
  if (query) url.searchParams.set("q", query);
  else url.searchParams.delete("q");
  if (factory) url.searchParams.set("factory", factory);
  else url.searchParams.delete("factory");
  return url.href;
}
