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
  it("starts work of each account in turn, however much another account has queued", async () => {
    const { begin, end, running } = testQueue({ total: 1, perAccount: 1, waitingPerAccount: 10 });
    for (const name of ["a1", "a2", "a3"]) void begin("a", name);
    void begin("b", "b1");
    void begin("c", "c1");
    for (const name of ["a1", "a2", "b1", "c1"]) await end(name);
    expect(running).toEqual(["a1", "a2", "b1", "c1", "a3"]);
  });

  it("skips an account at its own limit", async () => {
    const { begin, end, running } = testQueue({ total: 2, perAccount: 1, waitingPerAccount: 10 });
    for (const name of ["a1", "a2"]) void begin("a", name);
    void begin("b", "b1");
    expect(running).toEqual(["a1", "b1"]);
    void begin("b", "b2");
    await end("b1");
    expect(running).toEqual(["a1", "b1", "b2"]);
    await end("a1");
    expect(running.at(-1)).toBe("a2");
  });

  it("rejects work of an account with too much waiting work, but of no other account", async () => {
    const { begin, running } = testQueue({ total: 1, perAccount: 1, waitingPerAccount: 1 });
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

  it("rejects cancelled work and removes it from the queue", async () => {
    const { begin, end, running } = testQueue({ total: 1, perAccount: 1, waitingPerAccount: 2 });
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
    const enqueue = createFairQueue({ total: 1, perAccount: 1, waitingPerAccount: 2 });
    const failed = enqueue("a", undefined, () => Promise.reject(new Error("no")));
    const next = enqueue("a", undefined, async () => "next");
    await expect(failed).rejects.toThrow("no");
    expect(await next).toBe("next");
  });
});
