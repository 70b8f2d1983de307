import { expect, it } from "vitest";
import { locate, readable } from "../demo/own-text";

it("finds a passage across line breaks, and only where it is", () => {
  const text = "One.\nIts father\n  is a (stallion). End";
  const found = locate(text, "father is a (stallion)");
  expect(found && text.slice(...found)).toBe("father\n  is a (stallion)");
  expect(locate(text, "mother")).toBeNull();
  expect(locate(text, " ")).toBeNull();
});

it("shows what is no HTML as it is", () => {
  expect(readable("a.md", new TextEncoder().encode("# <b>x</b>"))).toBe("# <b>x</b>");
});
