import { describe, expect, it } from "vitest";
import { wyckoffEvents } from "../../../src/analytics/wyckoff/events.ts";
import { sliceBars } from "../../../src/domain/market/bars.ts";
import { ElliottBlock, WyckoffBlock } from "../../../src/domain/signal/structure.ts";
import { highlightsOf } from "../../../src/features/nightly/scan.ts";
import { structureOf } from "../../../src/features/signal/structure.ts";
import { waveTape } from "../../analytics/elliott/wave-tape.ts";
import { climbingBars } from "../../support/market.ts";
import { wanderingBars } from "../../support/wyckoff-tape.ts";

const day = (time: number) => new Date(time).toISOString().slice(0, 10);

describe("market structure", () => {
  it("returns an Elliott count with its path by date, targets and invalidation", () => {
    const bars = waveTape(120, 100, 130, 115, 140);
    const { elliott } = structureOf(bars);
    const shown = ElliottBlock.parse(elliott);
    expect(Object.keys(shown).sort()).toEqual(Object.keys(elliott).sort());
    expect(shown.guidelines_met).toBeCloseTo(elliott.guidelines_met!, 4);
    expect(shown).toMatchObject({
      available: true,
      label: "Wave 3 of 5",
      pattern: "impulse",
      direction: "up",
      target: 145.5,
      invalidation: 114.5,
      rivals: 0,
      violated: [],
      reason: null,
      path: [
        { wave: "0", date: day(bars.time[20]!), price: 99.5 },
        { wave: "1", date: day(bars.time[50]!), price: 130.5 },
        { wave: "2", date: day(bars.time[65]!), price: 114.5 },
      ],
    });
    expect(elliott.targets[0]).toEqual({ ratio: 1, price: 145.5 });
  });

  it("returns the Wyckoff phase with its range and events by date, as detected", () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const bars = wanderingBars(seed, 500);
      const { wyckoff } = structureOf(bars);
      expect(WyckoffBlock.parse(wyckoff)).toEqual(wyckoff);
      const known = wyckoffEvents(bars).map(({ type, bar, price, status }) => ({
        type,
        date: day(bars.time[bar]!),
        price,
        status,
      }));
      const barOf = new Map(Array.from(bars.time, (time, bar) => [day(time), bar]));
      for (const { type, side, date, price } of wyckoff.events) {
        const extreme = (side === "top" ? bars.high : bars.low)[barOf.get(date)!];
        if (type !== "SOS" && type !== "SOW") expect([type, date, price]).toEqual([type, date, extreme]);
      }
      for (const { type, date, price, status } of wyckoff.events)
        expect(known).toContainEqual({ type, date, price, status });
      expect(highlightsOf(wyckoff).map(({ status }) => String(status))).not.toContain("void");
    }
  });

  it("names each Wyckoff event, and says on which side of its bar it lies", () => {
    const events = Array.from({ length: 240 }, (_, seed) =>
      structureOf(wanderingBars(seed + 1, 500)),
    ).flatMap(({ wyckoff }) => wyckoff.events);
    const named = new Set(events.map(({ type, name, side }) => `${type} ${side}: ${name}`));
    expect([...named].sort()).toEqual([
      "AR bottom: Automatic reaction",
      "AR top: Automatic rally",
      "BC top: Buying climax",
      "BU bottom: Back-up",
      "LPS bottom: Last point of support",
      "LPSY top: Last point of supply",
      "PS bottom: Preliminary support",
      "PSY top: Preliminary supply",
      "SC bottom: Selling climax",
      "SOS top: Sign of strength",
      "SOW bottom: Sign of weakness",
      "SPRING bottom: Spring",
      "ST bottom: Secondary test",
      "ST top: Secondary test",
      "UT top: Upthrust",
      "UTAD top: Upthrust after distribution",
    ]);
  });

  it.each([
    ["prices that do not move", { ...climbingBars({ step: 0 }) }],
    ["one bar", sliceBars(climbingBars(), 0, 1)],
    ["no bars", sliceBars(climbingBars(), 0, 0)],
    ["no volume", { ...climbingBars(), volume: new Float64Array(300) }],
    ["a volume that is no number", { ...climbingBars(), volume: new Float64Array(300).fill(Number.NaN) }],
  ])("returns nothing for %s, with the reason", (_, bars) => {
    const { wyckoff, elliott } = structureOf(bars);
    expect(wyckoff).toMatchObject({ phase: "Undetermined", sub_phase: null, range: null, events: [] });
    expect(wyckoff.narrative).toMatch(/^Undetermined: \w/);
    expect(elliott).toMatchObject({ available: false, label: null, target: null, path: [] });
    expect(elliott.reason).toMatch(/\w/);
  });
});
