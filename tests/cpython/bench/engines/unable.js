// Fails while it builds.
export const build = () => {
  throw new Error("this engine cannot build");
};
