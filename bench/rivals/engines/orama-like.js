// Orama and its fork ZBSearch are called the same way.
const OPTIONS = { plain: {}, fuzzy: { tolerance: 1 }, typing: {} };

export function orama({ create, insertMultiple, restore, save, search }) {
  const empty = (fields) =>
    create({
      schema: Object.fromEntries(fields.map((name) => [name, "string"])),
      language: "english",
    });
  const engine = (db, properties) => ({
    async search(term, mode, limit) {
      const found = await search(db, { term, properties, limit, ...OPTIONS[mode] });
      return found.hits.map((hit) => hit.id);
    },
    serialise: async () => JSON.stringify(await save(db)),
  });
  return {
    async build(documents, fields) {
      const db = await empty(fields);
      await insertMultiple(db, documents, documents.length);
      return engine(db, fields);
    },
    async load(data, fields) {
      const db = await empty(fields);
      await restore(db, JSON.parse(data));
      return engine(db, fields);
    },
  };
}
