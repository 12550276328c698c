import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EntryPlan, entryOddsOf } from "../../../src/analytics/odds/entry-odds.ts";
import { oddsOf, PATHS } from "../../../src/analytics/odds/odds.ts";
import { sliceBars } from "../../../src/domain/market/bars.ts";
import { draws } from "../../support/draws.ts";
import { barsAround, syntheticBars } from "../../support/synthetic-bars.ts";
import type { PlainBar } from "./plain.ts";

const ASSET = { symbol: "AAPL", assetClass: "equity" } as const;
const BARS = syntheticBars(7, 400);
const CLOSE = BARS.close.at(-1)!;

/** How an order ends in one window, in prices: `open` before its fill. */
function plainEnd(window: readonly PlainBar[], plan: EntryPlan) {
  const up = plan.side === "LONG";
  const reaches = (bar: PlainBar, price: number, isAbove: boolean) =>
    isAbove ? bar.high >= price : bar.low <= price;
  const isWorse = (price: number, than: number) => (up ? price > than : price < than);
  let waits: { kind: EntryPlan["kind"]; price: number } | null = { kind: plan.kind, price: plan.entry };
  let fill = 0;
  for (const bar of window) {
    if (waits !== null) {
      const { kind, price } = waits;
      if (!reaches(bar, price, up === (kind === "stop"))) continue;
      const isBeyond = kind === "stop" ? isWorse(bar.open, price) : isWorse(price, bar.open);
      fill = isBeyond ? bar.open : price;
      if (plan.limit != null && isWorse(fill, plan.limit)) {
        waits = { kind: "limit", price: plan.limit };
        continue;
      }
      waits = null;
      if (kind === "limit" && reaches(bar, plan.stop!, !up))
        return { end: "stop", loss: Math.abs(fill - (isWorse(plan.stop!, fill) ? fill : plan.stop!)) / fill };
      continue;
    }
    const opensAtTarget = up ? bar.open >= plan.target! : bar.open <= plan.target!;
    if (reaches(bar, plan.stop!, !up) && !opensAtTarget) {
      const exit = isWorse(plan.stop!, bar.open) ? bar.open : plan.stop!;
      return { end: "stop", loss: Math.abs(fill - exit) / fill };
    }
    if (reaches(bar, plan.target!, up)) return { end: "target", loss: 0 };
  }
  return { end: waits === null ? "neither" : "unfilled", loss: 0 };
}

describe("the odds of an order that waits", () => {
  it("count its ends in past windows as the plain rules do, for any order", () => {
    const orders = fc.record({
      side: fc.constantFrom("LONG", "SHORT"),
      kind: fc.constantFrom("limit", "stop"),
      distance: fc.double({ min: 0.002, max: 0.06, noNaN: true }),
      risk: fc.double({ min: 0.004, max: 0.08, noNaN: true }),
      reward: fc.double({ min: 0.004, max: 0.12, noNaN: true }),
      room: fc.option(fc.double({ min: -0.01, max: 0.02, noNaN: true })),
      bars: fc.integer({ min: 1, max: 30 }),
    });
    fc.assert(
      fc.property(orders, ({ side, kind, distance, risk, reward, room, bars }) => {
        const up = side === "LONG" ? 1 : -1;
        const entry = 1 + up * (kind === "limit" ? -1 : 1) * distance;
        const plan: EntryPlan = {
          side,
          kind,
          bars,
          entry,
          limit: kind === "limit" || room === null ? null : entry * (1 + up * room),
          stop: entry * (1 - up * risk),
          target: entry * (1 + up * reward),
        };
        const windows = Array.from({ length: BARS.close.length - bars }, (_, from) =>
          Array.from({ length: bars }, (_, i) => {
            const at = (column: Float64Array) => column[from + 1 + i]! / BARS.close[from]!;
            return { open: at(BARS.open), high: at(BARS.high), low: at(BARS.low), close: at(BARS.close) };
          }),
        );
        const ends = windows.map((window) => plainEnd(window, plan));
        const counted = (name: string) => ends.filter(({ end }) => end === name).length;
        const { past } = entryOddsOf({ bars: BARS, ...ASSET, from: 1, plan }) as Extract<
          ReturnType<typeof entryOddsOf>,
          { reason: null }
        >;
        expect(past).toEqual({
          windows: windows.length,
          filled: windows.length - counted("unfilled"),
          stop: counted("stop"),
          target: counted("target"),
          neither: counted("neither"),
          stopLosses: expect.closeTo(
            ends.reduce((sum, { loss }) => sum + loss, 0),
            9,
          ),
        });
      }),
      { numRuns: draws(60) },
    );
  });

  it("use the paths of a trade that starts now: a price that always trades fills in all of them", () => {
    const plan = { side: "LONG", stop: CLOSE * 0.95, target: CLOSE * 1.1, bars: 20 } as const;
    const now = oddsOf({ bars: BARS, ...ASSET, horizons: [], plan }).odds!.plan!.odds;
    // a limit at which the first open fills: only the target inside the first bar counts differently
    const limit = { ...plan, kind: "limit", entry: CLOSE * 1.09 } as const;
    const { paths } = entryOddsOf({ bars: BARS, ...ASSET, from: CLOSE, plan: limit });
    expect(paths).toMatchObject({ windows: PATHS, filled: PATHS });
    expect(Math.abs(paths!.stop / PATHS - now.stop)).toBeLessThan(0.002);
    expect(Math.abs(paths!.target / PATHS - now.target)).toBeLessThan(0.002);
  });

  it("are known by hand: filled at the open beyond a limit, and stopped in the same bar", () => {
    // 139 windows of one bar, of which only the last moves
    const rest = <T>(value: T, last: T): readonly T[] => [...Array<T>(139).fill(value), last];
    const columns = { high: rest(100.5, 98), low: rest(99.5, 94) };
    const bars = { ...barsAround(rest(100, 96), columns), open: Float64Array.from(rest(100, 97)) };
    const plan = { side: "LONG", kind: "limit", entry: 98, stop: 95, target: 110, bars: 1 } as const;
    const { past } = entryOddsOf({ bars, ...ASSET, from: 100, plan }) as { past: unknown };
    const counts = { windows: 139, filled: 1, stop: 1, target: 0, neither: 0 };
    expect(past).toEqual({ ...counts, stopLosses: expect.closeTo(2 / 97, 12) });
  });

  it("have the reason of odds when there are none", () => {
    const plan = { side: "LONG", kind: "limit", entry: 1, stop: null, target: null, bars: 20 } as const;
    expect(entryOddsOf({ bars: sliceBars(BARS, 300), ...ASSET, from: CLOSE, plan })).toEqual({
      paths: null,
      reason: "Odds need 120 bars, there are 100",
    });
  });
});
