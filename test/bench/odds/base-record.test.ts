import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { syntheticBars } from "../../support/synthetic-bars.ts";
import { baseRecord } from "./base-record.ts";

describe("the base record", () => {
  it("equals a search of all windows that end by the bar", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 99 }),
        fc.integer({ min: 1, max: 7 }),
        fc.double({ min: -0.2, max: 0.2, noNaN: true }),
        (seed, horizon, happened) => {
          const { high, low, close, ...others } = syntheticBars(seed, 60);
          const levels = [0.03, -0.03];
          const record = baseRecord({ high, low, close, ...others }, horizon, levels);
          for (let at = 20; at < 60; at += 5) {
            record.advance(at);
            const changes: number[] = [];
            let [above, below] = [0, 0];
            for (let from = 0; from + horizon <= at; from++) {
              changes.push(Math.log(close[from + horizon]! / close[from]!));
              const after = Array.from({ length: horizon }, (_, k) => from + 1 + k);
              if (after.some((bar) => Math.log(high[bar]! / close[from]!) >= 0.03)) above++;
              if (after.some((bar) => Math.log(low[bar]! / close[from]!) <= -0.03)) below++;
            }
            const count = changes.length;
            expect(record.touch(0)).toBe(above / count);
            expect(record.touch(1)).toBe(below / count);
            expect(record.rise()).toBe(changes.filter((change) => change > 0).length / count);
            // CRPS = E|X - y| - E|X - X'| / 2
            const mean = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0) / all.length;
            const spread = mean(changes.flatMap((a) => changes.map((b) => Math.abs(a - b))));
            const distance = mean(changes.map((change) => Math.abs(change - happened)));
            expect(record.crps(happened)).toBeCloseTo(distance - spread / 2, 12);
          }
        },
      ),
      { numRuns: 15 },
    );
  });
});
