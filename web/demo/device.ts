/** What lies on this device because of this page, and the buttons that remove it. */

import { bytes, device, type OwnCard, ownPages, type Place } from "hinny";
import type { StoredFile } from "../../worker/src/api";
import { h } from "../src/dom";
import { byId } from "./dom";

const KINDS: { kind: StoredFile["kind"]; name: string }[] = [
  { kind: "runtime", name: "Runtime" },
  { kind: "bundle", name: "Index" },
  { kind: "model", name: "Models" },
  { kind: "boot", name: "Start-up snapshot" },
];

export async function showDevice(): Promise<void> {
  const summary = byId("device-summary");
  const place = byId("device-files");
  let files: StoredFile[];
  try {
    files = await device.stored();
  } catch (error) {
    place.replaceChildren(h("p", { class: "bad" }, error instanceof Error ? error.message : String(error)));
    return;
  }
  const own = await ownPages.list().catch(() => []);
  const cards = KINDS.map(({ kind, name }) => card(kind, name, files));
  summary.replaceChildren(...cards, ownCard(own), await storageCard());
  byId("device-own").textContent = PLACES[await ownPages.place()];
  if (!files.length) {
    place.replaceChildren(
      h("p", { class: "quiet" }, "Nothing is kept here yet. The first search fills this list."),
    );
    return;
  }
  place.replaceChildren(fileTable(files));
}

function card(kind: StoredFile["kind"], name: string, files: StoredFile[]): HTMLElement {
  const own = files.filter((file) => file.kind === kind);
  const sum = own.reduce((total, file) => total + file.bytes, 0);
  const element = h(
    "div",
    { class: "card" },
    h("span", { class: "quiet" }, name),
    h("b", {}, bytes(sum, "en")),
    h("span", { class: "quiet" }, own.length === 1 ? "1 file" : `${own.length} files`),
  );
  if (own.length) {
    const clear = h("button", { type: "button", class: "plain", "aria-label": `Remove: ${name}` }, "Remove");
    clear.addEventListener("click", () => void device.clear(kind).then(showDevice));
    element.append(clear);
  }
  return element;
}

const PLACES: Record<Place, string> = {
  opfs: "Your own pages are kept in the origin private file system (OPFS), everything else in the cache storage.",
  indexeddb: "Your own pages are kept in IndexedDB, everything else in the cache storage.",
  memory: "This browser stores nothing here (a private window?): all of it is gone when this tab is closed.",
};

function ownCard(own: readonly OwnCard[]): HTMLElement {
  const sum = own.reduce((total, { bytes: size }) => total + size, 0);
  const counted = own.length === 1 ? "1 collection" : `${own.length} collections`;
  const element = h(
    "div",
    { class: "card" },
    h("span", { class: "quiet" }, "Your pages"),
    h("b", {}, bytes(sum, "en")),
    h("span", { class: "quiet" }, counted),
  );
  if (own.length) element.append(h("a", { href: "#yours" }, "Show"));
  return element;
}

async function storageCard(): Promise<HTMLElement> {
  const estimate = await navigator.storage?.estimate?.().catch(() => undefined);
  const element = h(
    "div",
    { class: "card" },
    h("span", { class: "quiet" }, "All of this site"),
    h("b", {}, estimate?.usage === undefined ? "\u2013" : bytes(estimate.usage, "en")),
    h(
      "span",
      { class: "quiet" },
      estimate?.quota === undefined ? "" : `of ${bytes(estimate.quota, "en")} allowed`,
    ),
  );
  const all = h("button", { type: "button", class: "plain" }, "Remove everything");
  all.addEventListener("click", () => void removeEverything().then(showDevice));
  element.append(all);
  return element;
}

async function removeEverything(): Promise<void> {
  await device.clear();
  for (const { id } of await ownPages.list().catch(() => [])) await ownPages.remove(id);
  for (const name of await caches.keys()) await caches.delete(name);
  for (const registration of (await navigator.serviceWorker?.getRegistrations()) ?? [])
    await registration.unregister();
}

function fileTable(files: StoredFile[]): HTMLElement {
  const body = h("tbody");
  const order = KINDS.map(({ kind }) => kind);
  const sorted = [...files].sort(
    (a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || b.bytes - a.bytes,
  );
  for (const file of sorted) {
    body.append(
      h(
        "tr",
        {},
        h("td", { class: "name" }, file.name),
        h("td", {}, KINDS.find(({ kind }) => kind === file.kind)?.name ?? file.kind),
        h("td", { class: "number" }, bytes(file.bytes, "en")),
        h("td", {}, h("code", { title: file.sha256 }, file.sha256.slice(0, 12))),
        file.verified ? h("td", { class: "ok" }, "\u2713 checked") : h("td", { class: "quiet" }, "not yet"),
      ),
    );
  }
  const head = h("tr");
  for (const [name, number] of [["File"], ["Kind"], ["Size", true], ["SHA-256"], ["Hash"]] as const) {
    head.append(h("th", { scope: "col", class: number ? "number" : null }, name));
  }
  return h(
    "div",
    { class: "table", tabindex: 0, role: "region", "aria-label": "Files" },
    h("table", {}, h("thead", {}, head), body),
  );
}
