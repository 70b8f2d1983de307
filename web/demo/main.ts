/** The demo: five views of one page, so that one worker serves them all. */

import "hinny";
import { showBenchmarks } from "./benchmarks";
import { setUpCompare } from "./compare";
import { showDevice } from "./device";
import { setUpOffline } from "./offline";
import { setUpSearch } from "./search";
import { setUpYours, showCollections } from "./yours";

const setUpOwn = once(setUpYours);

const VIEWS: Record<string, () => void> = {
  search: once(setUpSearch),
  compare: once(setUpCompare),
  yours: () => {
    setUpOwn();
    void showCollections();
  },
  device: () => void showDevice(),
  benchmarks: once(() => void showBenchmarks()),
};

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    work();
  };
}

function show(): void {
  const wanted = location.hash.slice(1);
  const view = wanted in VIEWS ? wanted : "search";
  for (const section of document.querySelectorAll<HTMLElement>(".view"))
    section.hidden = section.id !== `view-${view}`;
  for (const link of document.querySelectorAll<HTMLElement>("nav [data-view]")) {
    if (link.dataset.view === view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  VIEWS[view]?.();
}

window.addEventListener("hashchange", show);
show();
setUpOffline();
