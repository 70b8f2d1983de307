import { beforeEach, describe, expect, it } from "vitest";
import type {
  BundleInfo,
  FactoryChange,
  Progress,
  Result,
  SearchAnswer,
  SearchRequest,
} from "../../worker/src/api";
import type { OpenBundle, Port } from "../src/port";
import { MORE_SIZE, PAGE_SIZE, Session } from "../src/session";

function result(id: string): Result {
  return {
    id,
    rank: 1,
    score: 1,
    scoreKind: "bm25f",
    url: id,
    page: id,
    pageTitle: { text: id, marks: [] },
    headings: [],
    excerpt: { text: "", marks: [] },
    missing: [],
    language: null,
    exact: false,
    reasons: [],
    metadata: {},
  };
}

function answerTo(request: SearchRequest, ids: string[], total = ids.length): SearchAnswer {
  return {
    results: ids.map((id) => ({
      ...result(id),
      ...(request.explain
        ? { explanation: { sources: [], terms: [], rerank: {}, reasons: ["explained"] } }
        : {}),
    })),
    total,
    ms: 1,
    timings: {},
    query: { text: request.text, problems: [], didYouMean: null, alsoSearched: [] },
    facets: {},
    factory: request.factory ?? "lexical-only",
    degraded: [],
    stats: {},
  };
}

/** A core whose every step is taken by the test. */
class HandPort implements Port {
  asked: {
    request: SearchRequest;
    answer: (ids: string[], total?: number) => void;
    fail: (error: Error) => void;
  }[] = [];
  change: (change: FactoryChange) => void = () => {};
  opens: { up: () => void; fail: (error: Error) => void; progress: (progress: Progress) => void }[] = [];

  open(_bundle: string, _factory: string, progress: (progress: Progress) => void): Promise<OpenBundle> {
    return new Promise((resolve, reject) => {
      const up = () =>
        resolve({
          info: { base: "../" } as BundleInfo,
          search: (request) => this.#search(request),
          onChange: (listener) => {
            this.change = listener;
            return () => {};
          },
        });
      this.opens.push({ up, fail: reject, progress });
    });
  }

  async titles() {
    return { root: "../", entries: [{ url: "t", page: "t", title: "Index title", headings: [] }] };
  }

  #search(request: SearchRequest): Promise<SearchAnswer> {
    return new Promise((resolve, reject) => {
      const answer = (ids: string[], total?: number) => resolve(answerTo(request, ids, total));
      this.asked.push({ request, answer, fail: reject });
    });
  }
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

let port: HandPort;
let session: Session;
let shown: string[];

const ids = () => session.view.results.map((found) => found.id);

beforeEach(() => {
  port = new HandPort();
  shown = [];
  session = new Session(port, () => shown.push(ids().join()), "https://e.org/b/", "lexical-only");
});

async function ready(): Promise<void> {
  void session.start();
  port.opens[0]?.up();
  await settle();
}

describe("Session", () => {
  it("starts by itself when it is asked", () => {
    session.ask("index", true);
    expect(session.view.phase).toBe("starting");
    expect(port.opens).toHaveLength(1);
  });

  it("answers from titles while the core starts, and replaces them", async () => {
    session.ask("index", true);
    await settle();
    expect(session.view).toMatchObject({ quick: true });
    expect(ids()).toEqual(["t"]);
    port.opens[0]?.up();
    await settle();
    port.asked[0]?.answer(["a", "b"]);
    await settle();
    expect(session.view).toMatchObject({ quick: false, phase: "ready" });
    expect(ids()).toEqual(["a", "b"]);
  });

  it("never shows an answer to an older question", async () => {
    await ready();
    session.ask("i", true);
    session.ask("in", true);
    session.ask("ind", true);
    expect(port.asked.map(({ request }) => request.text)).toEqual(["i"]);
    port.asked[0]?.answer(["old"]);
    await settle();
    expect(shown).not.toContain("old");
    // Only the newest of those that waited was asked.
    expect(port.asked.map(({ request }) => request.text)).toEqual(["i", "ind"]);
    port.asked[1]?.answer(["new"]);
    await settle();
    expect(ids()).toEqual(["new"]);
  });

  it("forgets hits and questions when the box is emptied", async () => {
    await ready();
    session.ask("index", true);
    session.ask("  ", true);
    port.asked[0]?.answer(["late"]);
    await settle();
    expect(ids()).toEqual([]);
    expect(session.view.answer).toBeNull();
  });

  it("says that the last word is unfinished only while somebody types", async () => {
    await ready();
    session.ask("ind", true);
    port.asked[0]?.answer([]);
    await settle();
    session.ask("ind", false);
    expect(port.asked.map(({ request }) => request.asYouType)).toEqual([true, false]);
  });

  it("shows why a start failed, and starts again when asked to", async () => {
    void session.start();
    port.opens[0]?.fail(new Error("no bundle here"));
    await settle();
    expect(session.view).toMatchObject({ phase: "failed", error: "no bundle here" });
    void session.start();
    port.opens[1]?.up();
    await settle();
    expect(session.view).toMatchObject({ phase: "ready", error: null });
  });

  it("goes on after a failed question", async () => {
    await ready();
    session.ask("bad", false);
    port.asked[0]?.fail(new Error("KeyError: bad"));
    await settle();
    expect(session.view.error).toBe("KeyError: bad");
    session.ask("good", false);
    port.asked[1]?.answer(["g"]);
    await settle();
    expect(session.view.error).toBeNull();
    expect(ids()).toEqual(["g"]);
  });

  it("drops what another factory was asked", async () => {
    await ready();
    session.ask("index", false);
    session.retarget("https://e.org/b/", "tiny");
    expect(port.opens).toHaveLength(2);
    port.asked[0]?.answer(["from-the-old-factory"]);
    await settle();
    expect(shown).not.toContain("from-the-old-factory");
    port.opens[1]?.up();
    await settle();
    expect(port.asked[1]?.request).toMatchObject({ text: "index", factory: "tiny" });
  });

  it("asks again when its factory became ready, and knows the bundle all the while", async () => {
    await ready();
    session.ask("index", false);
    port.asked[0]?.answer(["words"]);
    await settle();
    session.retarget("https://e.org/b/", "tiny");
    expect(session.info).not.toBeNull();
    port.opens[1]?.up();
    await settle();
    port.asked[1]?.answer(["words"]);
    await settle();
    port.change({ factory: "semantic", state: "ready" } as FactoryChange);
    expect(port.asked).toHaveLength(2);
    port.change({ factory: "tiny", state: "ready" } as FactoryChange);
    port.asked[2]?.answer(["meaning"]);
    await settle();
    expect(ids()).toEqual(["meaning"]);
    expect(session.view.changes).toBe(1);
  });

  it("loads more behind what is shown, without doubles", async () => {
    await ready();
    session.ask("index", false);
    port.asked[0]?.answer(["a", "b"], 4);
    await settle();
    void session.more();
    expect(port.asked[1]?.request).toMatchObject({ offset: 2, limit: MORE_SIZE });
    port.asked[1]?.answer(["b", "c"], 4);
    await settle();
    expect(ids()).toEqual(["a", "b", "c"]);
    expect(session.limit).toBe(4);
  });

  it("ends the list when there is nothing new behind it", async () => {
    await ready();
    session.ask("index", false);
    port.asked[0]?.answer(["a"], 9);
    await settle();
    void session.more();
    port.asked[1]?.answer([], 9);
    await settle();
    expect(session.view.answer?.total).toBe(1);
  });

  it("asks for explanations once an answer", async () => {
    await ready();
    session.ask("index", false);
    port.asked[0]?.answer(["a", "b"]);
    await settle();
    const both = Promise.all([session.explain("a"), session.explain("b")]);
    expect(port.asked).toHaveLength(2);
    expect(port.asked[1]?.request.explain).toBe(true);
    port.asked[1]?.answer(["a", "b"]);
    const explained = await both;
    expect(explained.map((found) => found?.explanation?.reasons)).toEqual([["explained"], ["explained"]]);
    await session.explain("a");
    expect(port.asked).toHaveLength(2);
  });

  it("sends filters, and the same question again with them", async () => {
    await ready();
    session.ask("index", false);
    port.asked[0]?.answer(["a"]);
    await settle();
    session.setFilters({ kind: ["guide"] });
    expect(port.asked[1]?.request.filters).toEqual({ kind: ["guide"] });
  });

  it("restores as many hits as a page had, within what the core gives at once", async () => {
    await ready();
    session.restore("index", 60, {});
    session.ask("index", false);
    expect(port.asked[0]?.request.limit).toBe(60);
    session.restore("index", 5000, {});
    expect(session.limit).toBe(100);
    session.restore("index", 0, {});
    expect(session.limit).toBe(PAGE_SIZE);
  });

  it("begins anew with a new query", async () => {
    await ready();
    session.restore("index", 60, {});
    session.ask("indexes", true);
    expect(port.asked[0]?.request.limit).toBe(PAGE_SIZE);
  });
});
