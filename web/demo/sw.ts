/// <reference lib="webworker" />

/**
 * The demo's service worker: works with the network off after one visit, and changes releases as a whole.
 *
 * It is registered as `sw.js?release=ID`. Installing reads `release.json`, fetches what this device lacks,
 * checks every SHA-256 and keeps each file once, under its hash. A file that does not fit fails the whole
 * installation: the old release stays. A page is served from one release from its first byte to its last,
 * so an old page never meets a new index.
 */

import { parseRelease, pathIn, type Release, type ReleaseFile, sha256Hex, tierOf } from "./release";

declare const self: ServiceWorkerGlobalScope;

const FILES = "hinny-demo-files";
const ROOT = new URL("./", self.location.href).href;
const RELEASE_ID = new URL(self.location.href).searchParams.get("release") ?? "";
const AT_ONCE = 6;

const keyOf = (sha256: string) => new URL(`__file/${sha256}`, ROOT).href;
const releaseKey = (id: string) => new URL(`__release/${id}`, ROOT).href;

let release: Promise<Release> | null = null;

async function fetchRelease(): Promise<Release> {
  const response = await fetch(new URL("release.json", ROOT), { cache: "no-store" });
  if (!response.ok) throw new Error(`release.json: ${response.status}`);
  const found = parseRelease(await response.json());
  if (found.id !== RELEASE_ID) throw new Error(`release.json is ${found.id}, not ${RELEASE_ID}`);
  return found;
}

async function storedRelease(): Promise<Release> {
  const cache = await caches.open(FILES);
  const response = await cache.match(releaseKey(RELEASE_ID));
  if (!response) throw new Error("this release is not stored");
  return parseRelease(await response.json());
}

async function keep(cache: Cache, file: ReleaseFile): Promise<void> {
  const key = keyOf(file.sha256);
  if (await cache.match(key)) return;
  const response = await fetch(new URL(file.path, ROOT), { cache: "no-cache" });
  if (!response.ok) throw new Error(`${file.path}: ${response.status}`);
  const data = await response.arrayBuffer();
  const found = await sha256Hex(data);
  if (found !== file.sha256) throw new Error(`${file.path}: SHA-256 is ${found}, not ${file.sha256}`);
  const type = response.headers.get("content-type") ?? "application/octet-stream";
  await cache.put(
    key,
    new Response(data, { headers: { "content-type": type, "content-length": String(data.byteLength) } }),
  );
}

async function keepAll(files: ReleaseFile[]): Promise<void> {
  const cache = await caches.open(FILES);
  const waiting = [...files];
  const work = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) await keep(cache, file);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function install(): Promise<void> {
  const found = await fetchRelease();
  await keepAll(found.files.filter((file) => tierOf(file.path) === "shell"));
  const cache = await caches.open(FILES);
  await cache.put(releaseKey(found.id), new Response(JSON.stringify(found)));
  release = Promise.resolve(found);
}

function currentRelease(): Promise<Release> {
  release ??= storedRelease();
  return release;
}

/** Only what this release names stays. */
async function removeOldFiles(): Promise<void> {
  const current = await currentRelease();
  const wanted = new Set(current.files.map((file) => keyOf(file.sha256)));
  wanted.add(releaseKey(current.id));
  const cache = await caches.open(FILES);
  for (const request of await cache.keys()) if (!wanted.has(request.url)) await cache.delete(request);
}

async function answer(request: Request): Promise<Response> {
  const path = pathIn(ROOT, request.url);
  if (path === null) return fetch(request);
  let file: ReleaseFile | undefined;
  try {
    const current = await currentRelease();
    file = current.files.find((candidate) => candidate.path === path);
  } catch {
    release = null;
  }
  if (!file || tierOf(path) === "elsewhere") return fetch(request);
  const cache = await caches.open(FILES);
  const key = keyOf(file.sha256);
  const stored = await cache.match(key);
  if (stored) return stored;
  try {
    await keep(cache, file);
    return (await cache.match(key)) ?? (await fetch(request));
  } catch (error) {
    // The network is off, or the server has moved on: never a file of another release under this name.
    const message = error instanceof Error ? error.message : String(error);
    return new Response(message, { status: 504, headers: { "content-type": "text/plain;charset=utf-8" } });
  }
}

self.addEventListener("install", (event) => event.waitUntil(install()));

self.addEventListener("activate", (event) => {
  event.waitUntil(removeOldFiles().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  // `release.json?now` is the page asking the server itself whether there is something newer.
  if (request.method !== "GET" || url.origin !== self.location.origin || url.searchParams.has("now")) return;
  if (request.headers.has("range")) return;
  event.respondWith(answer(request));
});

self.addEventListener("message", (event) => {
  if (event.data === "take over") void self.skipWaiting();
  if (event.data === "keep pages") {
    event.waitUntil(
      currentRelease()
        .then((current) => keepAll(current.files.filter((file) => tierOf(file.path) === "pages")))
        .catch(() => undefined),
    );
  }
});
