import { describe, expect, it } from "vitest";
import { yahooChains } from "../../../src/providers/yahoo/chains.ts";
import { yahooVendor } from "../../replay/yahoo.ts";
import { fixed } from "../../support/fixed-world.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, readJson, signal } from "../requests.ts";

const NOW = Date.UTC(2025, 1, 24, 10);
const DAY = 86_400;
const AAPL = fixed("AAPL");

/** Returns a cookie and a crumb, and passes other requests to another fetch. */
const withCrumb =
  (other: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const { host, pathname } = new URL(String(input));
    if (host === "fc.yahoo.com") return new Response("", { headers: { "set-cookie": "A3=x; Path=/" } });
    return pathname === "/v1/test/getcrumb" ? new Response("9tRTcrUmb.1") : other(input, init);
  };

/** Option chains served by `data` according to the requested expiry date. */
function hosts(data: (date: string | null) => { readonly status?: number; readonly body: unknown }) {
  const requests: (string | null)[] = [];
  const fetch = withCrumb(async (input) => {
    const { searchParams } = new URL(String(input));
    expect(searchParams.get("crumb")).toBe("9tRTcrUmb.1");
    requests.push(searchParams.get("date"));
    const { status = 200, body } = data(searchParams.get("date"));
    return new Response(JSON.stringify(body), { status });
  });
  return { requests, fetch, chains: yahooChains({ fetch, now: () => NOW }) };
}
const contract = (expiration: number, over: object = {}) => ({
  contractSymbol: `AAPL${new Date(expiration * 1000).toISOString().slice(2, 10).replaceAll("-", "")}C00250000`,
  contractSize: "REGULAR",
  currency: "USD",
  strike: 250,
  expiration,
  lastPrice: 3,
  bid: 2.9,
  ask: 3.1,
  volume: 10,
  openInterest: 20,
  impliedVolatility: 0.3,
  lastTradeDate: NOW / 1000 - 60,
  ...over,
});
const answer = (dates: readonly number[], calls: readonly object[], over: object = {}) => ({
  body: {
    optionChain: {
      result: [
        {
          underlyingSymbol: "AAPL",
          expirationDates: dates,
          quote: { regularMarketPrice: 245.55, regularMarketTime: 1_740_171_602 },
          options: [{ calls, puts: [] }],
          ...over,
        },
      ],
      error: null,
    },
  },
});
const FIRST = 1_740_700_800; // 2025-02-28

describeProvider("yahoo, chains", {
  make: (fetch) => yahooChains({ fetch: withCrumb(fetch), now: () => NOW }),
  honest: hosts((date) => answer([FIRST, FIRST + 7 * DAY], [contract(date === null ? FIRST : Number(date))]))
    .fetch,
  vendor: yahooVendor,
  good: AAPL,
  unsupported: fixed("BTC-USD"),
  plausible({ contracts }) {
    for (const { strike, bid, ask, volume, openInterest, iv } of contracts) {
      expect(strike).toBeGreaterThan(0);
      for (const price of [bid, ask, iv]) expect(price === null || price > 0).toBe(true);
      for (const count of [volume, openInterest]) expect(count === null || count >= 0).toBe(true);
    }
  },
  filled: ({ contracts }) => expect(contracts).toHaveLength(2),
});

describeWithData(
  "Yahoo's options as recorded before a session of February 2025",
  ["fixtures", "yahoo"],
  (folder) => {
    const recorded = (name: string) => {
      const { response } = readJson<{ response: { status: number; bodyJson?: unknown; body: string } }>(
        folder,
        `${name}.json`,
      );
      return { status: response.status, body: response.bodyJson ?? (JSON.parse(response.body) as unknown) };
    };

    it("have the volume of the previous session before the open, but no quotes, volatility or open interest", async () => {
      const first = recorded("options-AAPL");
      const { chains, requests } = hosts((date) =>
        date === null ? first : answer([], [contract(Number(date), { lastTradeDate: 1_740_171_599 })]),
      );
      const chain = await chains.call(AAPL, { signal });
      expect(chain).toMatchObject({
        source: "yahoo",
        delayMinutes: 15,
        asOf: "2025-02-24T10:00:00.000Z",
        until: "2025-03-28",
        underlying: { symbol: "AAPL", price: 245.55, tradedAt: "2025-02-21T21:00:02.000Z" },
      });
      expect(requests).toEqual([null, "1741305600", "1741910400", "1742515200", "1743120000"]);
      const near = chain.contracts.filter(({ expiry }) => expiry === "2025-02-28");
      expect(near).toHaveLength(102);
      expect(near.find(({ symbol }) => symbol === "AAPL250228P00237500")).toEqual({
        symbol: "AAPL250228P00237500",
        expiry: "2025-02-28",
        type: "put",
        strike: 237.5,
        bid: null,
        ask: null,
        bidSize: null,
        askSize: null,
        last: 0.81,
        lastTradedAt: "2025-02-21T20:59:59.000Z",
        volume: 5224,
        openInterest: 0,
        iv: null,
        delta: null,
        gamma: null,
        theta: null,
        vega: null,
        theoretical: null,
      });
      // last traded a month ago, so it has no volume in that session
      expect(near.find(({ symbol }) => symbol === "AAPL250228C00110000")).toMatchObject({
        volume: 0,
        iv: 3.58593853515625,
      });
    });

    it("fail with unknown_symbol for a fund without options", async () => {
      const { chains } = hosts(() => recorded("options-ADH"));
      expect(await kindOf(chains.call({ ...AAPL, symbol: "ADH" }, { signal }))).toBe("unknown_symbol");
    });
  },
);

describe("option chains of Yahoo", () => {
  it("are requested up to the first expiry beyond 30 days, at most six expiries", async () => {
    const dates = Array.from({ length: 12 }, (_, i) => FIRST + i * 2 * DAY);
    const { chains, requests } = hosts((date) =>
      answer(dates, [contract(date === null ? FIRST : Number(date))]),
    );
    expect(await chains.call(AAPL, { signal })).toMatchObject({
      until: "2025-03-10",
      contracts: { length: 6 },
    });
    expect(requests).toHaveLength(6);
    const two = hosts((date) =>
      answer([FIRST, FIRST + 60 * DAY], [contract(date === null ? FIRST : Number(date))]),
    );
    const whole = await two.chains.call(AAPL, { signal });
    expect(whole.contracts).toHaveLength(2);
    expect(whole).not.toHaveProperty("until");
  });

  it("drop contracts of another root, size or currency, and unpublished open interest", async () => {
    const { chains } = hosts(() =>
      answer(
        [FIRST],
        [
          contract(FIRST, { openInterest: 0 }),
          contract(FIRST, { contractSymbol: "AAPL1250228C00250000" }),
          contract(FIRST, { contractSymbol: "AAPL250228C00255000", strike: 255, contractSize: "MINI" }),
          contract(FIRST, { contractSymbol: "AAPL250228C00260000", strike: 260, currency: "EUR" }),
          contract(FIRST, { contractSymbol: "AAPL250228C00265000", strike: 999 }),
        ],
      ),
    );
    expect((await chains.call(AAPL, { signal })).contracts).toMatchObject([
      { symbol: "AAPL250228C00250000", openInterest: null, iv: 0.3, volume: 10 },
    ]);
  });

  it("are as late as the exchange of the underlying, at least 15 minutes", async () => {
    const delayOf = async (exchangeDataDelayedBy: unknown) => {
      const quote = { regularMarketPrice: 245.55, regularMarketTime: 1_740_171_602, exchangeDataDelayedBy };
      const { chains } = hosts(() => answer([FIRST], [contract(FIRST)], { quote }));
      return (await chains.call(AAPL, { signal })).delayMinutes;
    };
    expect(await Promise.all([0, 15, 20, undefined, "?"].map(delayOf))).toEqual([15, 15, 20, 15, 15]);
  });

  const chain = (result: unknown, error: unknown = null) => ({ body: { optionChain: { result, error } } });
  it.each([
    ["of another symbol", answer([FIRST], [contract(FIRST)], { underlyingSymbol: "MSFT" }), "malformed"],
    ["of no contract", answer([FIRST], [contract(FIRST, { contractSymbol: "?" })]), "malformed"],
    ["of a negative volume", answer([FIRST], [contract(FIRST, { volume: -1 })]), "malformed"],
    ["of no result", chain(null), "malformed"],
    ["of nothing", { body: {} }, "malformed"],
    ["of a symbol that is not listed", chain([]), "unknown_symbol"],
    ["with status 404", { status: 404, ...chain(null, { code: "Not Found" }) }, "unknown_symbol"],
  ])("fail if the response is %s", async (_, response, kind) => {
    expect(await kindOf(hosts(() => response).chains.call(AAPL, { signal }))).toBe(kind);
  });
});
