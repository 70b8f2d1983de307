import { describe, expect, it } from "vitest";
import type { BundleInfo, Factory, FactoryChange, Progress, SearchRequest } from "../../worker/src/api";
import type { OpenBundle, Port } from "../src/port";
import { Session } from "../src/session";

/** A core that is up at once, answers nothing found, and lets the test say what becomes of a factory. */
class ReadyPort implements Port {
  asked: SearchRequest[] = [];
  prepared: Factory[] = [];
  change: (change: FactoryChange) => void = () => {};
  progress: (progress: Progress) => void = () => {};

  async open(_bundle: string, _factory: Factory, progress: (told: Progress) => void): Promise<OpenBundle> {
    this.progress = progress;
    return {
      info: { base: "../", factories: [] } as unknown as BundleInfo,
      search: async (request) => {
        this.asked.push(request);
        return {
          results: [],
          total: 0,
          ms: 1,
          timings: {},
          query: { text: request.text, problems: [], didYouMean: null, alsoSearched: [] },
          facets: {},
          factory: request.factory ?? "lexical-only",
          degraded: [],
          stats: {},
        };
      },
      onChange: (listener) => {
        this.change = listener;
        return () => {};
      },
      prepare: async (factory) => {
        this.prepared.push(factory);
      },
    };
  }

  async titles() {
    return { root: "../", entries: [] };
  }
}

const turn = () => new Promise((resolve) => setTimeout(resolve));

async function started(factory: Factory) {
  const port = new ReadyPort();
  const session = new Session(port, () => {}, "https://e.org/search/", factory);
  await session.start();
  session.ask("how", false);
  await turn();
  return { port, session };
}

describe("a session with a factory", () => {
  it("asks again when a source joins, keeps the progress until all have come", async () => {
    const { port, session } = await started("three-source");
    port.progress({ stage: "model", loaded: 1, total: 2 });
    const change = { bundle: "https://e.org/search/", factory: "three-source" as const, message: "" };
    port.change({ ...change, state: "joined" });
    await turn();
    expect(port.asked).toHaveLength(2);
    expect(session.view.progress).not.toBeNull();
    port.change({ ...change, state: "ready" });
    await turn();
    expect(port.asked).toHaveLength(3);
    expect(session.view.progress).toBeNull();
    port.change({ ...change, factory: "tiny", state: "ready" });
    await turn();
    expect(port.asked).toHaveLength(3);
  });

  it("tries again what failed, and asks again meanwhile", async () => {
    const { port, session } = await started("semantic");
    await session.retry();
    await turn();
    expect(port.prepared).toEqual(["semantic"]);
    expect(port.asked).toHaveLength(2);
  });

  it("tells of a model that could not be kept, until another factory is chosen", async () => {
    const { port, session } = await started("semantic");
    port.progress({ stage: "model", loaded: 2, total: 2, problem: "no room" });
    expect([session.view.problem, session.view.progress]).toEqual(["no room", null]);
    session.retarget("https://e.org/search/", "tiny");
    expect(session.view.problem).toBeNull();
  });

  it("asks a recorded question by its factory, again with filters and for whole words, and no longer", async () => {
    const { port, session } = await started("lexical-only");
    session.ask("what", false, { id: "q1", factory: "semantic" });
    await turn();
    session.setFilters({ kind: ["guide"] });
    await turn();
    session.askWhole("what");
    await turn();
    session.ask("what", true);
    await turn();
    expect(port.asked.slice(1).map(({ recorded, factory }) => [recorded, factory])).toEqual([
      ["q1", "semantic"],
      ["q1", "semantic"],
      ["q1", "semantic"],
      [undefined, "lexical-only"],
    ]);
  });
});
