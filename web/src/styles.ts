import css from "./element.css?inline";

let sheet: CSSStyleSheet | null = null;

/** The one sheet that every element on the page adopts. */
export function styleSheet(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  return sheet;
}
