import { describe, expect, it } from "vitest";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { pricedPictureOf } from "../../../src/features/signal/price.ts";
import { risksOf } from "../../../src/features/signal/risks.ts";
import { technicalsOf } from "../../../src/features/signal/technicals.ts";
import { climbingBars, quote, smallMarket } from "../../support/market.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";

/** The picture of AAPL with these bars, priced at the last close. */
function pictureIn(bars: Bars) {
  const { ports } = smallMarket({
    bars: { AAPL: bars, SPY: climbingBars({ step: 0.03125 }) },
    quotes: { AAPL: quote({ price: bars.close.at(-1)! }) },
  });
  const { signal } = new AbortController();
  return pricedPictureOf({ symbol: "AAPL", timeframe: "1d", signal }, ports);
}
const risksIn = async (bars: Bars) => risksOf(await pictureIn(bars), technicalsOf(bars, "equity"), []);
const changed = (bars: Bars, column: "open" | "volume", bar: number, value: number): Bars => ({
  ...bars,
  [column]: bars[column].map((known, i) => (i === bar ? value : known)),
});
const heavy = (bars: Bars): Bars => ({ ...bars, volume: bars.volume.map(() => 1e6) });

describe("risks", () => {
  it("always contain the stop, with figures", async () => {
    const [first] = await risksIn(heavy(climbingBars()));
    expect(first).toBe(
      "The LONG plan is invalid at the stop 135.87: 1.1% or 1.5 average true ranges below the close 137.38.",
    );
  });

  it("contain structure that contradicts the plan, by its newest confirmed sign", async () => {
    const picture = await pictureIn(heavy(climbingBars()));
    const { wyckoff } = picture.structure;
    const technicals = technicalsOf(picture.series.bars, "equity");
    const range = { low: 130, high: 150, from: "2025-06-02", to: "2025-10-01" };
    const sign = {
      name: "Spring",
      side: "bottom" as const,
      date: "2025-10-01",
      price: 140,
      confirmed_at: null,
      spring_type: null,
      tested_at: null,
    };
    const risks = (
      type: "SPRING" | "UTAD",
      status: "confirmed" | "void" | "pending",
      phase: (typeof wyckoff)["phase"] = "Distribution",
    ) => {
      const events = [{ ...sign, type, status }];
      const structure = { ...picture.structure, wyckoff: { ...wyckoff, phase, range, events } };
      const all = risksOf({ ...picture, structure }, technicals, []);
      return all.filter((risk) => /UTAD|SPRING|Wyckoff/.test(risk));
    };
    expect(risks("UTAD", "confirmed")).toEqual([
      "UTAD of 2025-10-01 at 140.00 contradicts the LONG side.",
      "Wyckoff Distribution, from the range 130.00 to 150.00, contradicts the LONG side.",
    ]);
    expect(risks("UTAD", "void", "Markup")).toEqual([]);
    expect(risks("UTAD", "pending", "Undetermined")).toEqual([]);
    expect(risks("SPRING", "confirmed", "Accumulation")).toEqual([]);
  });

  it("contain thin volume of the last bar", async () => {
    const bars = heavy(climbingBars());
    const turnover = (risks: readonly string[]) =>
      risks.filter((risk) => /^(Volume|Turnover) is thin/.test(risk));
    expect(turnover(await risksIn(bars))).toEqual([]);
    expect(turnover(await risksIn(changed(bars, "volume", 299, 400_000)))).toEqual([
      "Volume is thin: the last bar traded 40.0% of the mean of the previous 50.",
    ]);
    expect(turnover(await risksIn(changed(bars, "volume", 299, 500_000)))).toEqual([]);
  });

  it("contain a gap against the plan that exceeds the distance to the stop", async () => {
    const gap = (risks: readonly string[]) =>
      risks.filter((risk) => risk.includes("a stop does not protect"));
    const bars = climbingBars(); // the stop is 1.5 below a close of 137.375: 1.09%
    expect(gap(await risksIn(bars))).toEqual([]);
    // bar 280 follows a close of 134.875
    expect(gap(await risksIn(changed(bars, "open", 280, 134.875 * 0.98)))).toEqual([
      "One of the last 60 bars opened 2.0% below the previous close, more than the distance to the stop: a stop does not protect against a gap.",
    ]);
    expect(gap(await risksIn(changed(bars, "open", 230, 120)))).toEqual([]);
  });

  it("contain high volatility if the range is wide against its past", async () => {
    const wild = climbingBars({ step: -0.125, first: 200 });
    expect(await risksIn(wild)).toContain(
      "Volatility is high: an average true range of 0.61% of the close, at percentile 99.8 of its history.",
    );
    expect((await risksIn(climbingBars())).join()).not.toContain("Volatility");
  });

  it("contain a missing score and a stage against the side", async () => {
    expect(await risksIn(climbingBars({ count: 100 }))).toContain(
      "There is no score: A score needs 252 bars, there are 100.",
    );
    // 251 bars have no score, so the watched side is long; they fall
    const risks = await risksIn(climbingBars({ count: 251, step: -0.25, first: 200 }));
    expect(risks.find((risk) => risk.startsWith("Weinstein"))).toMatch(
      /^Weinstein stage 4, declining, contradicts the LONG side; the close 137\.50 is \d+\.\d% below the 30-week average \d+\.\d\d\.$/,
    );
  });

  it("contain figures and complete sentences", async () => {
    for (let seed = 1; seed <= 40; seed++) {
      const bars = syntheticBars(seed, 300);
      const shift = Date.UTC(2026, 0, 14) - bars.time.at(-1)!;
      for (const risk of await risksIn({ ...bars, time: bars.time.map((time) => time + shift) })) {
        expect(risk).toMatch(/\d/);
        expect(risk).toMatch(/\.$/);
        expect(risk).not.toMatch(/NaN|undefined|null|Infinity/);
      }
    }
  });
});
