import { create, insertMultiple, load as restore, save, search } from "@orama/orama";
import { given, questions } from "./vectors.js";

export const about = {
  kind: "vector",
  documents: true,
  package: "@orama/orama",
  setup: "README: a schema with vector[384], mode vector, similarity 0 so that ten are always found",
};

const empty = ({ dim }) => create({ schema: { embedding: `vector[${dim}]` } });

export async function build(documents) {
  const rows = await given(documents);
  const db = await empty(documents);
  await insertMultiple(
    db,
    rows.map((row, at) => ({ id: documents.ids[at], embedding: Array.from(row) })),
    rows.length,
  );
  return { serialise: async () => JSON.stringify(await save(db)) };
}

export async function load(data, _fields, documents) {
  const asked = (await questions(documents)).map((row) => Array.from(row));
  const db = await empty(documents);
  await restore(db, JSON.parse(data));
  return {
    async search(text, _mode, limit) {
      const value = asked[Number(text)];
      const found = await search(db, {
        mode: "vector",
        vector: { value, property: "embedding" },
        similarity: 0,
        limit,
      });
      return found.hits.map((hit) => hit.id);
    },
  };
}
