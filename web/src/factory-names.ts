import type { Factory } from "../../worker/src/api";

const FACTORIES: readonly Factory[] = ["lexical-only", "tiny", "semantic", "three-source"];

/** The names that the first texts of this project used are understood too. */
export function parseFactory(value: string | null): Factory | null {
  const aliases: Record<string, Factory> = { lexical: "lexical-only", "lexical-semantic": "semantic" };
  const name = value === null ? null : (aliases[value] ?? value);
  return FACTORIES.find((factory) => factory === name) ?? null;
}
