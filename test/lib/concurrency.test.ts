import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { forEachConcurrent } from "../../src/lib/concurrency.ts";

describe("forEachConcurrent", () => {
  it("starts items in order, at most `concurrency` at a time", async () => {
    let under = 0;
    let maximum = 0;
    const begun: number[] = [];
    await forEachConcurrent(3, [5, 1, 4, 2, 3], async (item) => {
      begun.push(item);
      maximum = Math.max(maximum, ++under);
      await sleep(item);
      under--;
    });
    expect([begun, maximum]).toEqual([[5, 1, 4, 2, 3], 3]);
  });

  it("starts no item after a failure, and rejects after the running ones end", async () => {
    const ended: number[] = [];
    const work = forEachConcurrent(2, [1, 2, 3, 4], async (item) => {
      await sleep(item);
      if (item === 1) throw new Error("one");
      ended.push(item);
    });
    await expect(work).rejects.toThrow("one");
    expect(ended).toEqual([2]);
  });

  it("resolves for an empty list", async () => {
    await expect(forEachConcurrent(4, [], async () => {})).resolves.toBeUndefined();
  });
});
