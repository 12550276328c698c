import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cboeChains } from "../../../src/providers/cboe/chains.ts";
import { cboeVendor, delayedBars } from "../../replay/cboe.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixed, fixedWorld, MOMENT, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, respondWith, signal, stock } from "../requests.ts";

const MSTR = stock("MSTR");
const request = { signal };

describeProvider("cboe, chains", {
  make: (fetch) => cboeChains({ fetch }),
  honest: fetchFrom(cboeVendor, fixedWorld()),
  vendor: cboeVendor,
  good: fixed("AAPL"),
  unsupported: fixed("BTC-USD"),
  unknown: { question: UNLISTED_STOCK, outcome: "unknown_symbol" },
  other: fixed("SPY"),
  plausible({ contracts, delayMinutes }) {
    expect(delayMinutes).toBe(15);
    for (const { strike, bid, ask, volume, openInterest, iv } of contracts) {
      expect(strike).toBeGreaterThan(0);
      for (const price of [bid, ask, iv]) expect(price === null || price > 0).toBe(true);
      for (const count of [volume, openInterest]) expect(count === null || count >= 0).toBe(true);
    }
  },
  filled: ({ contracts }) => expect(contracts.length).toBeGreaterThan(100),
});

/** Chains with one response, and the requested URLs. */
function respond(body: unknown, status = 200) {
  const { fetch, requests } = respondWith({ "": body }, { status });
  return { chains: cboeChains({ fetch }), requests };
}

const CONTRACT = {
  option: "MSTR260717C00095000",
  bid: 3.85,
  bid_size: 65,
  ask: 3.95,
  ask_size: 5,
  iv: 0.773,
  open_interest: 2952,
  volume: 1868,
  delta: 0.5096,
  gamma: 0.0392,
  vega: 0.0524,
  theta: -0.2983,
  theo: 3.8902,
  last_trade_price: 3.95,
  last_trade_time: "2026-07-10T15:59:59",
};
/** A chain of contracts, each the default contract with changes. */
const listing = (changes: readonly object[], data: object = {}, rest: object = {}) =>
  respond({
    timestamp: "2026-07-10 21:12:30",
    symbol: "MSTR",
    data: {
      symbol: "MSTR",
      security_type: "stock",
      current_price: 94.66,
      last_trade_time: "2026-07-10T15:59:59",
      options: changes.map((change) => ({ ...CONTRACT, ...change })),
      ...data,
    },
    ...rest,
  }).chains;

describeWithData("an option chain as recorded", ["fixtures", "cboe"], (folder) => {
  const body = readFileSync(join(folder, "mimir_cboe_options_mstr.json"), "utf8");

  it("contains every contract with its quotes and greeks, and the underlying", async () => {
    const { chains, requests } = respond(body);
    const { contracts, ...chain } = await chains.call(MSTR, request);
    expect(chain).toEqual({
      // recorded after the close: its official price, not that of the late trade at 94.6604
      underlying: { symbol: "MSTR", price: 94.64, tradedAt: "2026-07-10T20:00:00.000Z" },
      asOf: "2026-07-10T21:12:30.000Z",
      delayMinutes: 15,
      source: "cboe",
    });
    expect(requests).toEqual(["https://cdn-api.cboe.com/api/global/delayed_quotes/options/MSTR.json"]);
    expect(contracts.length).toBe(48);
    expect(contracts[0]).toEqual({
      symbol: "MSTR260717C00095000",
      expiry: "2026-07-17",
      type: "call",
      strike: 95,
      bid: 3.85,
      ask: 3.95,
      bidSize: 65,
      askSize: 5,
      last: 3.95,
      lastTradedAt: "2026-07-10T19:59:59.000Z",
      volume: 1868,
      openInterest: 2952,
      iv: 0.773,
      delta: 0.5096,
      gamma: 0.0392,
      theta: -0.2983,
      vega: 0.0524,
      theoretical: 3.8902,
    });
    expect(contracts[4]).toMatchObject({
      symbol: "MSTR260717P00093500",
      type: "put",
      strike: 93.5,
      delta: -0.4331,
    });
    expect([...new Set(contracts.map(({ expiry }) => expiry))]).toEqual([
      "2026-07-17",
      "2026-07-24",
      "2026-07-31",
    ]);
  });

  it("prices calls and puts of one strike by put-call parity within the spreads", async () => {
    // C - P = S - K, except for three weeks' interest on 95 dollars and the two spreads
    const { contracts, underlying } = await respond(body).chains.call(MSTR, request);
    const middle = (found: (typeof contracts)[number]) => (found.bid! + found.ask!) / 2;
    const calls = contracts.filter(({ type }) => type === "call");
    const off = calls.flatMap((call) =>
      contracts
        .filter(
          ({ type, expiry, strike }) => type === "put" && expiry === call.expiry && strike === call.strike,
        )
        .map((put) => middle(call) - middle(put) - (underlying.price! - call.strike)),
    );
    expect(off.length).toBe(24);
    expect(Math.max(...off.map(Math.abs))).toBeLessThan(1);
  });
});

describe("an option chain", () => {
  it("drops greeks without an implied volatility and keeps zeros with one", async () => {
    const none = { delta: 0, gamma: 0, theta: 0, vega: 0, theo: 0 };
    const { contracts } = await listing([
      { iv: 0, ...none },
      { iv: 0.9, ...none },
      { iv: 0, ...none, theo: 1.25 },
    ]).call(MSTR, request);
    const unknown = { delta: null, gamma: null, theta: null, vega: null };
    expect(contracts[0]).toMatchObject({ iv: null, ...unknown, theoretical: null });
    expect(contracts[1]).toMatchObject({ iv: 0.9, delta: 0, gamma: 0, theta: 0, vega: 0, theoretical: 0 });
    expect(contracts[2]).toMatchObject({ iv: null, theoretical: 1.25 });
  });

  it("has null for a missing bid or trade and 0 for a zero count", async () => {
    const { contracts } = await listing([
      { bid: 0, bid_size: 0, last_trade_price: 0, volume: 0, open_interest: 0 },
      { ask: null, ask_size: undefined, volume: null, open_interest: undefined, last_trade_time: null },
    ]).call(MSTR, request);
    expect(contracts[0]).toMatchObject({
      bid: null,
      bidSize: null,
      last: null,
      lastTradedAt: null,
      volume: 0,
      openInterest: 0,
    });
    expect(contracts[1]).toMatchObject({
      ask: null,
      askSize: null,
      last: 3.95,
      lastTradedAt: null,
      volume: null,
      openInterest: null,
    });
  });

  it("omits contracts of another root, which are not for 100 shares", async () => {
    const chain = await listing([{}, { option: "MSTR1260717C00095000" }]).call(MSTR, request);
    expect(chain.contracts.map(({ symbol }) => symbol)).toEqual(["MSTR260717C00095000"]);
  });

  it("of a share class has a root without the dot", async () => {
    const chains = listing([{ option: "BRKB261120P00500000" }], { symbol: "BRK.B" }, { symbol: "BRK.B" });
    expect((await chains.call(stock("BRK.B"), request)).contracts).toMatchObject([
      { expiry: "2026-11-20", type: "put", strike: 500 },
    ]);
  });

  it("may be empty", async () => {
    expect((await listing([]).call(MSTR, request)).contracts).toEqual([]);
  });

  it.each<Parameters<typeof listing>>([
    [[{}], {}, { symbol: "AAPL" }],
    [[{}], { symbol: "AAPL" }],
    [[{ option: "AAPL260717C00095000" }]],
    [[{ option: "MSTR260231C00095000" }]],
    [[{ option: "MSTR" }]],
    [[{ bid: -1 }]],
    [[{ iv: -0.5 }]],
    [[{ delta: "much" }]],
    [[{}], {}, { timestamp: "2026-13-10 21:12:30" }],
    [[{}], { options: null }],
  ])("is malformed with %j, %j and %j", async (...chain) => {
    expect(await kindOf(listing(...chain).call(MSTR, request))).toBe("malformed");
  });

  it("is unknown for a symbol without a file", async () => {
    const { chains } = respond("<Error><Code>AccessDenied</Code></Error>", 403);
    expect(await kindOf(chains.call(UNLISTED_STOCK, request))).toBe("unknown_symbol");
  });

  it("may exceed the limit of eight megabytes for other responses", async () => {
    const long = Array.from({ length: 30_000 }, () => ({ pad: "x".repeat(60) }));
    expect((await listing(long).call(MSTR, request)).contracts.length).toBe(30_000);
  });

  it("is 15 minutes late in the replay", async () => {
    const world = fixedWorld();
    const chain = await cboeChains({ fetch: fetchFrom(cboeVendor, world) }).call(fixed("AAPL"), request);
    expect(chain.underlying.price).toBe(delayedBars(fixed("AAPL"), world).last.close);
    expect(chain.asOf).toBe(new Date(MOMENT).toISOString());
    const truth = world.chain(fixed("AAPL"), { ...world.trade("AAPL")!, at: MOMENT })!;
    expect(chain.contracts.map(({ symbol }) => symbol)).toEqual(truth.contracts.map(({ symbol }) => symbol));
    const unquoted = chain.contracts.filter(({ bid }) => bid === null);
    expect(unquoted.length).toBeGreaterThan(0);
    for (const { iv, delta, last } of unquoted) expect([iv, delta, last]).toEqual([null, null, null]);
  });
});
