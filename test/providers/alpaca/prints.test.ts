import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Instrument } from "../../../src/domain/market/market.ts";
import { alpacaPrints } from "../../../src/providers/alpaca/prints.ts";
import { alpacaVendor } from "../../replay/alpaca.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixed, fixedWorld, MOMENT, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { plausiblePrints, somePrints } from "../../support/plausible-prints.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { signal } from "../requests.ts";

const [keyId, secret] = alpacaVendor.key!.split(", ") as [string, string];
const MINUTE = 60_000;
const make = (fetch: typeof globalThis.fetch, now = MOMENT) =>
  alpacaPrints({ fetch, key: keyId, secret, now: () => now });
const about = (instrument: Instrument, date = "2025-12-02", minNotional = 200_000) => ({
  instrument,
  date,
  minNotional,
});

describeProvider("alpaca, prints", {
  make,
  honest: fetchFrom(alpacaVendor, fixedWorld()),
  vendor: alpacaVendor,
  good: about(fixed("AAPL")),
  unsupported: about(fixed("BTC-USD")),
  unknown: { question: about(UNLISTED_STOCK), outcome: "none" },
  other: about(fixed("SPY")),
  plausible: plausiblePrints,
  filled: somePrints,
});

/** A provider with one response, and the requested URLs. */
function respondWith(body: unknown, now = Date.UTC(2022, 2, 10)) {
  const requests: URL[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    requests.push(new URL(String(input)));
    return new Response(JSON.stringify(body));
  };
  return { provider: make(fetch, now), requests };
}

describeWithData("alpaca as recorded", ["fixtures", "alpaca"], (folder) => {
  const body = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8")).body;

  it("returns off-exchange trades, including odd lots before the open", async () => {
    const recorded = body("historical_stock_data__get_trades.json");
    const trades = { AAPL: recorded.trades.AAPL.toReversed() };
    const { provider, requests } = respondWith({ trades, next_page_token: null });
    const result = await provider.call(about(fixed("AAPL"), "2022-03-09", 0), { signal });
    const at = Date.UTC(2022, 2, 9, 5, 0, 16, 910);
    expect(result.prints[0]).toEqual({
      id: `${at}-168`,
      price: 159.07,
      size: 2,
      executedAt: at,
      reportedAt: at,
      conditions: [],
      nbbo: null,
    });
    expect(result.prints).toHaveLength(2);
    expect(Object.fromEntries(requests[0]!.searchParams)).toEqual({
      symbols: "AAPL",
      feed: "sip",
      sort: "desc",
      limit: "10000",
      start: "2022-03-09T05:00:00.000Z",
      end: "2022-03-09T23:44:00.000Z", // requested at midnight, less 16 minutes
    });
  });

  it("refuses trades that are oldest first, and those of two symbols", async () => {
    for (const name of [
      "historical_stock_data__get_trades.json",
      "historical_stock_data__multisymbol_get_trades.json",
    ])
      await expect(
        respondWith(body(name)).provider.call(about(fixed("AAPL"), "2022-03-09"), { signal }),
      ).rejects.toMatchObject({ kind: "malformed" });
  });

  it("has none where it says none", async () => {
    const { provider } = respondWith(body("historical_stock_data__get_trades_multi_empty_response.json"));
    expect((await provider.call(about(fixed("AAPL"), "2022-03-09"), { signal })).prints).toEqual([]);
  });
});

const TRADE = { t: "2022-03-09T15:00:00Z", x: "D", p: 100, s: 5_000, c: ["@"], i: 7, z: "C" };

describe("alpaca, prints", () => {
  it.each([
    [{ x: "Q" }, null],
    [{ s: 1_999 }, null],
    [{ c: ["@", "W"] }, ["average_price"]],
    [{ c: ["B"] }, []],
    [{ c: ["B"], z: "A" }, ["average_price"]],
    [{ c: ["W"], z: "B" }, []],
    [{ c: ["@", "4"] }, ["derivative_priced"]],
    [{ c: ["P"] }, ["prior_reference"]],
    [{ c: ["7", "V"] }, ["contingent"]],
    [{ c: ["T", "U"] }, ["late"]],
    [{ c: ["Z", "P"] }, ["prior_reference", "late"]],
    [{ c: ["@", "F", "T", "I"] }, []],
    [{ c: null, u: "canceled" }, ["cancelled"]],
    [{ u: "incorrect" }, ["cancelled"]],
    [{ u: "corrected" }, []],
  ])("reads %j", async (change, conditions) => {
    const { provider } = respondWith({ trades: { AAPL: [{ ...TRADE, ...change }] }, next_page_token: null });
    const { prints } = await provider.call(about(fixed("AAPL"), "2022-03-09"), { signal });
    expect(prints.map((print) => print.conditions)).toEqual(conditions === null ? [] : [conditions]);
  });

  it("excludes the newest 16 minutes and returns the end of complete data", async () => {
    const now = Date.UTC(2022, 2, 9, 15);
    const { provider, requests } = respondWith({ trades: {}, next_page_token: null }, now);
    const { completeUntil } = await provider.call(about(fixed("AAPL"), "2022-03-09"), { signal });
    expect(completeUntil).toBe(now - 16 * MINUTE);
    expect(requests[0]!.searchParams.get("end")).toBe("2022-03-09T14:44:00.000Z");
    const early = respondWith({ trades: {}, next_page_token: null }, Date.UTC(2022, 2, 9, 5, 10));
    expect((await early.provider.call(about(fixed("AAPL"), "2022-03-09"), { signal })).prints).toEqual([]);
    expect(early.requests).toEqual([]);
  });

  it("reads at most four pages and returns the start of complete data", async () => {
    const { provider, requests } = respondWith({ trades: { AAPL: [TRADE] }, next_page_token: "more" });
    const { completeFrom } = await provider.call(about(fixed("AAPL"), "2022-03-09"), { signal });
    expect(requests.map(({ searchParams }) => searchParams.get("page_token"))).toEqual([
      null,
      "more",
      "more",
      "more",
    ]);
    expect(completeFrom).toBe(Date.UTC(2022, 2, 9, 15) + 1);
  });
});
