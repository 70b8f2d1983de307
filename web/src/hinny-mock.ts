/** `hinny.js` with the stand-in client, for `HINNY_MOCK=1 npm run dev`; never built. */

import { HinnySearch } from "./element";
import { MockPort } from "./mock-client";
import { OwnPages } from "./own/pages";

const mock = new MockPort();
HinnySearch.port = mock;
customElements.define("hinny-search", HinnySearch);

export const device = mock;
export const ownPages = new OwnPages();
export { parseFactory } from "./element";
export * from "./format";
export { addTexts, textsFor } from "./texts";
export { HinnySearch };
