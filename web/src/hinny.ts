/** `hinny.js`: defines `<hinny-search>` on the one worker that lies beside it. */

import { HinnySearch } from "./element";
import { ownPages, WorkerPort } from "./worker-port";

export const device = new WorkerPort();
HinnySearch.port = device;
// The bundle that `hinny build` wrote this script into, unless the tag names another.
HinnySearch.defaultBundle = new URL("../", import.meta.url).href;
if (!customElements.get("hinny-search")) customElements.define("hinny-search", HinnySearch);

export { HinnyError, SearchClient, sharedClient } from "@hinny/worker";
export { type AnswerDetail, type OpenDetail, parseFactory } from "./element";
export * from "./format";
export type { OwnCard, Place } from "./own/store";
export { addTexts, type Texts, textsFor } from "./texts";
export { HinnySearch, ownPages };
