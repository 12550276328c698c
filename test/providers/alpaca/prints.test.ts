import { describe, expect, it } from "vitest";
import type { Instrument } from "../../../src/domain/market/market.ts";
import { alpacaPrints } from "../../../src/providers/alpaca/prints.ts";
import { alpacaVendor, SUBSCRIBED_KEY } from "../../replay/alpaca.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixed, fixedWorld, MOMENT, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { plausiblePrints, somePrints } from "../../support/plausible-prints.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, parameters, readJson, respondAs, respondWith, signal } from "../requests.ts";

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

describe("alpaca, prints with a subscription", () => {
  it("are complete up to now, not up to sixteen minutes ago", async () => {
    const { fetch, requests } = respondAs(alpacaVendor);
    const today = about(fixed("AAPL"), "2025-12-03");
    const subscribed = alpacaPrints({
      fetch,
      ...SUBSCRIBED_KEY,
      plan: "algo_trader_plus",
      now: () => MOMENT,
    });
    const untilNow = await subscribed.call(today, { signal });
    const late = await make(fetch).call(today, { signal });
    expect([untilNow.completeUntil, late.completeUntil]).toEqual([MOMENT, MOMENT - 16 * MINUTE]);
    expect(parameters(requests, "end")).toEqual(["2025-12-03T15:42:30.000Z", "2025-12-03T15:26:30.000Z"]);
  });
});

/** A provider with one response, the requested URLs, and the prints of a day of AAPL. */
function respond(body: unknown, now = Date.UTC(2022, 2, 10)) {
  const { fetch, requests } = respondWith({ "": body });
  const call = (minNotional = 200_000) =>
    make(fetch, now).call(about(fixed("AAPL"), "2022-03-09", minNotional), { signal });
  return { call, requests };
}

describeWithData("alpaca as recorded", ["fixtures", "alpaca"], (folder) => {
  interface Trades {
    readonly trades: { readonly AAPL: readonly unknown[] };
  }
  const body = (name: string) =>
    readJson<{ body: Trades }>(folder, `historical_stock_data__${name}.json`).body;

  it("returns off-exchange trades, including odd lots before the open", async () => {
    const trades = { AAPL: body("get_trades").trades.AAPL.toReversed() };
    const { call, requests } = respond({ trades, next_page_token: null });
    const result = await call(0);
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
    expect(Object.fromEntries(new URL(requests[0]!).searchParams)).toEqual({
      symbols: "AAPL",
      feed: "sip",
      sort: "desc",
      limit: "10000",
      start: "2022-03-09T05:00:00.000Z",
      end: "2022-03-09T23:44:00.000Z", // requested at midnight, less 16 minutes
    });
  });

  it("rejects trades sorted oldest first, and trades of two symbols", async () => {
    for (const name of ["get_trades", "multisymbol_get_trades"])
      expect(await kindOf(respond(body(name)).call())).toBe("malformed");
  });

  it("has none for an empty list", async () => {
    expect((await respond(body("get_trades_multi_empty_response")).call()).prints).toEqual([]);
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
    const trades = { AAPL: [{ ...TRADE, ...change }] };
    const { prints } = await respond({ trades, next_page_token: null }).call();
    expect(prints.map((print) => print.conditions)).toEqual(conditions === null ? [] : [conditions]);
  });

  it("excludes the newest 16 minutes and returns the end of complete data", async () => {
    const now = Date.UTC(2022, 2, 9, 15);
    const { call, requests } = respond({ trades: {}, next_page_token: null }, now);
    expect((await call()).completeUntil).toBe(now - 16 * MINUTE);
    expect(parameters(requests, "end")).toEqual(["2022-03-09T14:44:00.000Z"]);
    const early = respond({ trades: {}, next_page_token: null }, Date.UTC(2022, 2, 9, 5, 10));
    expect((await early.call()).prints).toEqual([]);
    expect(early.requests).toEqual([]);
  });

  it("reads at most four pages and returns the start of complete data", async () => {
    const { call, requests } = respond({ trades: { AAPL: [TRADE] }, next_page_token: "more" });
    const { completeFrom } = await call();
    expect(parameters(requests, "page_token")).toEqual([null, "more", "more", "more"]);
    expect(completeFrom).toBe(Date.UTC(2022, 2, 9, 15) + 1);
  });
});
