import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pastPlanOutcomes } from "../../../src/analytics/odds/past-windows.ts";
import {
  closeReturn,
  extremesAfter,
  planEnd,
  type TradePlan,
  tradeResult,
} from "../../../src/analytics/track/outcome.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { barsOf as tapeBars } from "../backtest/tape.ts";

type Row = readonly [open: number, high: number, low: number, close: number];
const CALM: Row = [100, 101, 99, 100];

/** A decision bar, the given bars after it, then calm bars up to 20. */
function barsOf(rows: readonly Row[], count = 20): Bars {
  const all = [CALM, ...rows, ...Array<Row>(Math.max(0, count - rows.length)).fill(CALM)];
  return tapeBars(all.map(([open, high, low, close], day) => [day, open, high, low, close]));
}

const long: TradePlan = { side: "LONG", stop: 95, target: 110 };
const of = (rows: readonly Row[], plan = long, count?: number) => tradeResult(barsOf(rows, count), 0, plan);

describe("the R result of a trade plan", () => {
  it("is measured from the next open, in units of the distance to the stop", () => {
    // (110 - 98) / (98 - 95)
    expect(
      of([
        [98, 99, 97, 98],
        [98, 111, 98, 109],
      ]),
    ).toBe(4);
  });

  it("is -1 if the stop is touched, also if stop and target are touched in one bar", () => {
    expect(of([[100, 101, 95, 100]])).toBe(-1);
    expect(of([[100, 110, 95, 105]])).toBe(-1);
  });

  it("fills at the open if a bar opens beyond the stop or the target", () => {
    // (92 - 100) / 5, (115 - 100) / 5
    expect(of([CALM, [92, 112, 90, 111]])).toBe(-1.6);
    expect(of([CALM, [115, 116, 90, 95]])).toBe(3);
  });

  it("ends at the close of the 20th bar", () => {
    const rows = [...Array<Row>(19).fill(CALM), [100, 104, 99, 102] as const, [102, 120, 102, 120] as const];
    expect(of(rows)).toBe(0.4);
  });

  it("is mirrored for SHORT", () => {
    const short: TradePlan = { side: "SHORT", stop: 105, target: 90 };
    expect(of([[102, 103, 89, 95]], short)).toBe(4);
    expect(of([CALM, [108, 109, 88, 90]], short)).toBe(-1.6);
    expect(of([[100, 105, 90, 95]], short)).toBe(-1);
  });

  it("is null if the next bar opened beyond the stop or the target", () => {
    expect(of([[95, 100, 94, 99]])).toBeNull();
    expect(of([[110, 112, 109, 111]])).toBeNull();
  });

  it("is null until 20 bars exist, even if the trade has ended", () => {
    expect(of([[100, 101, 94, 95]], long, 19)).toBeNull();
    expect(of([[100, 101, 94, 95]], long, 20)).toBe(-1);
  });

  it("is null if a bar has no prices", () => {
    expect(of([[Number.NaN, 101, 99, 100]])).toBeNull();
    expect(of([CALM, [100, 101, Number.NaN, 100]])).toBeNull();
    expect(of([CALM, [100, 101, 0, 100]])).toBeNull();
  });
});

describe("the close-to-close return", () => {
  const close = Float64Array.of(80, 100, 120, Number.NaN, 90);

  it("is a fraction of the decision bar's close", () => {
    expect(closeReturn(close, { at: 0, horizon: 2 })).toBe(0.5);
    expect(closeReturn(close, { at: 2, horizon: 2 })).toBe(-0.25);
  });

  it("is null beyond the end and without a price", () => {
    expect(closeReturn(close, { at: 0, horizon: 5 })).toBeNull();
    expect(closeReturn(close, { at: 0, horizon: 3 })).toBeNull();
    expect(closeReturn(close, { at: 3, horizon: 1 })).toBeNull();
  });
});

describe("the end of a plan from the close", () => {
  const endOf = (rows: readonly Row[], plan: Pick<TradePlan, "stop" | "target"> = long, count?: number) =>
    planEnd(barsOf(rows, count), 0, plan);

  it("is the stop if it is touched before the target or in the same bar", () => {
    expect(endOf([CALM, [100, 101, 95, 100], [100, 110, 99, 105]])).toBe("stop");
    expect(endOf([[100, 110, 95, 105]])).toBe("stop");
    expect(endOf([[92, 112, 90, 111]])).toBe("stop");
  });

  it("is the target if it is touched first or a bar opens beyond it", () => {
    expect(endOf([CALM, [100, 110, 95.1, 100], [100, 101, 95, 100]])).toBe("target");
    expect(endOf([[115, 116, 90, 95]])).toBe("target");
  });

  it("mirrors for a plan whose stop is above its target", () => {
    const short = { stop: 105, target: 90 };
    expect(endOf([[100, 105, 90, 95]], short)).toBe("stop");
    expect(endOf([[100, 104, 90, 95]], short)).toBe("target");
    expect(endOf([[88, 106, 87, 95]], short)).toBe("target");
    expect(endOf([[106, 107, 80, 95]], short)).toBe("stop");
  });

  it("is neither after 20 bars, and null before them or with a close outside the plan", () => {
    expect(endOf([])).toBe("neither");
    expect(endOf([...Array<Row>(20).fill(CALM), [100, 120, 100, 110]])).toBe("neither");
    expect(endOf([[100, 120, 100, 110]], long, 19)).toBeNull();
    expect(endOf([], { stop: 100, target: 110 })).toBeNull();
    expect(endOf([], { stop: 95, target: 100 })).toBeNull();
  });
});

it("ends a plan as past windows count its ends", () => {
  const change = fc.integer({ min: -400, max: 400 }).map((value) => value / 10_000);
  const bar = fc.tuple(change, change, fc.nat(300), fc.nat(300));
  const plans = fc.record({
    isLong: fc.boolean(),
    stop: fc.integer({ min: 1, max: 9 }),
    target: fc.integer({ min: 1, max: 9 }),
  });
  fc.assert(
    fc.property(
      fc.array(bar, { minLength: 20, maxLength: 20 }),
      plans,
      (changes, { isLong, stop, target }) => {
        let last = 100;
        const rows = changes.map(([gap, move, above, below]): Row => {
          const open = last * (1 + gap);
          last = open * (1 + move);
          const high = Math.max(open, last) * (1 + above / 10_000);
          return [open, high, Math.min(open, last) * (1 - below / 10_000), last];
        });
        const [down, up] = [100 - (isLong ? stop : target), 100 + (isLong ? target : stop)];
        const plan = isLong ? { stop: down, target: up } : { stop: up, target: down };
        const bars = barsOf(rows);
        const logs = { stop: Math.log(plan.stop / 100), target: Math.log(plan.target / 100) };
        const own = pastPlanOutcomes(bars, { side: isLong ? "LONG" : "SHORT", ...logs }, 20)!;
        expect(own.windows).toBe(1);
        expect(own[planEnd(bars, 0, plan)!]).toBe(1);
      },
    ),
  );
});

it("finds the extremes of the bars after a decision, without its own bar", () => {
  const bars = barsOf([
    [100, 104, 98, 103],
    [103, 110, 102, 104],
    [104, 130, 50, 104],
  ]);
  // the decision bar has a range of 99 to 101
  expect(extremesAfter(bars, { at: 0, horizon: 1 })).toEqual({
    highest: Math.log(1.04),
    lowest: Math.log(0.98),
  });
  expect(extremesAfter(bars, { at: 0, horizon: 2 })).toEqual({
    highest: Math.log(1.1),
    lowest: Math.log(0.98),
  });
  expect(extremesAfter(bars, { at: 1, horizon: 1 })).toEqual({
    highest: Math.log(110 / 103),
    lowest: Math.log(102 / 103),
  });
});
