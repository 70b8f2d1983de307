import { given, questions } from "./vectors.js";

export const about = {
  kind: "vector",
  documents: true,
  setup:
    "what one would write by hand: float32, every row's product with the question, four sums side by side",
};

export async function build(documents) {
  const rows = await given(documents);
  return {
    serialise() {
      const all = new Float32Array(rows.length * documents.dim);
      for (const [at, row] of rows.entries()) all.set(row, at * documents.dim);
      return new Uint8Array(all.buffer);
    },
  };
}

export async function load(data, _fields, documents) {
  const { ids, dim } = documents;
  const asked = await questions(documents);
  const values = new Float32Array(data.buffer);
  const scores = new Float32Array(ids.length);
  return {
    search(text, _mode, limit) {
      const query = asked[Number(text)];
      for (let row = 0; row < scores.length; row++) {
        const start = row * dim;
        let a = 0;
        let b = 0;
        let c = 0;
        let d = 0;
        for (let i = 0; i < dim; i += 4) {
          a += query[i] * values[start + i];
          b += query[i + 1] * values[start + i + 1];
          c += query[i + 2] * values[start + i + 2];
          d += query[i + 3] * values[start + i + 3];
        }
        scores[row] = a + b + c + d;
      }
      // The least of the best so far goes as a better one comes.
      const best = [];
      for (let row = 0; row < scores.length; row++) {
        if (best.length === limit && scores[row] <= scores[best.at(-1)]) continue;
        let at = best.length;
        while (at && scores[best[at - 1]] < scores[row]) at--;
        best.splice(at, 0, row);
        if (best.length > limit) best.pop();
      }
      return best.map((row) => ids[row]);
    },
  };
}
