/**
 * One file of known size, with byte progress: a break, a stall or a busy host is tried again, and what has
 * arrived is not asked for a second time where the host takes ranges.
 */

import { IntegrityError } from "../errors.ts";
import type { FileRequest } from "../runtime/files.ts";
import { ModelError } from "./errors.ts";

export interface DownloadOptions {
  /** More bytes are there; a negative number takes some back. */
  onBytes: (count: number) => void;
  signal?: AbortSignal | undefined;
  /** How the browser's own HTTP cache takes part. */
  cache?: RequestCache;
  /** Milliseconds without a byte before a stream counts as stalled. */
  stallMs: number;
  attempts: number;
  /** Milliseconds before the second attempt; it doubles with each. */
  pauseMs: number;
}

interface Received {
  bytes: Uint8Array<ArrayBuffer>;
  length: number;
}

/** The file's bytes, of the promised number; the hash is the caller's business. */
export async function download(
  file: FileRequest,
  options: DownloadOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const received: Received = { bytes: new Uint8Array(file.bytes), length: 0 };
  for (let attempt = 1; ; attempt++) {
    try {
      await receive(file, received, options);
      return received.bytes;
    } catch (error) {
      const again = error instanceof ModelError && error.worthAnother && attempt < options.attempts;
      if (!again) {
        options.onBytes(-received.length);
        throw error;
      }
    }
    await pause(options.pauseMs * 2 ** (attempt - 1), options.signal);
  }
}

async function receive(file: FileRequest, received: Received, options: DownloadOptions): Promise<void> {
  const { signal, stallMs } = options;
  const stop = new AbortController();
  const giveUp = () => stop.abort();
  signal?.addEventListener("abort", giveUp);
  let stalled = false;
  const alarm = () =>
    setTimeout(() => {
      stalled = true;
      stop.abort();
    }, stallMs);
  let timer = alarm();
  try {
    signal?.throwIfAborted();
    const response = await ask(file, received.length, stop.signal, options.cache);
    if (received.length && response.status !== 206) {
      options.onBytes(-received.length);
      received.length = 0;
    }
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      clearTimeout(timer);
      timer = alarm();
      if (received.length + value.length > file.bytes) {
        stop.abort();
        throw tooLong(file, received.length + value.length);
      }
      received.bytes.set(value, received.length);
      received.length += value.length;
      options.onBytes(value.length);
    }
  } catch (error) {
    throw named(error, file, stalled ? stallMs : 0, signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  }
  if (received.length < file.bytes) {
    const missing = `after ${received.length} of ${file.bytes} bytes`;
    throw new ModelError("cut", `${file.name}: the answer from ${file.url} ended ${missing}`);
  }
}

async function ask(
  file: FileRequest,
  have: number,
  signal: AbortSignal,
  cache: RequestCache = "default",
): Promise<Response> {
  const headers: Record<string, string> = have ? { Range: `bytes=${have}-` } : {};
  // Content-addressed by pin: neither cookies nor the page's address are anybody's business.
  const response = await fetch(file.url, {
    headers,
    signal,
    cache,
    credentials: "omit",
    referrerPolicy: "no-referrer",
  });
  const said = `${response.status} ${response.statusText}`.trim();
  const at = response.redirected ? `${file.url} (sent on to ${response.url})` : file.url;
  if (response.status === 404 || response.status === 410) {
    throw new ModelError("not-found", `${file.name}: there is no such file at ${at} (${said})`);
  }
  if (response.status === 408 || response.status === 429 || response.status >= 500) {
    throw new ModelError("server", `${file.name}: ${at} answered ${said}; try again later`);
  }
  if (!response.ok || !response.body) {
    throw new ModelError("refused", `${file.name}: ${at} answered ${said}`);
  }
  const type = response.headers.get("content-type") ?? "";
  if (/^\s*(text\/html|application\/xhtml)/i.test(type)) {
    throw new ModelError(
      "web-page",
      `${file.name}: ${at} sent a web page in place of the file (a login or error page?)`,
    );
  }
  return response;
}

function tooLong(file: FileRequest, bytes: number): IntegrityError {
  return new IntegrityError("model", file.name, file.url, `${file.bytes} bytes`, `${bytes} bytes and more`);
}

/** What went wrong, in one of our errors. */
function named(error: unknown, file: FileRequest, stalledMs: number, signal?: AbortSignal): Error {
  if (error instanceof ModelError || error instanceof IntegrityError) return error;
  if (signal?.aborted) return new ModelError("aborted", `${file.name}: the download was stopped`);
  if (stalledMs) {
    return new ModelError("stalled", `${file.name}: nothing came from ${file.url} for ${stalledMs / 1000} s`);
  }
  if (navigator.onLine === false) {
    return new ModelError("offline", `${file.name} is not stored, and this device is offline`);
  }
  const detail = error instanceof Error ? error.message : String(error);
  return new ModelError("network", `${file.name} cannot be fetched from ${file.url}: ${detail}`);
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
    signal?.addEventListener("abort", done);
  });
}
