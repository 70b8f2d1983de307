import sqlite3InitModule from "@sqlite.org/sqlite-wasm";
import { isChinese, segmented } from "./segments.js";

export const about = {
  package: "@sqlite.org/sqlite-wasm",
  setup:
    "FTS5's documentation: a table of the fields, tokenize porter unicode61, words quoted and joined by OR, order by rank; typing: the last word as a prefix, with prefix indexes of 2 and 3 letters; phrases in quotation marks; Chinese: texts set in words by Intl.Segmenter. It has no typo search",
  modes: ["plain", "typing", "phrase"],
  files: ["sqlite3.wasm"],
};

const started = () =>
  sqlite3InitModule({ locateFile: (name) => `/rivals/${name}`, print() {}, printErr() {} });

const spaced = (text, language) => (isChinese(language) ? segmented(text).join(" ") : text);

export async function build(documents, fields, language) {
  const sqlite3 = await started();
  const db = new sqlite3.oo1.DB(":memory:");
  db.exec(
    `CREATE VIRTUAL TABLE docs USING fts5(id UNINDEXED, ${fields}, tokenize='porter unicode61', prefix='2 3')`,
  );
  const insert = db.prepare(`INSERT INTO docs VALUES (?${", ?".repeat(fields.length)})`);
  db.exec("BEGIN");
  for (const document of documents) {
    insert.bind([document.id, ...fields.map((name) => spaced(document[name] ?? "", language))]);
    insert.stepReset();
  }
  db.exec("COMMIT");
  insert.finalize();
  db.exec("INSERT INTO docs(docs) VALUES('optimize')");
  return engine(sqlite3, db, language);
}

export async function load(data, _fields, _documents, language) {
  const sqlite3 = await started();
  const db = new sqlite3.oo1.DB();
  const at = sqlite3.wasm.allocFromTypedArray(data);
  const flags = sqlite3.capi.SQLITE_DESERIALIZE_FREEONCLOSE | sqlite3.capi.SQLITE_DESERIALIZE_RESIZEABLE;
  db.checkRc(
    sqlite3.capi.sqlite3_deserialize(db.pointer, "main", at, data.byteLength, data.byteLength, flags),
  );
  return engine(sqlite3, db, language);
}

function engine(sqlite3, db, language) {
  const select = db.prepare("SELECT id FROM docs WHERE docs MATCH ? ORDER BY rank LIMIT ?");
  return {
    search(text, mode, limit) {
      const words = spaced(text, language).match(/[\p{L}\p{N}_]+/gu) ?? [];
      if (!words.length) return [];
      const quoted = words.map((word) => `"${word}"`);
      const ids = [];
      const asked = mode === "phrase" ? `"${words.join(" ")}"` : quoted.join(" OR ");
      select.bind([asked + (mode === "typing" ? " *" : ""), limit]);
      while (select.step()) ids.push(select.get(0));
      select.reset();
      return ids;
    },
    serialise: () => sqlite3.capi.sqlite3_js_db_export(db.pointer),
  };
}
