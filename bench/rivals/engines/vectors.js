// Vectors of documents and questions for the engines that search them: float32 rows behind one address each.
// A question's text is its row.
export async function given({ vectors, dim }) {
  const values = new Float32Array(await (await fetch(vectors)).arrayBuffer());
  return Array.from({ length: values.length / dim }, (_, row) => values.subarray(row * dim, (row + 1) * dim));
}

export const questions = ({ questions: vectors, dim }) => given({ vectors, dim });
