import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { forEachConcurrent } from "../../src/lib/concurrency.ts";

describe("work on several things at once", () => {
  it("begins them in order, never more than so many together", async () => {
    let under = 0;
    let most = 0;
    const begun: number[] = [];
    await forEachConcurrent(3, [5, 1, 4, 2, 3], async (item) => {
      begun.push(item);
      most = Math.max(most, ++under);
      await sleep(item);
      under--;
    });
    expect([begun, most]).toEqual([[5, 1, 4, 2, 3], 3]);
  });

  it("begins nothing after a failure, lets what is under way end, and rejects with it", async () => {
    const ended: number[] = [];
    const work = forEachConcurrent(2, [1, 2, 3, 4], async (item) => {
      await sleep(item);
      if (item === 1) throw new Error("one");
      ended.push(item);
    });
    await expect(work).rejects.toThrow("one");
    expect(ended).toEqual([2]);
  });

  it("has nothing to do with nothing", async () => {
    await expect(forEachConcurrent(4, [], async () => {})).resolves.toBeUndefined();
  });
});
