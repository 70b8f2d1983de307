import { expect, it } from "vitest";
import { FACTORIES } from "../demo/names";
import { parseFactory } from "../src/factory-names";

it("every factory that the page offers is known, older names too, and nothing else", () => {
  for (const { id } of FACTORIES) expect(parseFactory(id)).toBe(id);
  expect(parseFactory("lexical")).toBe("lexical-only");
  expect(parseFactory("lexical-semantic")).toBe("semantic");
  expect([parseFactory("constructor"), parseFactory(""), parseFactory(null)]).toEqual([null, null, null]);
});
