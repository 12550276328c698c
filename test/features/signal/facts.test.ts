import { describe, expect, it } from "vitest";
import type { FactDriverId } from "../../../src/analytics/drivers/facts.ts";
import type { PrintReach } from "../../../src/domain/off-exchange/prints.ts";
import type { FlowDay } from "../../../src/domain/options-flow/options.ts";
import type { Ports } from "../../../src/domain/ports.ts";
import type { LevelSnapshot } from "../../../src/domain/prediction-markets/contracts.ts";
import { readFacts } from "../../../src/features/signal/facts.ts";
import { unavailable } from "../../support/context.ts";
import { contractHistoryOf, fixedContracts } from "../../support/contracts.ts";
import { smallMarket } from "../../support/market.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";

const { ports } = smallMarket();
const bars = syntheticBars(1, 300);
const AT = bars.time.at(-1)! + 86_400_000;
const signal = new AbortController().signal;
const read = (over: Partial<Ports> = {}, symbol = "AAPL") => {
  const request = { at: AT, bars, prints: null, price: bars.close.at(-1)!, signal };
  return readFacts(ports.symbols.resolve(symbol).instrument, request, { ...ports, ...over });
};
const silenceOf = async (id: FactDriverId, over: Partial<Ports> = {}, symbol = "AAPL") =>
  (await read(over, symbol)).missingReasons[id];

describe("drivers that need more than bars, without providers", () => {
  it.each<[FactDriverId, RegExp]>([
    ["d_offex", /^No provider of off-exchange volume is connected\..*MARKET_DATA=live/],
    ["d_block", /^No provider of off-exchange prints is connected\..*UNUSUAL_WHALES_TOKEN.*ALPACA_KEY_ID/],
    ["o_pc", /^No provider of option chains is connected: MARKET_DATA=live/],
    ["o_skew", /^No provider of option chains is connected: MARKET_DATA=live/],
    ["n_sent", /hold no news: MARKET_DATA=live/],
    ["k_mkt", /^No prediction market is connected: MARKET_DATA=live/],
  ])("%s names the setting that connects a provider", async (id, reason) => {
    expect(await silenceOf(id)).toMatch(reason);
  });

  it.each<[FactDriverId, RegExp]>([
    ["d_offex", /only for US stocks and funds/],
    ["d_block", /only for US stocks and funds/],
    ["o_pc", /Listed options are read only for US stocks and funds/],
  ])("%s names no setting for a coin", async (id, reason) => {
    const said = await silenceOf(id, {}, "BTC-USD");
    expect(said).toMatch(reason);
    expect(said).not.toContain("MARKET_DATA");
  });
});

describe("drivers with connected providers", () => {
  const flowOf = (days: number): Ports["flowDays"] => ({
    save: async () => {},
    days: async () =>
      Array.from({ length: days }, (_, i): FlowDay => {
        const at = AT - (days - i) * 86_400_000;
        const sums = { callVolume: 10, putVolume: 10, callPremium: null, putPremium: null };
        return { day: new Date(at).toISOString().slice(0, 10), at, ...sums, atmIv: 0.2, putIv: 0.2 };
      }),
  });
  const chains: Ports["chains"] = {
    chain: async () => {
      throw new Error("a signal asks for no chain");
    },
  };

  it("count the stored days of options, and state what else is needed", async () => {
    expect(await silenceOf("o_pc", { chains, flowDays: flowOf(12) })).toMatch(
      /; 12 are stored, one for each trading day/,
    );
    expect(await silenceOf("o_pc", { chains, flowDays: flowOf(80) })).toMatch(
      /with varying figures; the 80 stored figures do not vary$/,
    );
  });

  it("read the stored days once for both option drivers", async () => {
    let asked = 0;
    const flowDays: Ports["flowDays"] = {
      ...flowOf(12),
      async days() {
        asked++;
        return [];
      },
    };
    await read({ flowDays });
    expect(asked).toBe(1);
  });

  it("do not treat unrequested sessions as days without large prints", async () => {
    const last = new Date(bars.time.at(-1)!).toISOString().slice(0, 10);
    const of = async (printsReach: PrintReach) => {
      const request = { at: AT - 1, bars, prints: [], printsReach, price: bars.close.at(-1)!, signal };
      return (await readFacts(ports.symbols.resolve("AAPL").instrument, request, ports)).missingReasons
        .d_block;
    };
    expect(await of({ from: "2099-01-05", missed: [] })).toBe(
      `Providers of off-exchange prints cover only the newest sessions, now from 2099-01-05, so ${last} is missing`,
    );
    expect(await of({ from: last, missed: [last] })).toBe(
      `Off-exchange prints of ${last} could not be read: a retry may succeed`,
    );
    expect(await of({ from: last, missed: [] })).toMatch(/^The last day has no off-exchange print/);
    // a session before the last day is not read
    expect(await of({ from: "2000-01-03", missed: ["2000-01-03"] })).toMatch(/^The last day has no/);
  });

  it("distinguish an unavailable provider from an unconnected one", async () => {
    const prints = { ...ports.prints, missing: { tape: null, market: null } };
    expect(await silenceOf("d_block", { prints })).toBe("No off-exchange prints available now");
    const failing = unavailable("Nobody answers");
    expect(await silenceOf("n_sent", { news: { missing: null, headlines: failing } })).toMatch(
      /^Nobody answers/,
    );
  });
});

describe("prediction markets in a signal", () => {
  const bet = { venue: "acme", id: "c1", kind: "at", level: bars.close.at(-1)!, dollars: 1e5 } as const;
  const snapshot = (minutesBefore: number, probability: number): LevelSnapshot => {
    const at = AT - minutesBefore * 60_000;
    const bets = [{ ...bet, probability, by: at + 30 * 86_400_000, at: at - 1_000 }];
    return { at, price: bars.close.at(-1)!, bets, reason: null };
  };
  const contracts = fixedContracts([], null, false).port;
  const driver = async (...rows: readonly LevelSnapshot[]) => {
    const { facts, missingReasons } = await read({ contracts, contractHistory: contractHistoryOf(...rows) });
    return facts.k_mkt ?? missingReasons.k_mkt;
  };

  it("use the last snapshot before the close, regardless of later ones", async () => {
    const before = [snapshot(600, 0.5), snapshot(10, 0.9)];
    const then = await driver(...before);
    expect(then).toMatchObject({ value: 1, inputs: { p: 0.9, contract: "c1" } });
    expect(await driver(...before, snapshot(-1, 0.01))).toEqual(then);
    expect(await driver(before[0]!)).toMatchObject({ inputs: { p: 0.5 } });
  });

  it("compare with the price at the time of the snapshot", async () => {
    const jumped = { ...snapshot(60, 0.5), price: bars.close.at(-1)! * 0.98 };
    expect(await driver(jumped)).toMatchObject({ inputs: { price: jumped.price } });
  });

  it("have no value after a day, before the first snapshot, and without listed contracts", async () => {
    expect(await driver(snapshot(24 * 60, 0.9))).toMatchObject({ value: 1 });
    expect(await driver(snapshot(24 * 60 + 1, 0.9))).toMatch(/AAPL was not requested in the day before/);
    expect(await driver(snapshot(-5, 0.9))).toMatch(/exist since .*, after this close$/);
    expect(await driver()).toMatch(/snapshots of AAPL are stored/);
    expect(await driver({ ...snapshot(1, 0), price: null, bets: [], reason: "Nothing was open" })).toBe(
      "Nothing was open",
    );
  });
});
