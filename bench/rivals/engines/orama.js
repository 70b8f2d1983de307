import { create, insertMultiple, load as restore, save, search } from "@orama/orama";
import { orama } from "./orama-like.js";

export const about = {
  package: "@orama/orama",
  setup:
    "documentation's start: a schema of strings, english, term and properties; with typos: tolerance 1. Words are prefixes by default",
  modes: ["plain", "fuzzy", "typing"],
};

export const { build, load } = orama({ create, insertMultiple, restore, save, search });
