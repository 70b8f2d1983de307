// Takes its page with it: a renderer's memory has an end.
export const build = async () => {
  const kept = [];
  for (;;) kept.push(new Array(1e7).fill(kept.length));
};
