import { describe, expect, it, onTestFinished } from "vitest";
import { setCacheBudget } from "../../src/lib/bounded-cache.ts";
import { createOutputCache } from "../../src/lib/output-cache.ts";

describe("cached outputs", () => {
  it("are computed once per key, also for concurrent callers", async () => {
    const outputs = createOutputCache("outputs");
    let computed = 0;
    const ask = (key: string) => outputs.remember(key, async () => ({ key, computed: ++computed }));
    const [first, same] = await Promise.all([ask("a"), ask("a")]);
    expect(same).toBe(first);
    expect(await ask("a")).toBe(first);
    expect(await ask("b")).toEqual({ key: "b", computed: 2 });
  });

  it("are deeply frozen, except for typed arrays", async () => {
    const output = await createOutputCache("outputs").remember("a", async () => ({
      rows: [{ x: 1 }],
      t: new Float64Array(2),
    }));
    expect(() => ((output.rows[0] as { x: number }).x = 2)).toThrow(TypeError);
    expect(Object.isFrozen(output.rows)).toBe(true);
  });

  it("do not include failures: a caller that waited for a failed computation computes again", async () => {
    const outputs = createOutputCache("outputs");
    const failed = outputs.remember("a", () => Promise.reject(new Error("cancelled")));
    const other = outputs.remember("a", async () => ({ from: "other" }));
    await expect(failed).rejects.toThrow("cancelled");
    expect(await other).toEqual({ from: "other" });
  });

  it("are bounded: the least recently used output is evicted", async () => {
    const outputs = createOutputCache("outputs");
    setCacheBudget(600);
    onTestFinished(() => setCacheBudget(64 * 1024 * 1024));
    const ask = (key: string) => outputs.remember(key, async () => ({ key: key.repeat(100) }));
    const first = await ask("a");
    await ask("b");
    expect(await ask("a")).not.toBe(first);
  });
});
