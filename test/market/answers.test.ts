import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAnswers } from "../../src/market/answers.ts";

describe("kept answers", () => {
  it("are computed once while the stamp stays the same", async () => {
    let stamp = "1";
    let computed = 0;
    const answers = createAnswers(() => stamp);
    const ask = () => answers.remember("a", async () => ({ computed: ++computed }));
    const [first, same] = await Promise.all([ask(), ask()]);
    expect([first, same, await ask()]).toEqual([{ computed: 1 }, { computed: 1 }, { computed: 1 }]);
    stamp = "2";
    expect(await ask()).toEqual({ computed: 2 });
  });

  it("are not kept if the stamp changed while they were computed", async () => {
    let stamp = "1";
    const answers = createAnswers(() => stamp);
    await answers.remember("a", async () => {
      stamp = "2";
      return { from: "before" };
    });
    stamp = "1";
    expect(await answers.remember("a", async () => ({ from: "after" }))).toEqual({ from: "after" });
  });

  it("are never older than the data at the time of the request, in any order of changes, steps and requests", async () => {
    const step = fc.constantFrom("change", "request", "other request", "go on");
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
        let data = 0;
        const answers = createAnswers(() => String(data));
        const paused: (() => void)[] = [];
        const pause = () => new Promise<void>((go) => paused.push(go));
        /** Reads the data in two steps, as a tool that reads bars and then facts. */
        const compute = async () => {
          const bars = data;
          await pause();
          return { bars, facts: data };
        };
        const checks: Promise<void>[] = [];
        const request = async (key: string) => {
          const before = data;
          const { bars, facts } = await answers.remember(key, compute);
          expect(Math.min(bars, facts)).toBeGreaterThanOrEqual(before);
        };
        for (const one of steps) {
          if (one === "change") data++;
          else if (one === "go on") paused.shift()?.();
          else checks.push(request(one));
          await new Promise((next) => setImmediate(next));
        }
        while (paused.length > 0) {
          paused.shift()!();
          await new Promise((next) => setImmediate(next));
        }
        await Promise.all(checks);
      }),
      { numRuns: 200 },
    );
  });
});
