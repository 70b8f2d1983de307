// Orama and its fork ZBSearch are called the same way.
import { isChinese } from "./segments.js";

const OPTIONS = { plain: {}, fuzzy: { tolerance: 1 }, typing: {} };

// `mandarin` makes the tokenizer for Chinese.
export function orama({ create, insertMultiple, restore, save, search, mandarin }) {
  const empty = (fields, language) =>
    create({
      schema: Object.fromEntries(fields.map((name) => [name, "string"])),
      ...(isChinese(language) ? { components: { tokenizer: mandarin() } } : { language: "english" }),
    });
  const engine = (db, properties) => ({
    async search(term, mode, limit) {
      const found = await search(db, { term, properties, limit, ...OPTIONS[mode] });
      return found.hits.map((hit) => hit.id);
    },
    serialise: async () => JSON.stringify(await save(db)),
  });
  return {
    async build(documents, fields, language) {
      const db = await empty(fields, language);
      await insertMultiple(db, documents, documents.length);
      return engine(db, fields);
    },
    async load(data, fields, _documents, language) {
      const db = await empty(fields, language);
      await restore(db, JSON.parse(data));
      return engine(db, fields);
    },
  };
}
