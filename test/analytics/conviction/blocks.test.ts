import { describe, expect, it } from "vitest";
import { blocksOf } from "../../../src/analytics/conviction/blocks.ts";
import { PRINT_CONDITIONS, type Print } from "../../../src/domain/off-exchange/prints.ts";
import { printAt } from "../../support/prints.ts";
import { barsAround } from "../../support/synthetic-bars.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Five UTC days at 100; each day trades $1bn, so .5% of a day is $5M and $1M is .1%. */
const bars = barsAround(new Array(5).fill(100), { volume: new Array(5).fill(1e7) });
const noon = (bar: number) => bars.time[0]! + bar * DAY + 12 * HOUR;
const pricesOf = (prints: readonly Print[], market = bars) =>
  blocksOf(prints, market).map(({ print }) => print.price);

describe("blocksOf", () => {
  it("values a print in dollars and in average days, and returns the bar from which it counts", () => {
    const print = printAt(noon(1));
    expect(blocksOf([print], bars)).toEqual([{ print, notional: 2e6, days: 0.002, from: 2 }]);
  });

  it("includes prints of at least $1M, or .5% of an average day if that is less", () => {
    const thin = barsAround(new Array(5).fill(100), { volume: new Array(5).fill(1e5) });
    const at = (size: number) => [printAt(noon(1), { size })];
    expect([9_999, 10_000].map((size) => pricesOf(at(size)).length)).toEqual([0, 1]);
    expect([499, 500].map((size) => pricesOf(at(size), thin).length)).toEqual([0, 1]);
  });

  it.each(PRINT_CONDITIONS)("drops %s prints", (condition) => {
    expect(pricesOf([printAt(noon(1), { conditions: [condition] })])).toEqual([]);
  });

  it("counts a print from its report time, not its execution time", () => {
    expect(blocksOf([printAt(noon(3), { executedAt: noon(1) })], bars)[0]!.from).toBe(4);
    expect(pricesOf([printAt(noon(4) + 12 * HOUR)])).toEqual([100]);
    expect(pricesOf([printAt(noon(4) + 12 * HOUR + 1)])).toEqual([]);
  });

  it("counts a print once, and not at all if it is cancelled", () => {
    const [first, second] = [printAt(noon(1), { id: "a" }), printAt(noon(2), { id: "b", price: 101 })];
    expect(pricesOf([first, second, { ...first, reportedAt: noon(3) }])).toEqual([100, 101]);
    const cancel = { ...first, reportedAt: noon(3), conditions: ["cancelled"] } as const;
    expect(pricesOf([first, second, cancel])).toEqual([101]);
    expect(pricesOf([first, second, { ...cancel, reportedAt: noon(9) }])).toEqual([100, 101]);
  });

  it("sorts by report and then by content", () => {
    const prints = [
      printAt(noon(2), { id: "a", price: 103 }),
      printAt(noon(2), { id: "b", price: 102 }),
      printAt(noon(1), { id: "c", price: 104 }),
    ];
    expect(pricesOf(prints)).toEqual([104, 102, 103]);
  });

  it("drops what cannot be measured: invalid numbers, prints before the first bar, a market without volume", () => {
    expect(
      pricesOf([
        printAt(noon(1), { id: "a", price: Number.NaN }),
        printAt(noon(1), { id: "b", size: -20_000 }),
        printAt(Number.NaN, { id: "c" }),
        printAt(noon(-1), { id: "d" }),
      ]),
    ).toEqual([]);
    expect(
      pricesOf([printAt(noon(1))], barsAround(new Array(5).fill(100), { volume: new Array(5).fill(0) })),
    ).toEqual([]);
    expect(pricesOf([printAt(noon(1))], barsAround([]))).toEqual([]);
  });
});
