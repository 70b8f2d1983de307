/** An opened bundle, as the page holds it. */

import type * as Comlink from "comlink";
import type { BundleInfo, Factory, FactoryChange, OpenOptions, SearchAnswer, SearchRequest } from "./api.ts";
import type { SearchClient } from "./client.ts";
import type { SearchWorker } from "./worker.ts";

export interface CallOptions {
  signal?: AbortSignal;
}

/** An opened bundle. */
export interface SearchSession {
  readonly info: BundleInfo;
  search(request: SearchRequest, options?: CallOptions): Promise<SearchAnswer>;
  /**
   * Bring what a factory needs here, in the background. A search that names the factory does so, too; until
   * it is ready, words answer, and `degraded` says so.
   */
  prepare(factory: Factory): Promise<void>;
  /** Be told when a factory became ready or failed, so as to ask again; returns how to stop. */
  onChange(listener: (change: FactoryChange) => void): () => void;
  close(): Promise<void>;
}

function opening(options: OpenOptions, zip: Uint8Array | undefined) {
  return (remote: Comlink.Remote<SearchWorker>) =>
    zip ? remote.openOwn(zip, options) : remote.open(options);
}

function withSlash(url: string): string {
  return url.endsWith("/") ? url : `${url}/`;
}

export class Session implements SearchSession {
  #client: SearchClient;
  #options: OpenOptions;
  #session: number;
  #generation: number;
  /** The bundle itself, where it is the reader's own. */
  #zip: Uint8Array | undefined;
  info: BundleInfo;

  private constructor(
    client: SearchClient,
    options: OpenOptions,
    opened: { session: number; info: BundleInfo },
    generation: number,
    zip?: Uint8Array,
  ) {
    this.#client = client;
    this.#options = options;
    this.#zip = zip;
    this.#session = opened.session;
    this.#generation = generation;
    this.info = opened.info;
  }

  static async open(
    client: SearchClient,
    options: OpenOptions,
    signal?: AbortSignal,
    zip?: Uint8Array,
  ): Promise<Session> {
    const { value, generation } = await client.call(opening(options, zip), signal);
    return new Session(client, options, value, generation, zip);
  }

  async search(request: SearchRequest, { signal }: CallOptions = {}): Promise<SearchAnswer> {
    const session = await this.current(signal);
    const ask = (remote: Comlink.Remote<SearchWorker>, query: string) =>
      remote.search(session, query, request);
    return (await this.#client.call(ask, signal)).value;
  }

  async prepare(factory: Factory): Promise<void> {
    const session = await this.current();
    await this.#client.call((remote) => remote.prepare(session, factory));
  }

  onChange(listener: (change: FactoryChange) => void): () => void {
    const mine = withSlash(this.#options.bundle);
    return this.#client.onChange((change) => {
      if (change.bundle === mine) listener(change);
    });
  }

  /** The worker died since: a new one knows nothing of this session. */
  async #reopen(signal?: AbortSignal): Promise<void> {
    const { value, generation } = await this.#client.call(opening(this.#options, this.#zip), signal);
    this.#session = value.session;
    this.#generation = generation;
    this.info = value.info;
  }

  /** For `embedOwn`: the worker's number of this session, alive again if its worker died. */
  async current(signal?: AbortSignal): Promise<number> {
    if (this.#generation !== this.#client.generation) await this.#reopen(signal);
    return this.#session;
  }

  /** For `embedOwn`: the same pages, with more to search by. */
  replace(zip: Uint8Array, info: BundleInfo): void {
    this.#zip = zip;
    this.info = info;
  }

  async close(): Promise<void> {
    if (this.#generation === this.#client.generation) {
      await this.#client.call((remote) => remote.close(this.#session));
    }
  }
}
