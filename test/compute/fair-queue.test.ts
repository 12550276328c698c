import { describe, expect, it } from "vitest";
import { createFairQueue, type FairQueueLimits } from "../../src/compute/fair-queue.ts";

/** A queue whose work ends when the test says so. */
function testQueue(limits: FairQueueLimits) {
  const enqueue = createFairQueue(limits);
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    running,
    begin: (account: string, name: string, signal?: AbortSignal) =>
      enqueue(account, signal, async () => {
        running.push(name);
        await new Promise<void>((end) => ends.set(name, end));
        return name;
      }),
    async end(name: string) {
      ends.get(name)!();
      await new Promise((next) => setImmediate(next));
    },
  };
}

describe("a fair queue", () => {
  it("gives each account its turn, whatever another one has queued", async () => {
    const { begin, end, running } = testQueue({ inAll: 1, perAccount: 1, waiting: 10 });
    for (const name of ["a1", "a2", "a3"]) void begin("a", name);
    void begin("b", "b1");
    void begin("c", "c1");
    for (const name of ["a1", "a2", "b1", "c1"]) await end(name);
    expect(running).toEqual(["a1", "a2", "b1", "c1", "a3"]);
  });

  it("passes over an account at its own limit", async () => {
    const { begin, end, running } = testQueue({ inAll: 2, perAccount: 1, waiting: 10 });
    for (const name of ["a1", "a2"]) void begin("a", name);
    void begin("b", "b1");
    expect(running).toEqual(["a1", "b1"]);
    void begin("b", "b2");
    await end("b1");
    expect(running).toEqual(["a1", "b1", "b2"]);
    await end("a1");
    expect(running.at(-1)).toBe("a2");
  });

  it("refuses an account whose waiting work is too much, and no other", async () => {
    const { begin, running } = testQueue({ inAll: 1, perAccount: 1, waiting: 1 });
    void begin("a", "a1");
    void begin("a", "a2");
    await expect(begin("a", "a3")).rejects.toMatchObject({
      code: "RATE_LIMITED",
      message: "1 computations of this account already wait",
      data: { limit: 1, retry_after: 2 },
    });
    void begin("b", "b1");
    expect(running).toEqual(["a1"]);
  });

  it("rejects cancelled work, which leaves its place", async () => {
    const { begin, end, running } = testQueue({ inAll: 1, perAccount: 1, waiting: 2 });
    const caller = new AbortController();
    void begin("a", "a1");
    const cancelled = begin("a", "a2", caller.signal);
    void begin("a", "a3");
    const reason = new Error("gone");
    caller.abort(reason);
    await expect(cancelled).rejects.toBe(reason);
    await expect(begin("a", "a4", caller.signal)).rejects.toBe(reason);
    await end("a1");
    expect(running).toEqual(["a1", "a3"]);
  });

  it("starts the next work when one fails", async () => {
    const enqueue = createFairQueue({ inAll: 1, perAccount: 1, waiting: 2 });
    const failed = enqueue("a", undefined, () => Promise.reject(new Error("no")));
    const next = enqueue("a", undefined, async () => "next");
    await expect(failed).rejects.toThrow("no");
    expect(await next).toBe("next");
  });
});
