// Chinese in words, as the browser's own segmenter finds them: what documentations recommend where an engine
// lets its caller split text.
const segmenter = new Intl.Segmenter("zh", { granularity: "word" });

export const segmented = (text) =>
  Array.from(segmenter.segment(text))
    .filter((segment) => segment.isWordLike)
    .map((segment) => segment.segment);

export const isChinese = (language) => language === "zh";
