// Ranks by how many of the words a document has; ties by id.
export const load = (data) => {
  const documents = JSON.parse(data);
  return {
    search(text, _mode, limit) {
      const words = text.toLowerCase().split(" ");
      return documents
        .map(({ id, text: body }) => ({ id, score: words.filter((word) => body.includes(word)).length }))
        .filter(({ score }) => score)
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
        .slice(0, limit)
        .map(({ id }) => id);
    },
  };
};

export const build = (documents) => ({ serialise: () => JSON.stringify(documents) });
