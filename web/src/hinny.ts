/** `hinny.js`: defines `<hinny-search>` on the one worker that lies beside it. */

import { sharedClient } from "@hinny/worker";
import { HinnySearch } from "./element";
import { ownPages, WorkerPort } from "./worker-port";

export const device = new WorkerPort();
HinnySearch.port = device;
// The bundle that `hinny build` wrote this script into, unless the tag names another.
HinnySearch.defaultBundle = new URL("../", import.meta.url).href;
// One worker serves the page, so a tag that asks for WebGPU asks for all.
if (document.querySelector('hinny-search[execution-provider="webgpu"]')) {
  sharedClient({ executionProvider: "webgpu" });
}
if (!customElements.get("hinny-search")) customElements.define("hinny-search", HinnySearch);

export { HinnyError, SearchClient } from "@hinny/worker";
export { type AnswerDetail, type OpenDetail, parseFactory } from "./element";
export * from "./format";
export type { OwnCard, Place } from "./own/store";
export { addTexts, type Texts, textsFor } from "./texts";
export { HinnySearch, ownPages, sharedClient };
