import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { greeksOf, yearsUntil } from "../../../src/analytics/flow/black-scholes.ts";
import { middleOf } from "../../../src/analytics/flow/contract.ts";
import { ivAt30Days, smilesOf } from "../../../src/analytics/flow/smile.ts";
import type { OptionChain } from "../../../src/domain/options-flow/options.ts";
import type { OptionChainAnswer, PutCallsAnswer } from "../../../src/domain/ports.ts";
import { LISTINGS } from "../../../src/providers/sample/listing.ts";
import { sampleMarket, sampleMarketId } from "../../../src/providers/sample/market.ts";
import { createOptionConditions, PLANTED_LEAN } from "../../../src/providers/sample/option-conditions.ts";
import { recordingsOf } from "../../../src/providers/sample/recordings.ts";

const DAY = 86_400_000;
const NOW = Date.parse("2026-01-15T15:00:00Z");
const marketAt = (now: number) => sampleMarket({ clock: { now: () => new Date(now) } });
const named = (symbol: string) => LISTINGS.find(({ instrument }) => instrument.symbol === symbol)!.instrument;
const told = async (symbol: string, now = NOW) =>
  (await marketAt(now).chains.chain(named(symbol))) as OptionChainAnswer;
const SYMBOLS = ["AAPL", "NVDA", "KO", "SPY", "BRK.B"];
const chains: readonly OptionChain[] = await Promise.all(
  SYMBOLS.map(async (symbol) => (await told(symbol)).chain),
);

describe("simulated chains", () => {
  it("are of the price of the moment, several hundred contracts on a grid of strikes and Fridays", async () => {
    for (const chain of chains) {
      const { symbol, price } = chain.underlying;
      expect((await marketAt(NOW).quotes.latest(named(symbol))).price).toBe(price);
      expect(chain.asOf).toBe(new Date(NOW).toISOString());
      expect(chain.contracts.length).toBeGreaterThan(100);
      expect(new Set(chain.contracts.map((one) => one.symbol)).size).toBe(chain.contracts.length);
      for (const { expiry, symbol: name } of chain.contracts) {
        expect(new Date(expiry).getUTCDay()).toBe(5);
        expect(name).toMatch(/^[A-Z]{1,6}\d{6}[CP]\d{8}$/);
      }
      const strikes = chain.contracts.map(({ strike }) => strike);
      expect(Math.min(...strikes)).toBeLessThan(price!);
      expect(Math.max(...strikes)).toBeGreaterThan(price!);
    }
  });

  it("are priced by the volatility they tell: greeks agree, calls and puts of a strike are at par", () => {
    for (const { contracts, underlying } of chains)
      for (const one of contracts) {
        const spot = underlying.price!;
        const own = greeksOf({ ...one, spot, iv: one.iv!, years: yearsUntil(one.expiry, NOW) })!;
        expect(one.delta).toBeCloseTo(own.delta, 2);
        expect(one.bid === null || one.bid < one.ask!).toBe(true);
        const other = contracts.find(
          ({ expiry, strike, type }) => expiry === one.expiry && strike === one.strike && type !== one.type,
        )!;
        if (one.type !== "call") continue;
        const [up, down] = [middleOf(one), middleOf(other)];
        if (up !== null && down !== null)
          expect(Math.abs(up - down - (spot - one.strike))).toBeLessThan(0.03);
      }
  });

  it("have puts dearer than the middle, as their kept days tell it", async () => {
    for (const [i, chain] of chains.entries()) {
      const smiles = smilesOf(chain);
      const [atm, put] = [ivAt30Days(smiles, "atm")!, ivAt30Days(smiles, "put")!];
      expect(put).toBeGreaterThan(atm);
      // the day's own curve, told when it is over
      const [own] = await marketAt(NOW + DAY).flowDays.days(SYMBOLS[i]!, { until: NOW + DAY, limit: 1 });
      expect(own!.day).toBe("2026-01-15");
      expect(atm / own!.atmIv!).toBeCloseTo(1, 1);
      expect(put / own!.putIv!).toBeCloseTo(1, 1);
    }
  });

  it("come by midnight to what the day is told to have come to", async () => {
    const end = Date.parse("2026-01-16T00:00:00Z");
    for (const symbol of SYMBOLS) {
      const { contracts } = (await told(symbol, end)).chain;
      const sum = (type: string) =>
        contracts.reduce((all, one) => all + (one.type === type ? one.volume! : 0), 0);
      const [day] = await marketAt(end).flowDays.days(symbol, { until: end, limit: 1 });
      expect([sum("call"), sum("put")]).toEqual([day!.callVolume, day!.putVolume]);
    }
  });

  it("grow in volume through the day, and tell a chain of a quarter of an hour before", async () => {
    const { chain, earlier } = await told("NVDA");
    expect(Date.parse(chain.asOf) - Date.parse(earlier!.asOf)).toBe(900_000);
    const before = new Map(earlier!.contracts.map(({ symbol, volume }) => [symbol, volume!]));
    for (const { symbol, volume } of chain.contracts)
      expect(volume).toBeGreaterThanOrEqual(before.get(symbol)!);
  });

  it("know nothing later than their clock", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("AAPL", "SPY", "KO"),
        fc.integer({ min: Date.UTC(2018, 0, 1), max: NOW }),
        async (symbol, now) => {
          const until = { until: now, limit: 70 };
          const later = marketAt(NOW + 400 * DAY);
          const days = await marketAt(now).flowDays.days(symbol, { until: NOW, limit: 70 });
          expect(days.every(({ at }) => at <= now)).toBe(true);
          expect(await later.flowDays.days(symbol, until)).toEqual(days);
          const [one, again] = [await told(symbol, now), await told(symbol, now)];
          expect(again).toEqual(one);
        },
      ),
      { numRuns: 15 },
    );
  });

  it("are none of coins, of strangers and of the first days", async () => {
    const none = { untold: "not_covered", reason: "No options on BTC-USD are listed here" };
    expect(await marketAt(NOW).chains.chain(named("BTC-USD"))).toEqual(none);
    expect(await marketAt(NOW).chains.chain({ ...named("AAPL"), symbol: "ZZZZ" })).toMatchObject({
      untold: "not_covered",
    });
    expect(await told("AAPL", Date.UTC(2017, 0, 20))).toMatchObject({ untold: "not_covered" });
    expect(await marketAt(NOW).flowDays.days("BTC-USD", { until: NOW, limit: 9 })).toEqual([]);
  });
});

describe("the simulated share of puts", () => {
  it("leans against planted outcomes by the strength that is stated", () => {
    const recordings = recordingsOf(sampleMarketId());
    const moods = createOptionConditions();
    const sums = { up: { odds: 0, days: 0 }, down: { odds: 0, days: 0 } };
    for (const { instrument } of LISTINGS.filter((one) => one.instrument.asset_class === "equity")) {
      const recording = recordings(instrument.symbol)!;
      for (let day = 400; day < 3_200; day += 9) {
        const planted = recording.path.planted(day);
        if (planted === null) continue;
        const { sign, outcome } = planted.planting;
        const own = sums[sign * (outcome === "hold" ? 1 : -1) > 0 ? "up" : "down"];
        const { puts, calls } = moods(recording, day)!;
        own.odds += Math.log(puts / calls);
        own.days++;
      }
    }
    expect(Math.min(sums.up.days, sums.down.days)).toBeGreaterThan(2_000);
    const lean = sums.down.odds / sums.down.days - sums.up.odds / sums.up.days;
    expect(lean).toBeGreaterThan(1.4 * PLANTED_LEAN);
    expect(lean).toBeLessThan(2.6 * PLANTED_LEAN);
  });
});

describe("simulated put/call ratios", () => {
  it("sum stocks and funds day by day, none of an index", async () => {
    const { putCalls, flowDays } = marketAt(NOW);
    const { days, source, stale } = (await putCalls.days({ until: NOW, limit: 3 })) as PutCallsAnswer;
    expect([source, stale, days.length]).toEqual(["sample", false, 3]);
    const last = days[2]!;
    expect(last).toMatchObject({ day: "2026-01-14", at: Date.parse("2026-01-15"), index: null });
    let [puts, calls] = [0, 0];
    for (const { instrument } of LISTINGS) {
      const [one] = await flowDays.days(instrument.symbol, { until: NOW, limit: 1 });
      puts += one?.putVolume ?? 0;
      calls += one?.callVolume ?? 0;
    }
    expect([last.putVolume, last.callVolume]).toEqual([puts, calls]);
    expect(last.total).toBeCloseTo(puts / calls, 4);
    expect(last.etp!).toBeGreaterThan(last.equity!);
  });
});
