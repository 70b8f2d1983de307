/** Registers the service worker of the release that the server has now, and offers it when it is a newer one. */

import { byId } from "./dom";
import { parseRelease } from "./release";

export function setUpOffline(): void {
  if (!("serviceWorker" in navigator) || import.meta.env.DEV) return;
  const begin = () => void register().catch(() => undefined); // without it the page works, online
  if (document.readyState === "complete") begin();
  else window.addEventListener("load", begin, { once: true });
}

async function register(): Promise<void> {
  const response = await fetch("./release.json?now", { cache: "no-store" });
  if (!response.ok) return;
  const { id } = parseRelease(await response.json());
  const hadController = navigator.serviceWorker.controller !== null;
  let reloading = false;
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    // The first worker takes over a page of the same release; any later one brings another release.
    if (!hadController || reloading) return;
    reloading = true;
    location.reload();
  });
  const registration = await navigator.serviceWorker.register(`./sw.js?release=${id}`, {
    updateViaCache: "none",
  });
  watch(registration);
  const active = await navigator.serviceWorker.ready;
  document
    .querySelector("hinny-search")
    ?.addEventListener("hinny-answer", () => keepPages(active), { once: true });
}

function watch(registration: ServiceWorkerRegistration): void {
  const offer = (waiting: ServiceWorker) => {
    if (!navigator.serviceWorker.controller) return;
    const line = byId("update");
    line.hidden = false;
    line
      .querySelector("button")
      ?.addEventListener("click", () => waiting.postMessage("take over"), { once: true });
  };
  if (registration.waiting) offer(registration.waiting);
  registration.addEventListener("updatefound", () => {
    const coming = registration.installing;
    coming?.addEventListener("statechange", () => {
      if (coming.state === "installed") offer(coming);
    });
  });
}

/** The manual's own pages come last, when the search has answered, and not at the reader's expense. */
function keepPages(registration: ServiceWorkerRegistration): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  setTimeout(() => registration.active?.postMessage("keep pages"), 2000);
}
