/**
 * The corpus's benchmark questions: their vectors were recorded when the index was built, so they are ranked
 * by meaning without any model.
 */

import type { Factory, FactoryInfo, QuestionsFile } from "../../worker/src/api";

interface Manifest {
  parts?: Record<string, { file: string }>;
}

let questions: Promise<QuestionsFile> | null = null;

/** Those of this page's bundle; none where it was built without. */
export function recordedQuestions(): Promise<QuestionsFile> {
  questions ??= load().catch(() => []);
  return questions;
}

async function load(): Promise<QuestionsFile> {
  const manifest = (await (await fetch("./manifest.json")).json()) as Manifest;
  const part = manifest.parts?.["site/questions"];
  if (!part) return [];
  const response = await fetch(`./${part.file}`);
  if (!response.ok || !response.body) return [];
  const unpacked = response.body.pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(unpacked).json()) as QuestionsFile;
}

/** By what a recorded question is ranked: as the reader has chosen, or by meaning where that is words alone. */
export function rankedBy(factories: readonly FactoryInfo[], chosen: Factory): Factory | null {
  const can = (id: Factory) => factories.some((factory) => factory.id === id && factory.available);
  if (chosen !== "lexical-only") return can(chosen) ? chosen : null;
  return (["semantic", "tiny"] as const).find(can) ?? null;
}
