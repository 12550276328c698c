import { describe, expect, it, vi } from "vitest";
import { createCache } from "../../src/market/cache.ts";

function stand(max?: number) {
  let at = 0;
  const cache = createCache({ now: () => new Date(at) }, max);
  let made = 0;
  const make = vi.fn(async () => ({ made: ++made }));
  const pass = (ms: number): void => {
    at += ms;
  };
  return { cache, make, pass, ask: (key = "key", ttlMs = 1000) => cache.remember(key, ttlMs, make) };
}

describe("a cached answer", () => {
  it("is computed once for concurrent callers", async () => {
    const { ask, make } = stand();
    const answers = await Promise.all([ask(), ask(), ask()]);
    expect(answers).toEqual([{ made: 1 }, { made: 1 }, { made: 1 }]);
    expect(make).toHaveBeenCalledOnce();
  });

  it("is cached until its time to live", async () => {
    const { ask, pass } = stand();
    await ask();
    pass(999);
    expect(await ask()).toEqual({ made: 1 });
    pass(1);
    expect(await ask()).toEqual({ made: 2 });
    pass(999);
    expect(await ask()).toEqual({ made: 2 });
  });

  it("is as old as each caller allows", async () => {
    const { ask, pass } = stand();
    await ask();
    pass(10);
    expect(await ask("key", 11)).toEqual({ made: 1 });
    expect(await ask("key", 10)).toEqual({ made: 2 });
  });

  it("is separate from other keys", async () => {
    const { ask } = stand();
    expect([await ask("a"), await ask("b"), await ask("a")]).toEqual([{ made: 1 }, { made: 2 }, { made: 1 }]);
    expect(await ask("__proto__")).toEqual({ made: 3 });
  });

  it("is evicted by newer ones when the cache is full", async () => {
    const { ask } = stand(2);
    await ask("a");
    await ask("b");
    await ask("c");
    expect([await ask("c"), await ask("b"), await ask("a")]).toEqual([{ made: 3 }, { made: 2 }, { made: 4 }]);
  });
});

describe("a failure", () => {
  it("rejects all waiting callers and is not cached", async () => {
    const { cache, ask, make } = stand();
    make.mockRejectedValueOnce(new Error("down"));
    const waiting = await Promise.allSettled([ask(), ask()]);
    expect(waiting.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(make).toHaveBeenCalledOnce();
    expect(await cache.remember("key", 1000, make)).toEqual({ made: 1 });
  });

  it("of an outdated call does not remove a newer answer", async () => {
    const { cache, ask, pass, make } = stand();
    let fail = (_: Error): void => {};
    const late = cache.remember("key", 1000, () => new Promise<{ made: number }>((_, no) => (fail = no)));
    pass(1000);
    await ask();
    fail(new Error("late"));
    await expect(late).rejects.toThrow("late");
    expect(await ask()).toEqual({ made: 1 });
    expect(make).toHaveBeenCalledOnce();
  });
});
