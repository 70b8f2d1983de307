import { ar } from "./ar";
import { de } from "./de";
import { en } from "./en";
import { es } from "./es";
import { fr } from "./fr";
import { it } from "./it";
import { ja } from "./ja";
import { pt } from "./pt";
import { ru } from "./ru";
import type { Plural, Texts } from "./types";
import { zh } from "./zh";

export type { Plural, Texts } from "./types";

const shipped: Record<string, Texts> = { ar, de, en, es, fr, it, ja, pt, ru, zh };

/** Languages that read from right to left, by their base tag. */
const RIGHT_TO_LEFT = new Set(["ar", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi"]);

export const languages: readonly string[] = Object.keys(shipped);

export function base(lang: string): string {
  return lang.toLowerCase().split(/[-_]/u)[0] ?? "";
}

/** The texts of a language tag, English where there are none. */
export function textsFor(lang: string): Texts {
  return shipped[base(lang)] ?? en;
}

export function direction(lang: string): "rtl" | "ltr" {
  return RIGHT_TO_LEFT.has(base(lang)) ? "rtl" : "ltr";
}

/** A page may bring a language of its own, or replace ours: `addTexts("nl", { ...textsFor("en"), ... })`. */
export function addTexts(lang: string, texts: Texts): void {
  shipped[base(lang)] = texts;
}

/** Put values in the places of `{name}`. Values are put in as they are: the result is text, not markup. */
export function fill(template: string, values: Record<string, string | number>): string {
  return template.replace(/\{(\w+)\}/gu, (whole, name: string) => String(values[name] ?? whole));
}

/** The plural form of a language for a number, with `{n}` filled in. */
export function plural(forms: Plural, n: number, lang: string): string {
  const form = forms[new Intl.PluralRules(lang).select(n)] ?? forms.other;
  return fill(form, { n: new Intl.NumberFormat(lang).format(n) });
}
