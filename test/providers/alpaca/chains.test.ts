import { describe, expect, it } from "vitest";
import { alpacaChains } from "../../../src/providers/alpaca/chains.ts";
import { alpacaVendor, SUBSCRIBED_KEY } from "../../replay/alpaca.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixed, fixedWorld, MOMENT, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { plausibleChain } from "../../support/plausible-chain.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, readJson, recorded, respondAs, respondWith, signal } from "../requests.ts";

const AAPL = fixed("AAPL");
const [key, secret] = alpacaVendor.key!.split(", ") as [string, string];
const world = fixedWorld();
/** The replayed vendor serves both of Alpaca's APIs. */
const TRADING = "https://data.alpaca.markets";
const make = (fetch: typeof globalThis.fetch) =>
  alpacaChains({ fetch, key, secret, now: () => MOMENT, tradingUrl: TRADING });

describeProvider("alpaca, chains", {
  make,
  honest: fetchFrom(alpacaVendor, world),
  vendor: alpacaVendor,
  good: AAPL,
  unsupported: fixed("BTC-USD"),
  unknown: { question: UNLISTED_STOCK, outcome: "unknown_symbol" },
  other: fixed("SPY"),
  plausible: plausibleChain,
  filled: ({ contracts }) => expect(contracts.length).toBeGreaterThan(100),
  runs: 40,
});

const STOCK = { AAPL: { latestTrade: { t: "2024-04-25T19:59:59.5Z", p: 169.9, s: 100, x: "V" } } };
const NOW = Date.UTC(2024, 3, 25, 20, 5);

/** Chains with these pages of options, and their requests. */
function respond(pages: readonly object[], contracts: readonly object[] | null = []) {
  let page = 0;
  const { fetch, requests } = respondWith({
    "/v2/stocks/snapshots": STOCK,
    "/v1beta1/options/snapshots/AAPL": () => pages[page++],
    "/v2/options/contracts": () =>
      contracts === null
        ? new Response("{}", { status: 403 })
        : { option_contracts: contracts, next_page_token: null },
  });
  const chains = alpacaChains({ fetch, key, secret, now: () => NOW });
  return { requests, chain: () => chains.call(AAPL, { signal }) };
}
const listing = (snapshots: object, next_page_token: string | null = null) => ({
  snapshots,
  next_page_token,
});
const CALL = "AAPL240503C00170000";
const QUOTE = { ap: 2.5, as: 5, ax: "W", bp: 2.4, bs: 7, bx: "N", c: "A", t: "2024-04-25T20:00:00Z" };
const GREEKS = { delta: 0.5, gamma: 0.04, rho: 0.02, theta: -0.1, vega: 0.09 };
const one = async (row: object, contracts: readonly object[] | null = []) =>
  (await respond([listing({ [CALL]: row })], contracts).chain()).contracts[0]!;

describeWithData("alpaca as recorded", ["fixtures", "alpaca"], (folder) => {
  const body = (name: string) =>
    readJson<{ body: object }>(folder, `historical_option_data__${name}.json`).body as {
      snapshots: Record<string, object>;
    };

  it("reads quote, trade, volatility and greeks of an option", async () => {
    const { chain, requests } = respond([body("get_option_chain")]);
    expect(await chain()).toEqual({
      underlying: { symbol: "AAPL", price: 169.9, tradedAt: "2024-04-25T19:59:59.500Z" },
      asOf: "2024-04-25T20:05:00.000Z",
      delayMinutes: 15,
      source: "alpaca",
      contracts: [
        {
          symbol: "AAPL240503P00155000",
          expiry: "2024-05-03",
          type: "put",
          strike: 155,
          bid: 0.32,
          ask: 0.35,
          bidSize: 73,
          askSize: 119,
          last: 0.34,
          lastTradedAt: "2024-04-25T19:58:16.034Z",
          volume: null,
          openInterest: null,
          iv: 0.4584478444465036,
          delta: -0.06962352623019707,
          gamma: 0.012407748296130911,
          theta: -0.10116067021921063,
          vega: 0.03143087569879542,
          theoretical: null,
        },
      ],
    });
    expect(requests).toEqual([
      "https://data.alpaca.markets/v2/stocks/snapshots?symbols=AAPL&feed=iex",
      "https://data.alpaca.markets/v1beta1/options/snapshots/AAPL?feed=indicative&limit=1000",
      "https://paper-api.alpaca.markets/v2/options/contracts?underlying_symbols=AAPL&expiration_date_gte=2024-04-24&expiration_date_lte=2027-08-08&limit=10000",
    ]);
  });

  it("drops the greeks of a put with the delta of a call, and figures that a snapshot lacks", async () => {
    const put = "AAPL240126P00050000";
    for (const [file, iv] of [
      ["get_snapshot", 0.3160291785379539],
      ["get_snapshot_latest_quote_only", null],
    ] as const) {
      const { contracts } = await respond([listing(body(file).snapshots)]).chain();
      expect(contracts).toMatchObject([
        { symbol: put, bid: 0.48, ask: 0.59, iv, delta: null, gamma: null, theta: null, vega: null },
      ]);
    }
  });

  it("reads the open interest from the list of contracts", async () => {
    const { body: listed } = readJson<{ body: { option_contracts: readonly object[] } }>(
      folder,
      "option_routes__get_option_contracts.json",
    );
    const name = "AAPL231103C00170000";
    const { contracts } = await respond(
      [listing({ [name]: { latestQuote: QUOTE } })],
      listed.option_contracts,
    ).chain();
    expect(contracts).toMatchObject([{ symbol: name, openInterest: 0 }]);
  });

  it("reads the documented page and its token", async () => {
    const spec = readJson<Record<string, { snapshots: { value: object } }>>(
      folder,
      "marketdata_spec_examples.json",
    )["/v1beta1/options/snapshots/{underlying_symbol}"]!.snapshots.value;
    const { chain, requests } = respond([spec, listing({ [CALL]: { latestQuote: QUOTE } })]);
    expect((await chain()).contracts).toMatchObject([
      { symbol: "AAPL240426C00162500", delta: 0.7521304109871954, last: 4.1 },
      { symbol: CALL, bid: 2.4 },
    ]);
    expect(requests.filter((url) => url.includes("page_token=QUFQTDI0MDYyMTAwMDIyMHwx"))).toHaveLength(1);
  });
});

describe("alpaca, chains", () => {
  it("have the figures of the world, from every page", async () => {
    const { fetch, requests } = respondAs(alpacaVendor);
    const { contracts } = await make(fetch).call(AAPL, { signal });
    const truth = world.chain(AAPL, world.trade("AAPL")!)!.contracts;
    const figures = ({ symbol, bid, ask, last, volume, openInterest }: (typeof truth)[number]) =>
      [symbol, bid, ask, last, last === null ? null : volume, openInterest] as const;
    expect(contracts.map(figures)).toEqual(truth.map(figures));
    expect(requests.filter((url) => url.includes("/v1beta1/options/")).length).toBeGreaterThan(3);
  });

  it("read prices of 0 as missing", async () => {
    const quiet = { latestQuote: { ...QUOTE, ap: 0, bp: 0 }, impliedVolatility: 0, greeks: GREEKS };
    expect(await one(quiet)).toMatchObject({
      bid: null,
      ask: null,
      bidSize: null,
      askSize: null,
      last: null,
      lastTradedAt: null,
      iv: null,
      delta: null,
    });
  });

  it("count the volume of the newest session, and 0 for an option that did not trade in it", async () => {
    const bar = (t: string, v: number) => ({
      latestQuote: QUOTE,
      dailyBar: { t, v, o: 1, h: 1, l: 1, c: 1 },
    });
    const { contracts } = await respond([
      listing({
        [CALL]: bar("2024-04-25T04:00:00Z", 40),
        AAPL240503C00175000: bar("2024-04-24T04:00:00Z", 30),
        AAPL240503C00180000: { latestQuote: QUOTE },
      }),
    ]).chain();
    expect(contracts.map(({ volume }) => volume)).toEqual([40, 0, null]);
  });

  it("have no open interest if the trading API refuses it, or if only the data API is replaced", async () => {
    const row = { latestQuote: QUOTE };
    expect(await one(row, [{ symbol: CALL, open_interest: "237" }])).toMatchObject({ openInterest: 237 });
    expect(await one(row, null)).toMatchObject({ openInterest: null, bid: 2.4 });
    const { fetch, requests } = recorded(fetchFrom(alpacaVendor, world));
    const replaced = alpacaChains({ fetch, key, secret, now: () => MOMENT, baseUrl: "http://127.0.0.1:1" });
    const { contracts } = await replaced.call(AAPL, { signal });
    expect(contracts.every(({ openInterest }) => openInterest === null)).toBe(true);
    expect(requests.every((url) => url.startsWith("http://127.0.0.1:1/"))).toBe(true);
  });

  it("send the key of a live account to the host of live accounts", async () => {
    const { fetch, requests } = respondWith({
      "/v2/stocks/snapshots": STOCK,
      "/AAPL": listing({ [CALL]: { latestQuote: QUOTE } }),
      "/v2/options/contracts": { option_contracts: [], next_page_token: null },
    });
    await alpacaChains({ fetch, key: "AKLIVEACCOUNT", secret, now: () => NOW }).call(AAPL, { signal });
    expect(requests.filter((url) => url.startsWith("https://api.alpaca.markets/v2/options/"))).toHaveLength(
      1,
    );
  });

  it("leave out an adjusted root, and are malformed without any of the ticker", async () => {
    const row = { latestQuote: QUOTE };
    const { contracts } = await respond([listing({ AAPL1240503C00170000: row, [CALL]: row })]).chain();
    expect(contracts.map(({ symbol }) => symbol)).toEqual([CALL]);
    expect(await kindOf(respond([listing({ MSFT240503C00170000: row })]).chain())).toBe("malformed");
    expect(await kindOf(respond([listing({})]).chain())).toBe("unknown_symbol");
  });

  it("leave out an unreadable option, name and open interest, and keep the rest of their pages", async () => {
    const row = { latestQuote: QUOTE };
    const page = listing({
      "not an option": row,
      AAPL240503P00170000: { latestQuote: { bp: "x" } },
      [CALL]: row,
    });
    const counts = [{ symbol: CALL, open_interest: "7" }, { symbol: 5 }];
    const { contracts } = await respond([page], counts).chain();
    expect(contracts.map(({ symbol, openInterest }) => [symbol, openInterest])).toEqual([[CALL, 7]]);
  });

  it("are malformed if a page repeats an option, and unsupported beyond twenty pages", async () => {
    const page = listing({ [CALL]: { latestQuote: QUOTE } }, "again");
    expect(await kindOf(respond([page, page]).chain())).toBe("malformed");
    expect(await kindOf(respond(Array.from({ length: 21 }, () => listing({}, "more"))).chain())).toBe(
      "unsupported",
    );
  });

  it("come from OPRA in real time with a subscription, whose feed a free key is refused", async () => {
    const plan = "algo_trader_plus";
    const { fetch, requests } = respondAs(alpacaVendor);
    const setup = { fetch, now: () => MOMENT, plan, tradingUrl: TRADING } as const;
    const chains = alpacaChains({ ...setup, ...SUBSCRIBED_KEY });
    expect(chains.delayMinutes).toBe(0);
    expect((await chains.call(AAPL, { signal })).delayMinutes).toBe(0);
    expect(requests.filter((url) => url.includes("feed=sip") || url.includes("feed=opra"))).not.toEqual([]);
    expect(await kindOf(alpacaChains({ ...setup, key, secret }).call(AAPL, { signal }))).toBe("auth");
  });

  it("are found for a share class, whose options have no dot in their root", async () => {
    const chain = await make(fetchFrom(alpacaVendor, world)).call(fixed("BRK.B"), { signal });
    expect(chain.underlying.symbol).toBe("BRK.B");
    expect(chain.contracts[0]!.symbol).toMatch(/^BRKB251205C/);
  });
});
