import { describe, expect, it } from "vitest";
import { direction, fill, languages, plural, type Texts, textsFor } from "../src/texts";

/** Every text of a language by its path, such as `match.exact`. */
function flat(value: unknown, path = ""): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  return Object.entries(value as object).flatMap(([name, item]) =>
    flat(item, path ? `${path}.${name}` : name),
  );
}

const slots = (text: string) => [...text.matchAll(/\{(\w+)\}/gu)].map((match) => match[1]).sort();
const isPlural = (path: string) => /^(?:count|inPage)\./u.test(path);

describe("texts", () => {
  it("come in ten languages", () => {
    expect([...languages].sort()).toEqual(["ar", "de", "en", "es", "fr", "it", "ja", "pt", "ru", "zh"]);
  });

  it.each(languages)("%s says everything with the same values", (lang) => {
    const english = new Map(flat(textsFor("en")));
    const own = new Map(flat(textsFor(lang)));
    for (const [path, text] of english) {
      if (isPlural(path)) continue;
      expect(own.get(path), path).toBeTruthy();
      expect(slots(own.get(path) ?? ""), path).toEqual(slots(text));
    }
  });

  it.each(languages)("%s has a form for each plural category of its own", (lang) => {
    const categories = new Intl.PluralRules(lang).resolvedOptions().pluralCategories;
    const { count } = textsFor(lang);
    // "many" of French, Italian, Portuguese and Spanish is for millions, and reads like "other".
    const needed = ["ar", "ru"].includes(lang) ? categories : categories.filter((name) => name !== "many");
    for (const category of needed) expect(count[category], category).toBeTruthy();
  });

  it("falls back to English and takes regions", () => {
    expect(textsFor("xx").placeholder).toBe("Search");
    expect(textsFor("pt-BR").placeholder).toBe("Pesquisar");
    expect(textsFor("zh_Hant").placeholder).toBe("搜索");
  });

  it("counts as each language does", () => {
    const count = (lang: string, n: number) => plural((textsFor(lang) as Texts).count, n, lang);
    expect([1, 2, 5, 21, 1234].map((n) => count("ru", n))).toEqual([
      "1 результат",
      "2 результата",
      "5 результатов",
      "21 результат",
      "1\u00a0234 результата",
    ]);
    expect(count("en", 1)).toBe("1 result");
    expect(count("ar", 2)).toBe("نتيجتان");
    expect(count("ja", 3)).toBe("3 件");
  });

  it("reads from right to left where the language does", () => {
    expect([direction("ar-EG"), direction("he"), direction("en")]).toEqual(["rtl", "rtl", "ltr"]);
  });

  it("puts values in as they are", () => {
    expect(fill("a {x} {y}", { x: "{y} $& <b>" })).toBe("a {y} $& <b> {y}");
  });
});
