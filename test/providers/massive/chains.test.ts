import { describe, expect, it } from "vitest";
import { massiveChains } from "../../../src/providers/massive/chains.ts";
import { massiveVendor } from "../../replay/massive.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixed, fixedWorld, MOMENT, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { plausibleChain } from "../../support/plausible-chain.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, readJson, respondAs, respondInOrder, signal } from "../requests.ts";

const AAPL = fixed("AAPL");
const key = massiveVendor.key!;
const world = fixedWorld();
const make = (fetch: typeof globalThis.fetch) => massiveChains({ fetch, key, now: () => MOMENT });

describeProvider("massive, chains", {
  make,
  honest: fetchFrom(massiveVendor, world),
  vendor: massiveVendor,
  good: AAPL,
  unsupported: fixed("BTC-USD"),
  unknown: { question: UNLISTED_STOCK, outcome: "unknown_symbol" },
  other: fixed("SPY"),
  plausible: plausibleChain,
  filled: ({ contracts }) => expect(contracts.length).toBeGreaterThan(100),
  runs: 40,
});

const AT = Date.UTC(2022, 3, 29, 17, 44, 20);
const ROW = {
  day: { close: 29, last_updated: AT * 1e6, volume: 8 },
  details: {
    contract_type: "call",
    exercise_style: "american",
    expiration_date: "2023-06-16",
    shares_per_contract: 100,
    strike_price: 150,
    ticker: "O:AAPL230616C00150000",
  },
  greeks: { delta: 0.64, gamma: 0.006, theta: -0.028, vega: 0.638 },
  implied_volatility: 0.357,
  last_quote: { ask: 29.25, ask_size: 209, bid: 28.9, bid_size: 294, last_updated: AT * 1e6 },
  last_trade: { price: 29.25, sip_timestamp: AT * 1e6, size: 1 },
  open_interest: 8133,
  underlying_asset: { ticker: "AAPL", price: 159.96, last_updated: AT * 1e6, timeframe: "REAL-TIME" },
};
const named = (ticker: string, strike_price = 150) => ({
  ...ROW,
  details: { ...ROW.details, ticker: `O:${ticker}`, strike_price },
});

/** Chains with these pages of rows, and the requested URLs. */
function respond(pages: readonly (readonly object[])[], next_url?: string) {
  const bodies = pages.map((results, i) => ({
    status: "OK",
    results,
    ...(next_url !== undefined && (i < pages.length - 1 || pages.length === 1) && { next_url }),
  }));
  const { fetch, requests } = respondInOrder(bodies);
  const chains = massiveChains({ fetch, key, now: () => AT });
  return { requests, chain: () => chains.call(AAPL, { signal }) };
}

describeWithData("massive as its own client has it", ["fixtures", "polygon"], (folder) => {
  it("reads an option with its quote, trade, day and greeks", async () => {
    const { fetch, requests } = respondInOrder([readJson(folder, "options_chain_AAPL.json")]);
    expect(await massiveChains({ fetch, key, now: () => AT }).call(AAPL, { signal })).toEqual({
      underlying: { symbol: "AAPL", price: 159.9606, tradedAt: "2022-04-29T17:44:23.172Z" },
      asOf: "2022-04-29T17:44:20.000Z",
      delayMinutes: 0,
      source: "massive",
      contracts: [
        {
          symbol: "AAPL230616C00150000",
          expiry: "2023-06-16",
          type: "call",
          strike: 150,
          bid: 28.9,
          ask: 29.25,
          bidSize: 294,
          askSize: 209,
          last: 29.25,
          lastTradedAt: "2023-03-13T14:42:07.715Z",
          volume: 8,
          openInterest: 8133,
          iv: 0.3570277203465058,
          delta: 0.6436614934293701,
          gamma: 0.0061735291012820675,
          theta: -0.028227189324641973,
          vega: 0.6381159723175714,
          theoretical: null,
        },
      ],
    });
    expect(requests).toEqual(["https://api.massive.com/v3/snapshot/options/AAPL?limit=250"]);
  });
});

describe("massive, chains", () => {
  it("have the figures of the world, from every page", async () => {
    const { fetch, requests } = respondAs(massiveVendor);
    const { contracts } = await make(fetch).call(AAPL, { signal });
    const truth = world.chain(AAPL, world.trade("AAPL")!)!.contracts;
    const figures = ({ symbol, bid, ask, last, volume, openInterest }: (typeof truth)[number]) =>
      [symbol, bid, ask, last, last === null ? null : volume, openInterest] as const;
    expect(contracts.map(figures)).toEqual(truth.map(figures));
    expect(requests.length).toBeGreaterThan(3);
    expect(requests.every((url) => url.startsWith("https://api.massive.com/v3/snapshot/options/AAPL?"))).toBe(
      true,
    );
  });

  it("are 15 minutes late if the response says so", async () => {
    const late = { ...ROW, underlying_asset: { ...ROW.underlying_asset, timeframe: "DELAYED" } };
    expect((await respond([[late]]).chain()).delayMinutes).toBe(15);
    expect((await respond([[ROW]]).chain()).delayMinutes).toBe(0);
    const delayOf = (plan: "starter" | "advanced") =>
      massiveChains({ fetch, key, now: () => AT, plan }).delayMinutes;
    expect([delayOf("starter"), delayOf("advanced")]).toEqual([15, 0]);
  });

  it("count the volume of the newest session, 0 for an earlier one and null without a day", async () => {
    const earlier = {
      ...named("AAPL230616C00155000", 155),
      day: { last_updated: (AT - 86_400_000) * 1e6, volume: 5 },
    };
    const { contracts } = await respond([
      [ROW, earlier, { ...named("AAPL230616C00160000", 160), day: {} }],
    ]).chain();
    expect(contracts.map(({ volume }) => volume)).toEqual([8, 0, null]);
  });

  it("have no bid, ask and last in plans without quotes and trades", async () => {
    const { last_quote: _quote, last_trade: _trade, ...plain } = ROW;
    expect(
      (await respond([[{ ...plain, greeks: {}, implied_volatility: 0 }]]).chain()).contracts,
    ).toMatchObject([
      {
        bid: null,
        ask: null,
        bidSize: null,
        askSize: null,
        last: null,
        lastTradedAt: null,
        iv: null,
        delta: null,
      },
    ]);
  });

  it("leave out an unreadable option and keep the rest of its page", async () => {
    const unreadable = { ...named("AAPL230616C00155000", 155), last_quote: { bid: "x" } };
    const { contracts } = await respond([[ROW, unreadable]]).chain();
    expect(contracts).toHaveLength(1);
  });

  it("leave out another root, size or kind of contract", async () => {
    const small = { ...named("AAPL230616C00155000", 155) };
    const { contracts } = await respond([
      [
        ROW,
        named("AAPL1230616C00150000"),
        { ...small, details: { ...small.details, shares_per_contract: 10 } },
        {
          ...named("AAPL230616C00160000", 160),
          details: { ...named("AAPL230616C00160000", 160).details, contract_type: "other" },
        },
      ],
    ]).chain();
    expect(contracts.map(({ symbol }) => symbol)).toEqual(["AAPL230616C00150000"]);
  });

  it.each([
    [{ strike_price: 155 }, {}],
    [{ contract_type: "put" }, {}],
    [{ expiration_date: "2023-06-23" }, {}],
    [{}, { ticker: "MSFT" }],
  ])("are malformed if %o and %o contradict the request", async (details, asset) => {
    const row = {
      ...ROW,
      details: { ...ROW.details, ...details },
      underlying_asset: { ...ROW.underlying_asset, ...asset },
    };
    expect(await kindOf(respond([[row]]).chain())).toBe("malformed");
  });

  it("are paged through our base URL, and malformed if a page repeats an option", async () => {
    const next = "https://elsewhere.example/v3/snapshot/options/AAPL?cursor=abc";
    const paged = respond([[ROW], [named("AAPL230616C00155000", 155)]], next);
    expect((await paged.chain()).contracts).toHaveLength(2);
    expect(paged.requests[1]).toBe("https://api.massive.com/v3/snapshot/options/AAPL?cursor=abc");
    expect(await kindOf(respond([[ROW], [ROW]], next).chain())).toBe("malformed");
    const endless = respond([[]], next);
    expect(await kindOf(endless.chain())).toBe("unsupported");
    expect(endless.requests).toHaveLength(70);
  });

  it("are not requested again if the plan has no options", async () => {
    const { fetch, requests } = respondInOrder([{ status: "NOT_AUTHORIZED", message: "not entitled" }], {
      status: 403,
    });
    const chains = make(fetch);
    for (const _ of [1, 2]) expect(await kindOf(chains.call(AAPL, { signal }))).toBe("unsupported");
    expect(requests).toHaveLength(1);
  });

  it("are found for a share class, whose options have no dot in their root", async () => {
    const chain = await make(fetchFrom(massiveVendor, world)).call(fixed("BRK.B"), { signal });
    expect(chain.contracts[0]!.symbol).toMatch(/^BRKB251205C/);
  });
});
