import { describe, expect, it } from "vitest";
import { greeksOf, midPrice, yearsUntil } from "../../../src/analytics/flow/contract.ts";
import { ivAt30Days, smilesOf } from "../../../src/analytics/flow/smile.ts";
import type { OptionChain } from "../../../src/domain/options-flow/options.ts";
import type { OptionChainAnswer, PutCallsAnswer } from "../../../src/domain/ports.ts";
import { LISTINGS } from "../../../src/providers/sample/listing.ts";
import { createOptionConditions, PLANTED_LEAN } from "../../../src/providers/sample/option-conditions.ts";
import { between, DAY, freshRecordings, listed, marketAt, mean, STOCKS } from "./fixture.ts";

const NOW = Date.parse("2026-01-15T15:00:00Z");
const chainOf = async (symbol: string, now = NOW) =>
  (await marketAt(now).chains.chain(listed(symbol))) as OptionChainAnswer;
const SYMBOLS = ["AAPL", "NVDA", "KO", "SPY", "BRK.B"];
const chains: readonly OptionChain[] = await Promise.all(
  SYMBOLS.map(async (symbol) => (await chainOf(symbol)).chain),
);

describe("simulated chains", () => {
  it("are based on the current price, with several hundred contracts on a grid of strikes and Fridays", async () => {
    for (const chain of chains) {
      const { symbol, price } = chain.underlying;
      expect((await marketAt(NOW).quotes.latest(listed(symbol))).price).toBe(price);
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

  it("are priced by their volatility: greeks are consistent, and put-call parity holds", () => {
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
        const [up, down] = [midPrice(one), midPrice(other)];
        if (up !== null && down !== null)
          expect(Math.abs(up - down - (spot - one.strike))).toBeLessThan(0.03);
      }
  });

  it("have higher volatility for puts than at the money, as in the daily summary", async () => {
    for (const [i, chain] of chains.entries()) {
      const smiles = smilesOf(chain);
      const [atm, put] = [ivAt30Days(smiles, "atm")!, ivAt30Days(smiles, "put")!];
      expect(put).toBeGreaterThan(atm);
      // The day's own curve, known after its end.
      const [own] = await marketAt(NOW + DAY).flowDays.days(SYMBOLS[i]!, { until: NOW + DAY, limit: 1 });
      expect(own!.day).toBe("2026-01-15");
      expect(atm / own!.atmIv!).toBeCloseTo(1, 1);
      expect(put / own!.putIv!).toBeCloseTo(1, 1);
    }
  });

  it("sum to the volume of the day by midnight", async () => {
    const end = Date.parse("2026-01-16T00:00:00Z");
    for (const symbol of SYMBOLS) {
      const { contracts } = (await chainOf(symbol, end)).chain;
      const sum = (type: string) =>
        contracts.reduce((all, contract) => all + (contract.type === type ? contract.volume! : 0), 0);
      const [day] = await marketAt(end).flowDays.days(symbol, { until: end, limit: 1 });
      expect([sum("call"), sum("put")]).toEqual([day!.callVolume, day!.putVolume]);
    }
  });

  it("grow in volume through the day, and include the chain of 15 minutes earlier", async () => {
    const { chain, earlier } = await chainOf("NVDA");
    expect(Date.parse(chain.asOf) - Date.parse(earlier!.asOf)).toBe(900_000);
    const before = new Map(earlier!.contracts.map(({ symbol, volume }) => [symbol, volume!]));
    for (const { symbol, volume } of chain.contracts)
      expect(volume).toBeGreaterThanOrEqual(before.get(symbol)!);
  });

  it("are not covered for coins and in the first days", async () => {
    const none = { unavailable: "not_covered", reason: "The sample market lists no options on BTC-USD" };
    expect(await marketAt(NOW).chains.chain(listed("BTC-USD"))).toEqual(none);
    expect(await chainOf("AAPL", Date.UTC(2017, 0, 20))).toMatchObject({ unavailable: "not_covered" });
    expect(await marketAt(NOW).flowDays.days("BTC-USD", { until: NOW, limit: 9 })).toEqual([]);
  });
});

describe("the simulated share of puts", () => {
  it("anticipates planted outcomes with the stated strength", () => {
    const recordings = freshRecordings();
    const conditionsOn = createOptionConditions();
    const odds = { up: [] as number[], down: [] as number[] };
    for (const { symbol } of STOCKS) {
      const recording = recordings(symbol)!;
      for (let day = 400; day < 3_200; day += 9) {
        const planted = recording.path.planted(day);
        if (planted === null) continue;
        const { sign, outcome } = planted.planting;
        const { puts, calls } = conditionsOn(recording, day)!;
        odds[sign * (outcome === "hold" ? 1 : -1) > 0 ? "up" : "down"].push(Math.log(puts / calls));
      }
    }
    expect(Math.min(odds.up.length, odds.down.length)).toBeGreaterThan(2_000);
    const lean = mean(odds.down) - mean(odds.up);
    between(lean, 1.4 * PLANTED_LEAN, 2.6 * PLANTED_LEAN);
  });
});

describe("simulated put/call ratios", () => {
  it("are simulated in steps between which other events are handled", async () => {
    const { putCalls } = marketAt(NOW);
    let [turns, isDone] = [0, false];
    const count = () => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await putCalls.days({ until: NOW, limit: 1 });
    isDone = true;
    expect(turns).toBeGreaterThan(10);
  });

  it("sum stocks and funds by day, with none for indices", async () => {
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
