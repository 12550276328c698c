import { describe, expect, it } from "vitest";
import { isBusy, yieldToEventLoop } from "../../src/lib/event-loop.ts";

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

describe("isBusy", () => {
  it("is false while an iteration is short, and true after eight milliseconds of work", async () => {
    await nextIteration();
    await nextIteration();
    expect(isBusy()).toBe(false);
    expect(isBusy()).toBe(false);
    work(9);
    expect(isBusy()).toBe(true);
    await yieldToEventLoop();
    expect(isBusy(), "a new iteration").toBe(false);
  });
});
