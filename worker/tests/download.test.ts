import { afterEach, expect, test, vi } from "vitest";
import { type DownloadOptions, download } from "../src/models/download.ts";
import { bytes, DATA, fakeFetch, fileOf, stuck } from "./fakes.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

const file = fileOf(DATA);

function options(more: Partial<DownloadOptions> = {}): DownloadOptions & { told: number[] } {
  const told: number[] = [];
  return { told, onBytes: (count) => told.push(count), stallMs: 5000, attempts: 3, pauseMs: 1, ...more };
}

function serve(...answers: Parameters<typeof fakeFetch>) {
  const host = fakeFetch(...answers);
  vi.stubGlobal("fetch", host.fetch);
  return host;
}

test("the bytes arrive and are told as they come", async () => {
  serve(() => bytes(DATA));
  const watched = options();
  expect(await download(file, watched)).toEqual(DATA);
  expect(watched.told.reduce((a, b) => a + b)).toBe(1000);
});

test("no cookie and no address of the page goes along", async () => {
  const host = serve(() => bytes(DATA));
  await download(file, options());
  expect(host.asked[0]).toMatchObject({ credentials: "omit", referrerPolicy: "no-referrer" });
});

test("a body that ends early is taken up where it broke", async () => {
  const host = serve(
    () => bytes(DATA.subarray(0, 400)),
    () => bytes(DATA.subarray(400), { status: 206 }),
  );
  const watched = options();
  expect(await download(file, watched)).toEqual(DATA);
  expect(host.asked[1]?.headers).toEqual({ Range: "bytes=400-" });
  expect(watched.told.reduce((a, b) => a + b)).toBe(1000);
});

test("a host without ranges starts over, and the count with it", async () => {
  serve(
    () => bytes(DATA.subarray(0, 400)),
    () => bytes(DATA),
  );
  const watched = options();
  expect(await download(file, watched)).toEqual(DATA);
  expect(watched.told).toContain(-400);
  expect(watched.told.reduce((a, b) => a + b)).toBe(1000);
});

test("what failed for good takes its bytes back", async () => {
  serve(() => bytes(DATA.subarray(0, 400)));
  const watched = options({ attempts: 1 });
  await expect(download(file, watched)).rejects.toMatchObject({ reason: "cut" });
  expect(watched.told.reduce((a, b) => a + b)).toBe(0);
});

test("a stall is noticed and tried again", async () => {
  const host = serve(
    (init) => stuck(DATA.subarray(0, 10), init.signal),
    () => bytes(DATA.subarray(10), { status: 206 }),
  );
  expect(await download(file, options({ stallMs: 30 }))).toEqual(DATA);
  expect(host.asked).toHaveLength(2);
});

test.each([
  [404, "not-found", 1],
  [410, "not-found", 1],
  [401, "refused", 1],
  [429, "server", 3],
  [503, "server", 3],
])("status %i is %s, asked %i times", async (status, reason, times) => {
  const host = serve(() => bytes(DATA, { status }));
  await expect(download(file, options())).rejects.toMatchObject({ kind: "model", reason });
  expect(host.asked).toHaveLength(times);
});

test("a web page is no model", async () => {
  serve(() => new Response("<title>Log in</title>", { headers: { "content-type": "text/html" } }));
  await expect(download(file, options())).rejects.toMatchObject({ reason: "web-page" });
});

test("more bytes than promised are refused", async () => {
  serve(() => bytes(new Uint8Array(1001)));
  await expect(download(file, options())).rejects.toThrow("1000 bytes, found 1001 bytes and more");
});

test("a caller that gives up gets its own word", async () => {
  const stop = new AbortController();
  serve((init) => stuck(DATA.subarray(0, 10), init.signal));
  setTimeout(() => stop.abort(), 20);
  await expect(download(file, options({ signal: stop.signal }))).rejects.toMatchObject({ reason: "aborted" });
});

test("without a network it is the device that is offline", async () => {
  serve(() => Promise.reject(new TypeError("Failed to fetch")));
  vi.stubGlobal("navigator", { onLine: false });
  await expect(download(file, options())).rejects.toMatchObject({ kind: "offline" });
  vi.stubGlobal("navigator", { onLine: true });
  await expect(download(file, options())).rejects.toMatchObject({ kind: "model", reason: "network" });
});

test("a host that sends on is followed, and both addresses are named when that fails", async () => {
  const sentOn = (response: Response) => {
    Object.defineProperties(response, {
      redirected: { value: true },
      url: { value: "https://cdn.example/blob" },
    });
    return response;
  };
  serve(() => sentOn(bytes(DATA)));
  expect(await download(file, options())).toEqual(DATA);
  serve(() => sentOn(new Response("", { status: 404 })));
  const failed = download(file, options());
  await expect(failed).rejects.toThrow(`${file.url} (sent on to https://cdn.example/blob) (404)`);
});
