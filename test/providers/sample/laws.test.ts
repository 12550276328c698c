import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Instrument } from "../../../src/domain/market/market.ts";
import type { PutCallsAnswer } from "../../../src/domain/ports.ts";
import { draws } from "../../support/draws.ts";
import { DAY, listed, marketAt, UNLISTED } from "./fixture.ts";

const NOW = Date.UTC(2026, 0, 15, 15);

interface Range {
  readonly from: number;
  readonly until: number;
}
/** Rows of a port for a period, each with the time at which it became known, in epoch milliseconds. */
type Read = (
  market: ReturnType<typeof marketAt>,
  instrument: Instrument,
  range: Range,
) => Promise<readonly (readonly [row: unknown, knownAt: number])[]>;

const PORTS: readonly (readonly [name: string, symbols: readonly string[], read: Read])[] = [
  [
    "headlines",
    ["AAPL", "DOGE-USD", "SPY"],
    async ({ news }, instrument, range) =>
      (await news.headlines(instrument, range))!.headlines.map((row) => [row, row.publishedAt]),
  ],
  [
    "prints",
    ["AAPL", "DOGE-USD", "SPY"],
    async ({ prints }, instrument, range) =>
      (await prints.tape(instrument, range))!.prints.map((row) => [row, row.reportedAt]),
  ],
  [
    "off-exchange days",
    ["NVDA", "SPY"],
    async ({ offExchange }, instrument, range) =>
      (await offExchange.days(instrument, range))!.rows.map((row) => [row, row.knownAt]),
  ],
  [
    "off-exchange weeks",
    ["NVDA", "SPY"],
    async ({ offExchange }, instrument, range) =>
      (await offExchange.weeks(instrument, range))!.rows.map((row) => [row, row.knownAt]),
  ],
  [
    "option flow days",
    ["AAPL", "SPY", "KO"],
    async ({ flowDays }, { symbol }, { until }) =>
      (await flowDays.days(symbol, { until, limit: 70 })).map((row) => [row, row.at]),
  ],
  [
    "option trades",
    ["AAPL", "SPY", "KO"],
    async ({ flowTape }, instrument, range) => {
      const answer = await flowTape.trades(instrument, range);
      return "unavailable" in answer ? [] : answer.trades.map((row) => [row, row.executedAt]);
    },
  ],
  [
    "put/call ratios",
    ["AAPL"],
    async ({ putCalls }, _, { until }) =>
      ((await putCalls.days({ until, limit: 5 })) as PutCallsAnswer).days.map((row) => [row, row.at]),
  ],
  [
    "contracts",
    ["NVDA", "BTC-USD"],
    async ({ contracts }, { symbol }, { until }) =>
      (await contracts.search({ texts: [symbol, "recession"], asOf: until }))!.contracts.map((row) => [
        row,
        Date.parse(row.as_of),
      ]),
  ],
  [
    "earnings reports",
    ["AAPL", "XOM", "LLY"],
    async ({ earnings }, instrument, { until }) => {
      const { reports, next } = await earnings.reports(instrument, { asOf: until });
      return [[next, 0], ...reports.map((row) => [row, row.reportedAt!] as const)];
    },
  ],
];

describe("the ports of the sample market", () => {
  it.each(PORTS)(
    "return the same past %s at any later clock time, and none that are not known yet",
    async (...row) => {
      const [name, symbols, read] = row;
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...symbols),
          fc.integer({ min: Date.UTC(2017, 0, 2), max: NOW }),
          fc.nat({ max: 40 * DAY }),
          fc.nat({ max: 400 * DAY }),
          async (symbol, now, back, later) => {
            const from = now - back;
            const then = await read(marketAt(now), listed(symbol), { from, until: now + 9 * DAY });
            expect(await read(marketAt(now + later), listed(symbol), { from, until: now })).toEqual(then);
            for (const [, knownAt] of then) expect(knownAt).toBeLessThanOrEqual(now);
          },
        ),
        { numRuns: name === "put/call ratios" ? 15 : draws(120) },
      );
    },
  );

  const whole = { from: 0, until: NOW };
  it("give the reason for an unlisted symbol", async () => {
    const { news, prints, offExchange, chains } = marketAt(NOW);
    const gap = "The simulated market does not list ZZZZ";
    expect(await news.headlines(UNLISTED, whole)).toMatchObject({
      headlines: [],
      uncovered: "The sample market has no news of this symbol",
    });
    expect(await prints.tape(UNLISTED, whole)).toMatchObject({ prints: [], asOf: null, gap });
    for (const kind of ["days", "weeks", "byPrice"] as const)
      expect(await offExchange[kind](UNLISTED, whole)).toMatchObject({ rows: [], gap });
    expect(await chains.chain(UNLISTED)).toMatchObject({ unavailable: "not_covered" });
  });

  it("have no data before 2017", async () => {
    const { news, prints, congress } = marketAt(NOW);
    const before = { from: 0, until: Date.UTC(2016, 11, 31) };
    expect((await news.headlines(listed("AAPL"), before))!.headlines).toEqual([]);
    expect((await prints.tape(listed("AAPL"), before))!.prints).toEqual([]);
    const { trades } = await congress.disclosures({ from: "2010-01-01", until: "2016-12-31" });
    expect(trades).toEqual([]);
  });
});
