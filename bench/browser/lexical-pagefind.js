// Pagefind's own client over the index that its own program made of pages, one a document. It looks for a
// page around itself, which a worker does not have, and starts a worker of its own, as on any site.
let language = "en";
globalThis.window = globalThis;
globalThis.document = { currentScript: null, querySelector: () => ({ getAttribute: () => language }) };

export const about = { modes: ["plain", "typing", "phrase"] };

// `data` names the folder of the index and the document of each page.
export async function load(data, _fields, _documents, of) {
  language = of;
  const { base, documents } = JSON.parse(new TextDecoder().decode(data));
  const pagefind = await import(`${base}pagefind.js`);
  await pagefind.options({ basePath: base, baseUrl: "/" });
  await pagefind.init();
  return {
    async search(text, mode, limit) {
      const { results } = await pagefind.search(mode === "phrase" ? `"${text}"` : text);
      return results.slice(0, limit).map(({ id }) => documents[id]);
    },
  };
}
