import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { kalshiContracts, readMarkets } from "../../../src/providers/kalshi/contracts.ts";
import { kalshiSigned, kalshiVendor } from "../../replay/kalshi.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { plausibleContracts } from "../../support/contracts.ts";
import { fixedWorld } from "../../support/fixed-world.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, readJson, recorded, signal } from "../requests.ts";

const world = fixedWorld();
const now = () => world.now();
const honest = fetchFrom(kalshiVendor, world);

describeProvider("kalshi", {
  make: (fetch) => kalshiContracts({ fetch, now }),
  honest,
  vendor: kalshiVendor,
  good: "AAPL",
  // Responses do not contain the question; the topic is read from their text.
  unknown: { question: "nothing of the kind", outcome: "none" },
  plausible: plausibleContracts,
  filled: ({ contracts }) => expect(contracts).toHaveLength(world.contracts("AAPL", "simbook").length),
});

describe("the older host of Kalshi, if it wants a signature", () => {
  it("is replaced by the recommended one, with the same contracts", async () => {
    const { fetch, requests } = recorded(fetchFrom(kalshiSigned, world));
    const provider = kalshiContracts({ fetch, now });
    const truth = await kalshiContracts({ fetch: honest, now }).call("BTC", { signal });
    expect(await provider.call("BTC", { signal })).toEqual(truth);
    const before = requests.length;
    await provider.call("BTC", { signal });
    expect(new Set(requests.slice(before).map((url) => new URL(url).host))).toEqual(
      new Set(["external-api.kalshi.com"]),
    );
  });
});

describe("the two endpoints of Kalshi", () => {
  const request = (fails: RegExp | null) => {
    const { fetch, requests } = recorded(async (input, init) =>
      fails?.test(String(input)) ? new Response("", { status: 503 }) : honest(input, init),
    );
    const search = (text: string) => kalshiContracts({ fetch, now }).call(text, { signal });
    return { paths: () => requests.map((url) => new URL(url).pathname).sort(), search };
  };

  it("are both requested for the words of a known series; the documented endpoint's figures are used", async () => {
    const { paths, search } = request(null);
    const { contracts } = await search("BTC");
    expect(paths()).toEqual(["/trade-api/v2/markets", "/v1/search/series"]);
    const truth = world.contracts("BTC", "simbook");
    expect(contracts).toHaveLength(truth.length);
    const { volume_total, open_interest, strike } = truth[0]!;
    expect(contracts[0]).toMatchObject({ volume_total, open_interest, strike });
  });

  it("are only one for other words, with volumes halved", async () => {
    const { paths, search } = request(null);
    const { contracts } = await search("AAPL");
    expect(paths()).toEqual(["/v1/search/series"]);
    expect(contracts[0]).toMatchObject({
      volume_total: world.contracts("AAPL", "simbook")[0]!.volume_total,
      open_interest: null,
      strike: null,
    });
  });

  it.each([/v1/, /v2/])("replace each other: without %s", async (fails) => {
    const { contracts } = await request(fails).search("BTC price");
    expect(contracts).toHaveLength(world.contracts("BTC", "simbook").length);
  });

  it("fail with the search endpoint's error if both fail", async () => {
    expect(await kindOf(request(/./).search("BTC"))).toBe("down");
  });
});

const AT = Date.parse("2026-08-01T00:00:00Z");
const market = (over: Record<string, unknown> = {}) => ({
  ticker: "KXBTCD-1-T100",
  event_ticker: "KXBTCD-1",
  title: "Bitcoin price on Aug 25, 2026?",
  yes_sub_title: "$100,000 or above",
  yes_bid_dollars: "0.3100",
  yes_ask_dollars: "0.3300",
  last_price_dollars: "0.4000",
  volume_fp: "1200.50",
  volume_24h_fp: "10.00",
  open_interest_fp: "700.00",
  liquidity_dollars: "0.0000",
  close_time: "2026-08-25T21:00:00Z",
  status: "active",
  result: "",
  strike_type: "greater",
  floor_strike: 99_999.99,
  ...over,
});
const one = (over: Record<string, unknown> = {}) => readMarkets({ market: market(over) }, AT).contracts[0];

describe("a Kalshi market", () => {
  it("is parsed from decimal text of dollars and counts", () => {
    expect(one()).toMatchObject({
      probability: 0.32,
      probability_basis: "mid",
      bid: 0.31,
      ask: 0.33,
      spread: 0.02,
      volume_total: 1200.5,
      volume_24h: 10,
      volume_unit: "contracts",
      open_interest: 700,
      liquidity: null,
      outcome: "$100,000 or above",
      status: "open",
      url: "https://kalshi.com/markets/kxbtcd",
      strike: { side: "above", floor: 99_999.99, cap: null },
    });
  });

  it.each([
    [{ yes_bid_dollars: "0.0000" }, 0.4, "last"],
    [{ yes_ask_dollars: "1.0000" }, 0.4, "last"],
    [{ yes_bid_dollars: "0.0000", last_price_dollars: "0.0000" }, null, null],
    [{ yes_ask_dollars: "0.0000", last_price_dollars: undefined }, null, null],
  ])("with an empty side is the last price or none: %j", (over, probability, probability_basis) => {
    expect(one(over)).toMatchObject({ probability, probability_basis, spread: null });
  });

  it.each(["initialized", "closed", "determined", "disputed", "amended", "finalized", "settled"])(
    "is omitted when %s",
    (status) => {
      expect(readMarkets({ markets: [market({ status })] }, AT)).toEqual({ contracts: [], dropped: 1 });
    },
  );

  it("is paused if inactive, and omitted if closed, decided or a bundle of others", () => {
    expect(one({ status: "inactive" })).toMatchObject({ status: "paused" });
    expect(one({ result: "no" })).toBeUndefined();
    expect(one({ close_time: "2026-07-31T23:59:59Z" })).toBeUndefined();
    expect(one({ mve_collection_ticker: "KXMVE" })).toBeUndefined();
  });

  it.each([
    [
      { strike_type: "less", cap_strike: 90_000 },
      { side: "below", floor: null, cap: 90_000 },
    ],
    [
      { strike_type: "between", floor_strike: 90_000, cap_strike: 95_000 },
      { side: "between", floor: 90_000, cap: 95_000 },
    ],
    [{ strike_type: "greater_or_equal", floor_strike: null }, null],
    [{ strike_type: "custom" }, null],
  ])("has a strike: %j", (over, strike) => {
    expect(one(over)!.strike).toEqual(strike);
  });
});

describe("a Kalshi response without markets", () => {
  it.each([
    [{ error: "too many requests" }, "rate_limited"],
    [{ error: { code: "authentication_error", message: "authentication_error" } }, "auth"],
    [{ code: "too_many_requests", message: "x", details: "y" }, "rate_limited"],
    [{ msg: "Parameter validation failed" }, "malformed"],
    [{ orderbook_fp: { yes_dollars: [], no_dollars: [] } }, "malformed"],
  ])("is refused: %j", (body, kind) => {
    expect(failureOf(body)).toBe(kind);
  });
});

function failureOf(body: unknown): string {
  try {
    readMarkets(body, AT);
  } catch (cause) {
    return (cause as ProviderFailure).kind;
  }
  return "answered";
}

describeWithData("recorded Kalshi answers", ["fixtures", "kalshi"], (path) => {
  const load = (file: string): unknown => {
    const body = readJson<{ readonly response?: unknown }>(path, file);
    return body.response ?? body;
  };
  const read = (file: string, at: string) => readMarkets(load(file), Date.parse(at));

  it("of the search endpoint are parsed: 40 events, without settled ones", () => {
    const { contracts, dropped } = read("prod-2026-08_v1_search_series_fed.json", "2026-08-18T12:00:00Z");
    expect(contracts.length + dropped).toBe(522);
    expect(contracts[0]).toMatchObject({
      id: "KXRATECUT-26DEC31",
      question: "Fed rate cut before 2027?",
      outcome: "Cuts",
      probability: 0.155,
      bid: 0.15,
      ask: 0.16,
      volume_total: 990_288.5,
      close_time: "2027-01-01T04:59:00.000Z",
      keywords: ["Economics", "Fed", "Economics", "Federal Reserve", "Interest Rates"],
    });
    expect(contracts.find(({ id }) => id === "KXFEDDECISION-26OCT-C25")).toMatchObject({
      question: "Fed decision in October? On Oct 28, 2026",
      outcome: "Cut 25bps",
      probability: 0.055,
      event: "KXFEDDECISION-26OCT",
    });
  });

  it("of the markets endpoint are parsed, with null for a missing price", () => {
    const { contracts } = read("prod-2026-07_kalshi_markets.json", "2026-07-25T05:00:10Z");
    expect(
      contracts.map(({ outcome, probability, ask, strike }) => [outcome, probability, ask, strike?.floor]),
    ).toEqual([
      ["$74,300 or above", null, 0.01, 74_299.99],
      ["$74,200 or above", null, 0.01, 74_199.99],
      ["$74,100 or above", null, 0.01, 74_099.99],
    ]);
    const [game] = read("prod-2026-08_market_single.json", "2026-08-07T00:41:00Z").contracts;
    expect(game).toMatchObject({ outcome: "San Diego", probability: 0.535, volume_total: 10_160.15 });
  });

  it("of earlier dates and of the demo exchange are parsed too", () => {
    const [mars] = read("prod-2026-01_event_single_response.json", "2026-01-12T00:00:00Z").contracts;
    expect(mars).toMatchObject({
      probability: 0.065,
      volume_total: 35_001,
      close_time: "2099-08-01T04:59:00.000Z",
    });
    const counts = (file: string) => {
      const { contracts, dropped } = read(file, "2026-06-11T06:20:00Z");
      return [contracts.length, dropped];
    };
    expect(counts("prod-2026-01_events_list_response.json")).toEqual([0, 0]);
    expect(counts("demo-2026-06_markets__unauth_single.json")).toEqual([1, 0]);
    expect(counts("demo-2026-06_markets__unauth_list.json")).toEqual([0, 2]);
    expect(counts("demo-2026-06_markets__garbage_cursor.json")).toEqual([0, 5]);
    expect(counts("demo-2026-06_markets__status_settled.json")).toEqual([0, 5]);
  });

  it("without markets, and errors, are each rejected", () => {
    const refused = readdirSync(path)
      .filter((file) => file.endsWith(".json") && !file.endsWith(".meta.json"))
      .map((file) => [file, failureOf(load(file))])
      .filter(([, kind]) => kind !== "answered");
    expect(Object.fromEntries(refused)).toEqual({
      "demo-2026-06_account__limits.json": "malformed",
      "demo-2026-06_auth__bad_signature.json": "auth",
      "demo-2026-06_auth__missing_signature_header.json": "auth",
      "demo-2026-06_exchange__status.json": "malformed",
      "demo-2026-06_markets__limit_over_max.json": "malformed",
      "demo-2026-06_orders__cancel_unknown_id.json": "malformed",
      "demo-2026-06_orders__duplicate_client_order_id.json": "malformed",
      "demo-2026-06_orders__insufficient_balance.json": "malformed",
      "prod-2026-01_series_single_response.json": "malformed",
      "prod-2026-01_tags_by_categories_response.json": "malformed",
      "prod-2026-07_kalshi_orderbook.json": "malformed",
      "prod-2026-07_kalshi_series.json": "malformed",
      "prod-2026-07_kalshi_trades.json": "malformed",
      "prod-2026-08_orderbook_fp.json": "malformed",
    });
  });
});
