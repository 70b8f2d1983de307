// Another order each time it is asked.
import * as good from "./good.js";

export const build = good.build;
export const load = (data) => {
  const { search } = good.load(data);
  let turn = 0;
  return { search: (...args) => (turn++ % 5 > 2 ? search(...args).reverse() : search(...args)) };
};
