import { describe, expect, it } from "vitest";
import { explain } from "../../../src/analytics/explain/explain.ts";
import { nearestFlips } from "../../../src/analytics/explain/flip.ts";
import { consensus } from "../../../src/analytics/score/consensus.ts";
import { inputFor } from "../../support/consensus-input.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";

describe("explain", () => {
  it("decomposes every consensus into parts that add up to it", () => {
    for (let seed = 1; seed <= 12; seed++) {
      const input = inputFor(syntheticBars(seed, seed % 3 === 0 ? 200 : 500));
      const known = consensus(input);
      const { drivers, sum } = explain(input, known);
      const total = drivers.reduce((all, { weight, value }) => all + weight * (value ?? 0), 0);
      expect(total).toBeCloseTo(sum!, 12);
      if (known.s !== null) expect(total).toBeCloseTo(known.s, 12);
      expect(drivers.map(({ id, value, reason }) => ({ id, value, reason }))).toEqual(
        known.drivers.map(({ id, value, reason }) => ({ id, value, reason })),
      );
    }
  });

  it("returns for each driver its source and the verdict without it", () => {
    const input = inputFor(syntheticBars(1, 500));
    const known = consensus(input);
    const { drivers } = explain(input, known);
    expect(drivers.find(({ id }) => id === "t_adx")!.source).toBe("Wilder 1978");
    const { score, grade, direction } = known;
    for (const { value, without } of drivers)
      if (value === null) expect(without).toEqual({ score, grade, direction });
    expect(drivers.some(({ without }) => without.score !== score)).toBe(true);
  });

  it("dates price drivers by the decision bar and fact drivers by the time of their fact", () => {
    const bars = syntheticBars(1, 500);
    const [last, earlier] = [bars.time[499]!, bars.time[496]!];
    const facts = { n_sent: { value: 0.5, time: earlier + 1, inputs: {} } };
    const input = inputFor(bars, { facts });
    const { drivers } = explain(input, consensus(input));
    const time = (id: string) => drivers.find((driver) => driver.id === id)!.time;
    expect([time("t_ma200"), time("n_sent"), time("k_mkt")]).toEqual([last, earlier + 1, null]);
  });

  it("returns the closes that flip direction and grade, and the smallest removal that changes the direction", () => {
    const turned = [1, 2, 3, 4, 5, 6].map((seed) => {
      const input = inputFor(syntheticBars(seed, 500));
      const known = consensus(input);
      const { flips, minimalRemoval: fewestAbsent } = explain(input, known);
      expect(flips).toEqual(nearestFlips(input, known));
      expect(fewestAbsent.direction).not.toBe(known.direction);
      return [flips.direction.price, flips.worse.price, fewestAbsent.drivers];
    });
    for (const kind of [0, 1, 2])
      expect(turned.filter((found) => found[kind] !== null).length).toBeGreaterThan(1);
  });
});
