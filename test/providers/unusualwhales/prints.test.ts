import { describe, expect, it } from "vitest";
import type { Instrument } from "../../../src/domain/market/market.ts";
import { unusualWhalesMarket, unusualWhalesPrints } from "../../../src/providers/unusualwhales/prints.ts";
import { unusualwhalesVendor } from "../../replay/unusualwhales.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixed, fixedWorld, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { plausiblePrints, somePrints } from "../../support/plausible-prints.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, parameters, readJson, respondInOrder, respondWith, signal } from "../requests.ts";

const token = unusualwhalesVendor.key!;
const honest = fetchFrom(unusualwhalesVendor, fixedWorld());
const about = (instrument: Instrument, date = "2025-12-02") => ({ instrument, date, minNotional: 200_000 });

describeProvider("unusual whales, prints", {
  make: (fetch) => unusualWhalesPrints({ fetch, key: token }),
  honest,
  vendor: unusualwhalesVendor,
  good: about(fixed("AAPL")),
  unsupported: about(fixed("BTC-USD")),
  unknown: { question: about(UNLISTED_STOCK), outcome: "none" },
  other: about(fixed("SPY")),
  none: ['{"data":[]}'],
  plausible: plausiblePrints,
  filled: somePrints,
});

describeProvider("unusual whales, prints of the market", {
  make: (fetch) => unusualWhalesMarket({ fetch, key: token }),
  honest,
  vendor: unusualwhalesVendor,
  good: { date: "2025-12-02", minNotional: 1_000_000 },
  none: ['{"data":[]}'],
  plausible: plausiblePrints,
  filled: somePrints,
});

/** A provider with responses in order, and the requested URLs. */
function respond(...bodies: readonly unknown[]) {
  const { fetch, requests } = respondInOrder(bodies);
  return { provider: unusualWhalesPrints({ fetch, key: token }), requests };
}

describeWithData("unusual whales as recorded", ["fixtures", "unusualwhales"], (folder) => {
  const file = (name: string) => readJson<any>(folder, name);

  it("returns a print with its quotes; after-hours prints are current", async () => {
    const recorded = file("rest_examples_tested_2025-10-22.json")["GET /api/darkpool/{ticker}"].example;
    const { provider, requests } = respond(recorded);
    const at = Date.UTC(2025, 9, 22, 21, 23, 24);
    expect(await provider.call(about(fixed("AAPL"), "2025-10-22"), { signal })).toEqual({
      prints: [
        {
          id: `${at}-258.45-9399-1`,
          price: 258.45,
          size: 9399,
          executedAt: at,
          reportedAt: at,
          conditions: [],
          nbbo: { bid: 258.5, ask: 258.6 },
        },
      ],
      completeFrom: Number.NEGATIVE_INFINITY,
      completeUntil: Number.POSITIVE_INFINITY,
    });
    expect(requests).toEqual([
      "https://api.unusualwhales.com/api/darkpool/AAPL?date=2025-10-22&limit=500&min_premium=200000&order=desc",
    ]);
  });

  it("takes the time of the trade from the facility, and reads times that contain a space", async () => {
    const { provider } = respond(file("openapi_examples_2026-08.json")["Darkpool Trade"]);
    const { prints } = await provider.call(about({ ...fixed("SPY"), symbol: "QID" }), { signal });
    expect(prints).toMatchObject([
      {
        id: `${Date.UTC(2025, 4, 2, 13, 42, 12)}-71984388012245`,
        executedAt: Date.UTC(2025, 4, 2, 13, 42, 11),
        reportedAt: Date.UTC(2025, 4, 2, 13, 42, 12),
        price: 18.9904,
        nbbo: { bid: 18.99, ask: 19 },
      },
      { executedAt: Date.UTC(2023, 1, 16, 0, 59, 44), reportedAt: Date.UTC(2023, 1, 16, 0, 59, 44) },
    ]);
  });

  it("reads numbers and booleans given as text", async () => {
    const all = file("openapi_examples.json")["/api/darkpool/recent"].examples["200"];
    const { provider } = respond(all);
    const { prints } = await provider.call(about({ ...fixed("SPY"), symbol: "QID" }), { signal });
    expect(prints.map(({ size, conditions }) => [size, conditions])).toEqual([
      [6400, []],
      [18600, []],
    ]);
  });

  it("reports a ticker that the API rejects as unknown", async () => {
    const error = file("openapi_examples_2026-08.json")["Error Message"];
    const { fetch } = respondWith({ "": error }, { status: 422 });
    const request = unusualWhalesPrints({ fetch, key: token }).call(about(fixed("AAPL")), { signal });
    expect(await kindOf(request)).toBe("unknown_symbol");
  });
});

const TRADE = {
  ticker: "AAPL",
  price: "250.5",
  size: 4000,
  executed_at: "2025-12-02T15:00:00Z",
  tracking_id: 0,
  trf_executed_at: "2025-12-02T15:00:00Z",
  canceled: false,
  trade_settlement: "regular",
};

describe("unusual whales, prints", () => {
  it.each([
    [{ canceled: true }, "cancelled"],
    [{ sale_cond_codes: "average_price_trade" }, "average_price"],
    [{ sale_cond_codes: "prior_reference_price" }, "prior_reference"],
    [{ sale_cond_codes: "contingent_trade" }, "contingent"],
    [{ trade_code: "qualified_contingent_trade" }, "contingent"],
    [{ trade_code: "derivative_priced" }, "derivative_priced"],
    [{ ext_hour_sold_codes: "sold_out_of_sequence" }, "late"],
    [{ ext_hour_sold_codes: "extended_hours_trade_late_or_out_of_sequence" }, "late"],
    [{ trade_settlement: "next_day" }, "contingent"],
    [{ trade_settlement: "cash_settlement" }, "contingent"],
    [{ trf_executed_at: "2025-12-02T14:59:49Z" }, "late"],
    [{ trf_executed_at: "2025-12-02T14:59:50Z" }, null],
    [{ sale_cond_codes: "odd_lot_execution" }, null],
    [{ ext_hour_sold_codes: "extended_hours_trade" }, null],
    [{ trade_code: "intermarket_sweep" }, null],
  ])("reads %j as %s", async (change, condition) => {
    const { provider } = respond({ data: [{ ...TRADE, ...change }] });
    const { prints } = await provider.call(about(fixed("AAPL")), { signal });
    expect(prints[0]!.conditions).toEqual(condition === null ? [] : [condition]);
  });

  it("ignores quotes with a missing or crossed side", async () => {
    const rows = [
      { nbbo_bid: "250" },
      { nbbo_bid: "251", nbbo_ask: "250" },
      { nbbo_bid: "0", nbbo_ask: "1" },
    ];
    const { provider } = respond({ data: rows.map((row) => ({ ...TRADE, ...row })) });
    const { prints } = await provider.call(about(fixed("AAPL")), { signal });
    expect(prints.map(({ nbbo, id }) => [nbbo, id.at(-1)])).toEqual([
      [null, "1"],
      [null, "2"],
      [null, "3"],
    ]);
  });

  it("pages at whole seconds, without missing or repeating a print", async () => {
    const at = (second: number) =>
      `2025-12-02T15:${String(Math.floor(second / 60)).padStart(2, "0")}:${String(second % 60).padStart(2, "0")}Z`;
    // 700 prints, three per second, newest first
    const all = Array.from({ length: 700 }, (_, i) => ({
      ...TRADE,
      executed_at: at(Math.floor((699 - i) / 3)),
      trf_executed_at: null,
      size: 1000 + i,
    }));
    const newestBefore = ({ searchParams }: URL) => {
      const before = Date.parse(searchParams.get("older_than") ?? "2025-12-03");
      return { data: all.filter(({ executed_at }) => Date.parse(executed_at) <= before).slice(0, 500) };
    };
    const { fetch, requests } = respondWith({ "": newestBefore });
    const provider = unusualWhalesPrints({ fetch, key: token });
    const { prints, completeFrom } = await provider.call(about(fixed("AAPL")), { signal });
    expect(parameters(requests, "older_than")).toEqual([null, "2025-12-02T15:01:06.000Z"]);
    expect(prints.map(({ size }) => size).toSorted((a, b) => a - b)).toEqual(all.map(({ size }) => size));
    expect(completeFrom).toBe(Number.NEGATIVE_INFINITY);
  });

  it("returns the start of complete data of a busy session", async () => {
    const rows = (from: number) =>
      Array.from({ length: 500 }, (_, i) => ({
        ...TRADE,
        executed_at: new Date(Date.UTC(2025, 11, 2, 20) - (from + i) * 1_000).toISOString(),
        trf_executed_at: null,
      }));
    const pages = [0, 499, 998, 1_497].map((from) => ({ data: rows(from) }));
    const { provider, requests } = respond(...pages);
    const { completeFrom, prints } = await provider.call(about(fixed("AAPL")), { signal });
    expect(requests).toHaveLength(4);
    expect(completeFrom).toBe(Date.UTC(2025, 11, 2, 20) - 1_996_000 + 1);
    expect(prints).toHaveLength(4 * 499);
  });
});
