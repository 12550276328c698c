import { describe, expect, it, vi } from "vitest";
import { createCache } from "../../src/market/cache.ts";

function setup(max?: number) {
  let at = 0;
  const cache = createCache({ now: () => new Date(at) }, max);
  let made = 0;
  const make = vi.fn(async () => ({ made: ++made }));
  const pass = (ms: number): void => {
    at += ms;
  };
  return { cache, make, pass, read: (key = "key", ttlMs = 1000) => cache.remember(key, ttlMs, make) };
}

describe("a cached value", () => {
  it("is computed once for concurrent callers", async () => {
    const { read, make } = setup();
    const answers = await Promise.all([read(), read(), read()]);
    expect(answers).toEqual([{ made: 1 }, { made: 1 }, { made: 1 }]);
    expect(make).toHaveBeenCalledOnce();
  });

  it("is cached until its time to live ends", async () => {
    const { read, pass } = setup();
    await read();
    pass(999);
    expect(await read()).toEqual({ made: 1 });
    pass(1);
    expect(await read()).toEqual({ made: 2 });
    pass(999);
    expect(await read()).toEqual({ made: 2 });
  });

  it("respects the maximum age of each caller", async () => {
    const { read, pass } = setup();
    await read();
    pass(10);
    expect(await read("key", 11)).toEqual({ made: 1 });
    expect(await read("key", 10)).toEqual({ made: 2 });
  });

  it("is separate for each key", async () => {
    const { read } = setup();
    expect([await read("a"), await read("b"), await read("a")]).toEqual([
      { made: 1 },
      { made: 2 },
      { made: 1 },
    ]);
    expect(await read("__proto__")).toEqual({ made: 3 });
  });

  it("is evicted by newer ones if the cache is full", async () => {
    const { read } = setup(2);
    await read("a");
    await read("b");
    await read("c");
    expect([await read("c"), await read("b"), await read("a")]).toEqual([
      { made: 3 },
      { made: 2 },
      { made: 4 },
    ]);
  });
});

describe("a failure", () => {
  it("rejects all waiting callers and is not cached", async () => {
    const { cache, read, make } = setup();
    make.mockRejectedValueOnce(new Error("down"));
    const waiting = await Promise.allSettled([read(), read()]);
    expect(waiting.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(make).toHaveBeenCalledOnce();
    expect(await cache.remember("key", 1000, make)).toEqual({ made: 1 });
  });

  it("of an outdated call does not remove a newer value", async () => {
    const { cache, read, pass, make } = setup();
    let fail = (_: Error): void => {};
    const late = cache.remember("key", 1000, () => new Promise<{ made: number }>((_, no) => (fail = no)));
    pass(1000);
    await read();
    fail(new Error("late"));
    await expect(late).rejects.toThrow("late");
    expect(await read()).toEqual({ made: 1 });
    expect(make).toHaveBeenCalledOnce();
  });
});
