import { describe, expect, it } from "vitest";
import { type Embedding, EmbeddingJob, type EmbeddingWork } from "../demo/embedding";
import { about, readingText } from "../demo/reading";

/** Work whose every step is taken by the test. */
class HandWork {
  given: EmbeddingWork | null = null;
  finish: () => void = () => {};
  fail: (error: Error) => void = () => {};

  readonly do = (work: EmbeddingWork): Promise<void> => {
    this.given = work;
    return new Promise((resolve, reject) => {
      this.finish = resolve;
      this.fail = reject;
      work.signal.addEventListener("abort", () => reject(work.signal.reason));
    });
  };

  sections(done: number, total = 100): Promise<void> | undefined {
    return this.given?.onProgress({ stage: "sections", model: "m", done, total });
  }
}

function start(now?: () => number) {
  const work = new HandWork();
  const states: Embedding[] = [];
  const job = new EmbeddingJob(work.do, (state) => states.push(state), now);
  return { work, states, job, end: job.run() };
}

const turn = () => new Promise((resolve) => setTimeout(resolve));

describe("an embedding job", () => {
  it("tells of the model's bytes, of sections and of the end", async () => {
    const { work, states, end } = start();
    await turn();
    void work.given?.onProgress({ stage: "model", model: "m", done: 0, total: 100 });
    work.given?.onBytes({ stage: "model", loaded: 5, total: 20 });
    void work.sections(10);
    work.given?.onBytes({ stage: "model", loaded: 20, total: 20 });
    work.finish();
    expect(await end).toEqual({ stage: "done" });
    expect(states).toEqual([
      { stage: "waiting" },
      { stage: "model", model: "m", loaded: 0, total: 0 },
      { stage: "model", model: "m", loaded: 5, total: 20 },
      { stage: "sections", done: 10, total: 100, left: null },
      { stage: "done" },
    ]);
  });

  it("reckons what is left once it has measured a while", async () => {
    let time = 0;
    const { work, states } = start(() => time);
    await turn();
    void work.sections(10);
    time = 1000;
    void work.sections(20);
    time = 2000;
    void work.sections(30);
    expect(states.slice(1).map((state) => state.stage === "sections" && state.left)).toEqual([
      null,
      null,
      7000,
    ]);
    work.finish();
  });

  it("answers no progress while it is paused, so that the worker waits", async () => {
    const { work, job } = start();
    await turn();
    await work.sections(10);
    job.pause();
    let went = false;
    const step = work.sections(20)?.then(() => {
      went = true;
    });
    await turn();
    expect(went).toBe(false);
    expect(job.state).toEqual({ stage: "paused", done: 20, total: 100 });
    job.resume();
    await step;
    expect(went).toBe(true);
    expect(job.state.stage).toBe("sections");
    work.finish();
  });

  it("is given up, paused or not, and says so at once", async () => {
    const { work, job, end } = start();
    await turn();
    job.pause();
    const step = work.sections(10);
    job.cancel();
    expect(job.state).toEqual({ stage: "cancelled" });
    await step;
    expect(await end).toEqual({ stage: "cancelled" });
    expect(work.given?.signal.aborted).toBe(true);
  });

  it("waits for the one before it, however that ends", async () => {
    const first = start();
    const second = start();
    await turn();
    expect(second.work.given).toBeNull();
    first.work.fail(new Error("out of memory"));
    expect(await first.end).toEqual({ stage: "failed", message: "out of memory" });
    await turn();
    expect(second.work.given).not.toBeNull();
    second.work.finish();
    expect((await second.end).stage).toBe("done");
  });

  it("does nothing when it was given up before its turn", async () => {
    const first = start();
    const second = start();
    second.job.cancel();
    await turn();
    first.work.finish();
    expect(await second.end).toEqual({ stage: "cancelled" });
    expect(second.work.given).toBeNull();
  });
});

describe("its line", () => {
  it("says how far it is", () => {
    expect(readingText({ stage: "model", model: "m", loaded: 5e6, total: 24e6 })).toBe(
      "Bringing m here: 5 MB of 24 MB.",
    );
    expect(readingText({ stage: "sections", done: 3, total: 9, left: 12_000 })).toBe(
      "Read 3 of 9 sections, about 15 s left. Words find everything meanwhile.",
    );
    expect(readingText({ stage: "paused", done: 3, total: 9 })).toBe("Paused after 3 of 9 sections.");
  });

  it("rounds what is left", () => {
    expect([10, 12_000, 89_000, 150_000].map(about)).toEqual([
      "about 5 s",
      "about 15 s",
      "about 2 min",
      "about 3 min",
    ]);
  });
});
