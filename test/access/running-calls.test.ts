import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createRunningCalls } from "../../src/access/running-calls.ts";
import { isBusy } from "../../src/lib/event-loop.ts";

beforeEach(async () => {
  await settle();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const start = () => createRunningCalls({ running: 2, waiting: 2, waitMs: 1000 });
const work = (ms: number) => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};
const settle = () => new Promise((next) => setImmediate(next));

describe("running calls of an account", () => {
  it("start at once up to the limit, then in order as others end", async () => {
    const startCall = start();
    const first = startCall("a");
    const second = startCall("a");
    expect([typeof first, typeof second]).toEqual(["function", "function"]);
    const order: string[] = [];
    const waiting = ["third", "fourth"].map(async (name) => {
      const end = await startCall("a");
      order.push(name);
      return end;
    });
    await settle();
    expect(order).toEqual([]);
    (second as () => void)();
    await settle();
    expect(order).toEqual(["third"]);
    (first as () => void)();
    await settle();
    expect(order).toEqual(["third", "fourth"]);
    for (const end of await Promise.all(waiting)) end();
    await settle();
    expect(typeof startCall("a"), "all have ended").toBe("function");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("let other events be handled between them, even if none of them waits for anything", async () => {
    const startCall = createRunningCalls({ running: 1, waiting: 10, waitMs: 1000 });
    let iteration = 0;
    const count = () => {
      iteration++;
      if (iteration < 100) setImmediate(count);
    };
    setImmediate(count);
    const startedIn: number[] = [];
    const calls = Array.from({ length: 5 }, async () => {
      const end = await startCall("a");
      startedIn.push(iteration);
      work(10);
      end();
    });
    await Promise.all(calls);
    expect(new Set(startedIn).size).toBeGreaterThan(3);
  });

  it("that begin in a busy iteration wait for the next one, apart from the first of an account", async () => {
    const startCall = start();
    await settle();
    isBusy();
    work(10);
    expect(typeof startCall("a")).toBe("function");
    const second = startCall("a");
    expect(second).toBeInstanceOf(Promise);
    expect(typeof (await second)).toBe("function");
  });

  it("do not delay another account", async () => {
    const startCall = start();
    for (let i = 0; i < 4; i++) void startCall("a");
    expect(typeof startCall("b")).toBe("function");
  });

  it("are refused when too many wait", async () => {
    const startCall = start();
    for (let i = 0; i < 4; i++) void startCall("a");
    expect(() => startCall("a")).toThrow(
      expect.objectContaining({
        code: "RATE_LIMITED",
        message: "This account already has 2 running calls and 2 waiting",
        hint: "Wait for some calls to end, or retry in 2 s.",
        data: { limit: 2, retry_after: 2 },
      }),
    );
  });

  it("are refused when they wait too long, and leave their place", async () => {
    const startCall = start();
    const first = startCall("a") as () => void;
    void startCall("a");
    const late = startCall("a");
    const refused = expect(late).rejects.toMatchObject({
      code: "RATE_LIMITED",
      message: "The 2 running calls of this account took too long",
    });
    vi.advanceTimersByTime(1000);
    await refused;
    first();
    await settle();
    expect(typeof startCall("a")).toBe("function");
  });

  it("reject with the reason of a cancelled caller, and leave their place", async () => {
    const startCall = start();
    const first = startCall("a") as () => void;
    void startCall("a");
    const caller = new AbortController();
    const late = startCall("a", caller.signal);
    const reason = new Error("gone");
    const rejected = expect(late).rejects.toBe(reason);
    caller.abort(reason);
    await rejected;
    first();
    await settle();
    expect(typeof startCall("a")).toBe("function");
    expect(vi.getTimerCount()).toBe(0);
  });
});
