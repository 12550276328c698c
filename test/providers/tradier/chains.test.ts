import { describe, expect, it } from "vitest";
import { tradierChains } from "../../../src/providers/tradier/chains.ts";
import { tradierVendor } from "../../replay/tradier.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { FULL } from "../../support/draws.ts";
import { rewritingFetch } from "../../support/faulty-fetch.ts";
import { fixed, fixedWorld, MOMENT, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { kindOf, signal } from "../requests.ts";

const AAPL = fixed("AAPL");
const given = { key: tradierVendor.key!, now: () => MOMENT };
/** The provider's responses. A short run keeps only the first two expiries, because each case reads every chain. */
const honest = rewritingFetch(fetchFrom(tradierVendor, fixedWorld()), (text) =>
  FULL ? text : text.replace(/("date":\["[^"]+","[^"]+")[^\]]*\]/, "$1]"),
);

describeProvider("tradier, chains", {
  make: (fetch) => tradierChains({ ...given, fetch }),
  honest,
  vendor: tradierVendor,
  good: AAPL,
  unsupported: fixed("BTC-USD"),
  unknown: { question: UNLISTED_STOCK, outcome: "unknown_symbol" },
  other: fixed("SPY"),
  plausible({ contracts, delayMinutes }) {
    expect(delayMinutes).toBe(0);
    for (const { type, strike, bid, ask, volume, openInterest, iv, delta } of contracts) {
      expect(strike).toBeGreaterThan(0);
      for (const price of [bid, ask, iv]) expect(price === null || price > 0).toBe(true);
      for (const count of [volume, openInterest]) expect(count === null || count >= 0).toBe(true);
      expect(delta === null || (type === "call" ? delta >= 0 : delta <= 0)).toBe(true);
    }
  },
  filled: ({ contracts }) => expect(contracts.length).toBeGreaterThan(30),
});

const CONTRACT = {
  symbol: "AAPL251205C00250000",
  underlying: "AAPL",
  root_symbol: "AAPL",
  contract_size: 100,
  expiration_date: "2025-12-05",
  option_type: "call",
  strike: 250,
  bid: 3.85,
  bidsize: 65,
  ask: 3.95,
  asksize: 5,
  last: 3.9,
  trade_date: MOMENT - 60_000,
  volume: 1868,
  open_interest: 2952,
  greeks: { delta: 0.51, gamma: 0.0392, theta: -0.3, vega: 0.05, mid_iv: 0.31, smv_vol: 0.3 },
};

interface Responses {
  readonly quotes?: unknown;
  readonly dates?: unknown;
  readonly options?: (expiration: string) => unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly baseUrl?: string;
}

/** Chains with small responses, and the requested URLs. */
function respondWith({
  quotes,
  dates = "2025-12-05",
  options = () => CONTRACT,
  headers = {},
  baseUrl,
}: Responses) {
  const requests: URL[] = [];
  const price = { quote: { symbol: "AAPL", last: 249.5, trade_date: MOMENT - 1_000 } };
  const fetch: typeof globalThis.fetch = async (input) => {
    const url = new URL(String(input));
    requests.push(url);
    const { pathname, searchParams } = url;
    const section = (name: string, value: unknown) => (value === null ? null : { [name]: value });
    const body = pathname.endsWith("/quotes")
      ? { quotes: quotes ?? price }
      : pathname.endsWith("/expirations")
        ? { expirations: section("date", dates) }
        : { options: section("option", options(searchParams.get("expiration")!)) };
    return new Response(JSON.stringify(body), { headers });
  };
  return { chains: tradierChains({ ...given, fetch, baseUrl }), requests };
}

describe("tradier, chains", () => {
  it("accept a single expiry and contract in place of lists", async () => {
    const { chains, requests } = respondWith({});
    expect(await chains.call(AAPL, { signal })).toEqual({
      underlying: { symbol: "AAPL", price: 249.5, tradedAt: "2025-12-03T15:42:29.000Z" },
      asOf: "2025-12-03T15:42:30.000Z",
      delayMinutes: 0,
      source: "tradier",
      contracts: [
        {
          symbol: "AAPL251205C00250000",
          expiry: "2025-12-05",
          type: "call",
          strike: 250,
          bid: 3.85,
          ask: 3.95,
          bidSize: 65,
          askSize: 5,
          last: 3.9,
          lastTradedAt: "2025-12-03T15:41:30.000Z",
          volume: 1868,
          openInterest: 2952,
          iv: 0.31,
          delta: 0.51,
          gamma: 0.0392,
          theta: null,
          vega: null,
          theoretical: null,
        },
      ],
    });
    expect(requests.map(({ pathname, search }) => pathname + search)).toEqual([
      "/v1/markets/quotes?symbols=AAPL",
      "/v1/markets/options/expirations?symbol=AAPL&includeAllRoots=true",
      "/v1/markets/options/chains?symbol=AAPL&expiration=2025-12-05&greeks=true",
    ]);
  });

  it("read 0 as missing for prices, trades and model values, but not for counts", async () => {
    const quiet = {
      ...CONTRACT,
      bid: 0,
      bidsize: 3,
      last: null,
      trade_date: 0,
      volume: 0,
      open_interest: 0,
      greeks: { delta: 0, gamma: 0, mid_iv: 0, smv_vol: 0 },
    };
    const { contracts } = await respondWith({ options: () => [quiet] }).chains.call(AAPL, { signal });
    expect(contracts).toMatchObject([
      {
        bid: null,
        bidSize: null,
        last: null,
        lastTradedAt: null,
        volume: 0,
        openInterest: 0,
        iv: null,
        delta: null,
      },
    ]);
  });

  it.each([
    ["null for each missing greek", null, { iv: null, delta: null, gamma: null }],
    [
      "the surface volatility if quotes imply none",
      { ...CONTRACT.greeks, mid_iv: 0 },
      { iv: 0.3, delta: 0.51 },
    ],
    [
      "null for a delta of the wrong sign",
      { ...CONTRACT.greeks, delta: -0.5 },
      { iv: 0.31, delta: null, gamma: null },
    ],
  ])("have %s", async (_, greeks, expected) => {
    const { contracts } = await respondWith({ options: () => ({ ...CONTRACT, greeks }) }).chains.call(AAPL, {
      signal,
    });
    expect(contracts).toMatchObject([expected]);
  });

  it.each([
    ["another root", { symbol: "AAPL1251205C00250000", root_symbol: "AAPL1" }],
    ["another size", { contract_size: 10 }],
  ])("leave out contracts of %s", async (_, over) => {
    const chain = respondWith({ options: () => [CONTRACT, { ...CONTRACT, ...over }] }).chains.call(AAPL, {
      signal,
    });
    expect((await chain).contracts).toHaveLength(1);
  });

  it.each([
    { strike: 255 },
    { option_type: "put" },
    { expiration_date: "2025-12-12" },
    { underlying: "MSFT" },
    { root_symbol: "MSFT" },
  ])("are malformed if %o contradicts the symbol", async (over) => {
    const { chains } = respondWith({ options: () => ({ ...CONTRACT, ...over }) });
    expect(await kindOf(chains.call(AAPL, { signal }))).toBe("malformed");
  });

  it("are unknown if unmatched or without expiries, and empty without contracts", async () => {
    const unmatched = respondWith({ quotes: { unmatched_symbols: { symbol: "AAPL" } } });
    expect(await kindOf(unmatched.chains.call(AAPL, { signal }))).toBe("unknown_symbol");
    expect(await kindOf(respondWith({ dates: null }).chains.call(AAPL, { signal }))).toBe("unknown_symbol");
    const bare = await respondWith({ options: () => null }).chains.call(AAPL, { signal });
    expect(bare.contracts).toEqual([]);
  });

  it("are found for a share class, whose root symbol has no dot", async () => {
    const chain = await tradierChains({ ...given, fetch: honest }).call(fixed("BRK.B"), { signal });
    expect(chain.underlying.symbol).toBe("BRK.B");
    expect(chain.contracts[0]!.symbol).toMatch(/^BRKB251205C/);
  });

  it("cover at most 40 expiries and report the last one", async () => {
    const dates = Array.from({ length: 41 }, (_, i) =>
      new Date(Date.UTC(2025, 11, 5 + 7 * i)).toISOString().slice(0, 10),
    );
    const { chains, requests } = respondWith({ dates, options: () => null });
    expect((await chains.call(AAPL, { signal })).until).toBe(dates[39]);
    expect(requests).toHaveLength(42);
  });

  it("are delayed by 15 minutes in the sandbox, which allows half as many calls", async () => {
    const { chains } = respondWith({ baseUrl: "https://sandbox.tradier.com" });
    expect((await chains.call(AAPL, { signal })).delayMinutes).toBe(15);
    expect(chains.budget.calls).toBe(50);
    expect(respondWith({}).chains.budget.calls).toBe(100);
  });

  it("make no call if none is left, until the limit resets", async () => {
    let now = MOMENT;
    const headers = { "x-ratelimit-available": "0", "x-ratelimit-expiry": String(MOMENT + 20_000) };
    const fetch: typeof globalThis.fetch = async () => new Response("", { status: 429, headers });
    const chains = tradierChains({ ...given, fetch, now: () => now });
    const failure = await chains.call(AAPL, { signal }).catch((cause: unknown) => cause);
    expect(failure).toMatchObject({ kind: "rate_limited", retryAfterMs: 20_000 });
    now += 5_000;
    const other = await chains.call(AAPL, { signal }).catch((cause: unknown) => cause);
    expect(other).toMatchObject({ kind: "rate_limited", retryAfterMs: 15_000 });
  });
});
