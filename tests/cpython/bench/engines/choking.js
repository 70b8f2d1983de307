// Answers until it is asked for copper.
import * as good from "./good.js";

export const build = good.build;
export const load = (data) => {
  const { search } = good.load(data);
  return {
    search(text, ...rest) {
      if (text.includes("copper")) throw new Error("copper is too much");
      return search(text, ...rest);
    },
  };
};
