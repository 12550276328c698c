import { describe, expect, it } from "vitest";
import { sidesOf } from "../../../src/analytics/conviction/side.ts";
import { testsIn } from "../../../src/analytics/conviction/tests.ts";
import { blockFact } from "../../../src/analytics/drivers/off-exchange-facts.ts";
import { atr } from "../../../src/analytics/indicators/atr.ts";
import { PRINT_CONDITIONS } from "../../../src/domain/off-exchange/prints.ts";
import { LISTINGS } from "../../../src/providers/sample/listing.ts";
import { between, DAY, freshRecordings, listed, marketAt } from "./fixture.ts";

const NOW = Date.UTC(2026, 0, 1);
const read = async (symbol: string, from: number, until: number) =>
  (await marketAt(NOW).prints.tape(listed(symbol), { from, until }))!.prints;
const year = await read("NVDA", NOW - 730 * DAY, NOW);

describe("sample prints", () => {
  it("are ordered by report time, each a whole number of shares at a positive price", () => {
    expect(year.length).toBeGreaterThan(300);
    const reports = year.map(({ reportedAt }) => reportedAt);
    expect(reports).toEqual([...reports].sort((a, b) => a - b));
    for (const { price, size, executedAt, reportedAt, nbbo } of year) {
      expect(price > 0 && size >= 1 && Number.isInteger(size) && executedAt < reportedAt).toBe(true);
      if (nbbo !== null) expect(nbbo.bid <= price && price <= nbbo.ask && nbbo.bid < nbbo.ask).toBe(true);
    }
  });

  it("have a price within their day's range unless a condition says otherwise", async () => {
    const { bars } = await marketAt(NOW).bars.history(listed("NVDA"), { timeframe: "1d", limit: 731 });
    for (const { price, executedAt, conditions } of year) {
      const day = bars.time.indexOf(Math.floor((executedAt - 1) / DAY) * DAY);
      if (conditions.length > 0 || day < 0) continue;
      expect(price).toBeGreaterThanOrEqual(bars.low[day]!);
      expect(price).toBeLessThanOrEqual(bars.high[day]!);
    }
  });

  it("include every condition, small sizes and cancellations", () => {
    expect(new Set(year.flatMap(({ conditions }) => conditions))).toEqual(new Set(PRINT_CONDITIONS));
    const small = year.filter(({ price, size }) => price * size < 1e6);
    expect(small.length).toBeGreaterThan(year.length / 4);
    const cancelled = year.filter(({ conditions }) => conditions.includes("cancelled"));
    for (const { id, reportedAt } of cancelled)
      if (reportedAt > year[0]!.reportedAt + DAY) {
        const own = year.filter((print) => print.id === id);
        expect(own.map(({ conditions }) => conditions.length)).toEqual([0, 1]);
      }
    const ids = year.filter(({ conditions }) => !conditions.includes("cancelled")).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("cluster at planted levels, a million dollars or more each", () => {
    const gathered = year.filter(({ id }) => id.includes("level"));
    expect(gathered.length).toBeGreaterThan(5);
    for (const { price, size } of gathered) expect(price * size).toBeGreaterThan(1e6);
  });
});

describe("the large print of a day", async () => {
  const DAYS = 500;
  const from = NOW - DAYS * DAY;
  const blocks = (await read("AAPL", from, NOW)).filter(({ id }) => id.endsWith("-block"));
  const { bars } = await marketAt(NOW).bars.history(listed("AAPL"), { timeframe: "1d", limit: DAYS + 2 });

  it("exists on every day of a stock or fund, with quotes that show its side", async () => {
    const days = new Set(blocks.map(({ executedAt }) => Math.floor((executedAt - 1) / DAY)));
    expect(days.size).toBe(DAYS);
    expect(sidesOf(blocks).every(({ basis }) => basis === "quote")).toBe(true);
    expect(blocks.every(({ price, size }) => price * size > 1e6)).toBe(true);
  });

  it("is more often a purchase if the price has risen since the previous close, and a sale if it has fallen", () => {
    const sides = sidesOf(blocks);
    const agreeing = blocks.filter(({ price, executedAt }, i) => {
      const day = bars.time.indexOf(Math.floor((executedAt - 1) / DAY) * DAY);
      return Math.sign(price - bars.close[day - 1]!) === sides[i]!.sign;
    });
    // Even odds would give 250, with a standard deviation of 11.
    between(agreeing.length, DAYS / 2 + 3 * 11, 0.8 * DAYS);
  });

  it("gives d_block a value on every day", async () => {
    for (const back of [0, 1, 7, 100]) {
      const asOf = NOW - back * DAY;
      const { bars } = await marketAt(NOW).bars.history(listed("AAPL"), { timeframe: "1d", limit: 60, asOf });
      const fact = blockFact(await read("AAPL", bars.time[0]!, asOf), bars);
      expect(Math.abs(fact!.value)).toBeGreaterThan(0);
    }
  });
});

describe("sample prints of the whole market", () => {
  it("are those of every member from a minimum size, ordered by report time", async () => {
    const { prints } = marketAt(NOW);
    const range = { from: NOW - 3 * DAY, until: NOW };
    const all = (await prints.market({ ...range, minNotional: 1e6 }))!.prints;
    const single = await Promise.all(
      LISTINGS.map(async ({ instrument }) =>
        (await prints.tape(instrument, range))!.prints.filter(({ price, size }) => price * size >= 1e6),
      ),
    );
    expect(all.length).toBe(single.flat().length);
    expect(new Set(all.map(({ symbol }) => symbol)).size).toBeGreaterThan(20);
    const reports = all.map(({ reportedAt }) => reportedAt);
    expect(reports).toEqual(reports.toSorted((a, b) => a - b));
  });
});

describe("planted levels", () => {
  it("reject later touches if they hold and are crossed if they fail", async () => {
    const recordings = freshRecordings();
    const lasts = { hold: [] as boolean[], fail: [] as boolean[] };
    for (const { instrument, scale } of LISTINGS) {
      const { bars } = await marketAt(NOW).bars.history(instrument, { timeframe: "1d", limit: 5_000 });
      const tests = testsIn(bars, atr(bars.high, bars.low, bars.close));
      const { path } = recordings(instrument.symbol)!;
      for (const { kind, bars: at, outcome } of path.truths(bars.close.length - 1)) {
        // Support is approached from above, which is the case in accumulation structures.
        if (kind !== "accumulation" || outcome === null) continue;
        const { first, planting, priceOf } = path.planted(at.spring!)!;
        if (first + 150 > bars.close.length) continue;
        const { level, to } = planting.plan.printLevels[0]!;
        const last = tests([{ from: first + to + 1, price: priceOf(level) / scale, days: 1 }], [])
          .filter(({ touched }) => touched < first + 150)
          .at(-1);
        if (last !== undefined) lasts[outcome].push(last.held);
      }
    }
    expect(lasts.hold.length).toBeGreaterThan(60);
    expect(lasts.fail.length).toBeGreaterThan(20);
    expect(new Set(lasts.hold)).toEqual(new Set([true]));
    expect(new Set(lasts.fail)).toEqual(new Set([false]));
  });
});
