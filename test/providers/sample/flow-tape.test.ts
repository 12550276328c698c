import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OptionContract, OptionTrade } from "../../../src/domain/options-flow/options.ts";
import type { OptionChainAnswer, OptionTradesAnswer, TideAnswer } from "../../../src/domain/ports.ts";
import { sampleMarket } from "../../../src/providers/sample/market.ts";
import { createOptionConditions } from "../../../src/providers/sample/option-conditions.ts";
import { listedOptions } from "../../../src/providers/sample/option-listing.ts";
import { optionTradesOn } from "../../../src/providers/sample/option-trades.ts";
import { getMarketTide } from "../../../tools/get-market-tide.ts";
import { getOptionsFlow } from "../../../tools/get-options-flow.ts";
import { type Installation, install } from "../../support/installation.ts";
import { suiteDir } from "../../support/temp-dir.ts";
import { openTransportClients, type TransportClient } from "../../support/transport-clients.ts";
import { between, correlation, DAY, freshRecordings, listed, mean } from "./fixture.ts";

const NOW = Date.parse("2026-01-15T18:02:03Z");
const TODAY = Date.parse("2026-01-15T00:00:00Z");
let now = NOW;
const market = sampleMarket({ clock: { now: () => new Date(now) } });
const optionable = market.members.filter(({ asset_class }) => asset_class !== "crypto");

async function tradesOf(symbol: string, from = TODAY): Promise<readonly OptionTrade[]> {
  return ((await market.flowTape.trades(listed(symbol), { from, until: now })) as OptionTradesAnswer).trades;
}
const tapes = new Map<string, readonly OptionTrade[]>();
for (const { symbol } of optionable) tapes.set(symbol, await tradesOf(symbol));
const all = [...tapes.values()].flat();
const net = (trades: readonly OptionTrade[], type: "call" | "put") =>
  trades.reduce((sum, one) => sum + (one.type === type ? one.askPremium! - one.bidPremium! : 0), 0);

/** The contracts of a chain by symbol, as of a time. */
async function contractsAt(symbol: string, at: number): Promise<ReadonlyMap<string, OptionContract>> {
  now = at;
  try {
    const { chain } = (await market.chains.chain(listed(symbol))) as OptionChainAnswer;
    return new Map(chain.contracts.map((contract) => [contract.symbol, contract]));
  } finally {
    now = NOW;
  }
}

describe("the simulated tape of options", () => {
  it("has sweeps over two to eight exchanges, and single trades, floor and multi-leg ones among them", () => {
    const [sweeps, single] = [all.filter(({ sweep }) => sweep), all.filter(({ sweep }) => !sweep)];
    expect(Math.min(sweeps.length, single.length)).toBeGreaterThan(100);
    expect(new Set(sweeps.map(({ trades }) => trades))).toEqual(new Set([2, 3, 4, 5, 6, 7, 8]));
    expect(new Set(single.map(({ trades }) => trades))).toEqual(new Set([1]));
    for (const flag of ["floor", "multileg"] as const) {
      between(mean(single.map((one) => (one[flag] ? 1 : 0))), 0.05, 0.35);
      expect(sweeps.some((one) => one[flag])).toBe(false);
    }
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });

  it.each(["AAPL", "NVDA", "KO", "BRK.B", "SPY"])(
    "is part of the volume of %s's chain, at its quotes of that time",
    async (symbol) => {
      const trades = tapes.get(symbol)!;
      expect(trades.length).toBeGreaterThan(2);
      for (const [i, { contract, executedAt, ...trade }] of trades.entries()) {
        const quoted = (await contractsAt(symbol, executedAt)).get(contract)!;
        const traded = trades
          .slice(0, i + 1)
          .reduce((sum, one) => sum + (one.contract === contract ? one.size : 0), 0);
        expect(traded).toBeLessThanOrEqual(quoted.volume!);
        expect(quoted).toMatchObject({ expiry: trade.expiry, type: trade.type, strike: trade.strike });
        const { price, premium, askPremium, bidPremium, sweep } = trade;
        expect(premium / (100 * trade.size)).toBeCloseTo(price, 3);
        expect(premium).toBeGreaterThanOrEqual(25_000);
        const worse = sweep ? 0.0101 : 0.0001;
        if (askPremium! > 0) {
          expect([askPremium, bidPremium]).toEqual([premium, 0]);
          between(price, quoted.ask! - 0.0001, quoted.ask! + worse);
        } else if (bidPremium! > 0) {
          expect(bidPremium).toBe(premium);
          between(price, quoted.bid! - worse, quoted.bid! + 0.0001);
        } else expect(price).toBeCloseTo((quoted.bid! + quoted.ask!) / 2, 4);
      }
    },
  );

  it("returns the trades of the range that have been executed, since 00:00 UTC like the chain's volumes", async () => {
    const trades = tapes.get("NVDA")!;
    const middle = trades[5]!.executedAt;
    now = middle - 1;
    expect(await tradesOf("NVDA")).toEqual(trades.filter(({ executedAt }) => executedAt < middle));
    now = NOW;
    expect(await tradesOf("NVDA", middle)).toEqual(trades.filter(({ executedAt }) => executedAt >= middle));
    const whole = await market.flowTape.trades(listed("NVDA"), { from: TODAY - DAY, until: NOW });
    expect(whole).toMatchObject({ trades, completeFrom: TODAY, completeUntil: NOW, source: "sample" });
    const exact = await market.flowTape.trades(listed("NVDA"), { from: TODAY, until: NOW + DAY });
    expect(exact).toMatchObject({ trades, completeFrom: null, completeUntil: NOW, stale: false });
  });

  it("covers no coins and no days before options are listed", async () => {
    const none = { unavailable: "not_covered", reason: "The sample market lists no options on BTC-USD" };
    expect(await market.flowTape.trades(listed("BTC-USD"), { from: TODAY, until: NOW })).toEqual(none);
    const early = { from: 0, until: Date.UTC(2017, 0, 20) };
    expect(await market.flowTape.trades(listed("AAPL"), early)).toMatchObject({ unavailable: "not_covered" });
  });
});

describe("the simulated tide", () => {
  it("is the net premium of all tapes, in steps of five minutes since 00:00 UTC", async () => {
    const { ticks, source } = (await market.flowTape.tide()) as TideAnswer;
    expect([source, ticks.length]).toEqual(["sample", 216]);
    for (const { time, netCallPremium, netPutPremium, netVolume } of [ticks[0]!, ticks[99]!, ticks.at(-1)!]) {
      const known = all.filter(({ executedAt }) => executedAt <= time);
      expect(netCallPremium).toBe(Math.round(net(known, "call")));
      expect(netPutPremium).toBe(Math.round(net(known, "put")));
      const signed = known.map(
        ({ type, size, askPremium, bidPremium }) =>
          Math.sign(askPremium! - bidPremium!) * (type === "call" ? size : -size),
      );
      expect(netVolume).toBe(signed.reduce((sum, one) => sum + one, 0));
    }
    expect(ticks.map(({ time }) => time)).toEqual(ticks.map((_, i) => TODAY + (i + 1) * 300_000));
    expect(ticks.at(-1)!.time).toBe(Date.parse("2026-01-15T18:00:00Z"));
  });
});

describe("purchases and sales on the simulated tape", () => {
  it("follow the day's move so far, and forecast nothing", () => {
    const recordings = freshRecordings();
    const conditionsOn = createOptionConditions();
    const same: (readonly [number, number])[] = [];
    const next: (readonly [number, number])[] = [];
    for (const symbol of ["AAPL", "NVDA", "TSLA", "JPM", "QQQ", "WMT"]) {
      const recording = recordings(symbol)!;
      const close = (day: number) => Math.log(recording.path.candle(day).close);
      for (let day = 2_600; day < 3_200; day += 10) {
        const conditions = conditionsOn(recording, day)!;
        const trades = optionTradesOn(recording, day, {
          conditions,
          listed: listedOptions(recording, conditions, day),
        });
        const lean = Math.sign(net(trades, "call") - net(trades, "put"));
        same.push([lean, Math.sign(close(day) - close(day - 1))]);
        next.push([lean, Math.sign(close(day + 5) - close(day))]);
      }
    }
    between(correlation(same), 0.15, 0.8);
    // 360 pairs: a standard error of 0.053
    between(correlation(next), -0.16, 0.16);
  });
});

describe("flow tools of an installation in sample mode", () => {
  const { dir, remove } = suiteDir();
  let installation: Installation;
  let clients: readonly TransportClient[];
  beforeAll(async () => {
    installation = await install(dir, "sample", {}, { clock: { now: () => new Date(NOW) } });
    clients = await openTransportClients(installation);
  });
  afterAll(async () => {
    for (const client of clients ?? []) await client.close();
    await installation?.stop();
    remove();
  });

  it("return sweeps, blocks and net premium of the tape over every transport, labelled as sample", async () => {
    // since midnight in New York, where the session of a chain begins
    const trades = tapes
      .get("NVDA")!
      .filter(({ executedAt }) => executedAt >= Date.parse("2026-01-15T05:00:00Z"));
    const sweeps = trades.filter(({ sweep }) => sweep);
    const blocks = trades.filter(
      ({ sweep, floor, size, premium }) => !sweep && (floor === true || (size >= 100 && premium >= 100_000)),
    );
    const known = all.filter(({ executedAt }) => executedAt <= Date.parse("2026-01-15T18:00:00Z"));
    expect(Math.min(sweeps.length, blocks.length)).toBeGreaterThan(0);
    for (const client of clients) {
      const flow = await client.call(getOptionsFlow, { symbol: "NVDA" });
      expect({ transport: client.name, flow }).toMatchObject({
        flow: {
          data: {
            market: "sample",
            derived_from: "chain_snapshot_and_tape",
            tape: { status: "covered", source: "sample", reason: null, until: new Date(NOW).toISOString() },
            sweeps: { count: sweeps.length, net_call_premium: Math.round(net(sweeps, "call")) },
            blocks: { count: blocks.length, net_call_premium: Math.round(net(blocks, "call")) },
          },
        },
      });
      const tide = await client.call(getMarketTide, {});
      expect({ transport: client.name, tide }).toMatchObject({
        tide: {
          data: {
            market: "sample",
            net_premium_reason: null,
            net_premium: {
              as_of: "2026-01-15T18:00:00.000Z",
              call: Math.round(net(known, "call")),
              put: Math.round(net(known, "put")),
              provider: "sample",
            },
          },
        },
      });
    }
  });
});
