import { describe, expect, it } from "vitest";
import { yieldIfBusy, yieldToEventLoop } from "../../src/lib/event-loop.ts";

const nextIteration = () => new Promise((next) => setImmediate(next));
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe("yieldToEventLoop", () => {
  it("lets timers run", async () => {
    const order: string[] = [];
    setTimeout(() => order.push("timer"), 0);
    for (let turn = 0; turn < 50 && order.length === 0; turn++) {
      await yieldToEventLoop();
      await new Promise((next) => setTimeout(next, 1));
    }
    expect(order).toEqual(["timer"]);
  });

  it("resumes one computation in each iteration, in order of arrival", async () => {
    const order: string[] = [];
    const all = ["a", "b", "c"].map(async (name) => {
      await yieldToEventLoop();
      order.push(name);
      setTimeout(() => order.push(`after ${name}`), 0);
      work(2);
    });
    await Promise.all(all);
    await new Promise((next) => setTimeout(next, 5));
    expect(order.indexOf("after a")).toBeLessThan(order.indexOf("c"));
    expect(order.filter((name) => name.length === 1)).toEqual(["a", "b", "c"]);
  });
});

describe("yieldIfBusy", () => {
  it("goes on at once while an iteration is short", async () => {
    await nextIteration();
    await nextIteration();
    expect(yieldIfBusy()).toBeUndefined();
    expect(yieldIfBusy()).toBeUndefined();
  });

  it("yields after eight milliseconds of work", async () => {
    await nextIteration();
    await nextIteration();
    yieldIfBusy();
    work(9);
    const paused = yieldIfBusy();
    expect(paused).toBeInstanceOf(Promise);
    await paused;
    expect(yieldIfBusy(), "a new iteration").toBeUndefined();
  });
});
