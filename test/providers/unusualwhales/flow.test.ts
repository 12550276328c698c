import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Instrument } from "../../../src/domain/market/market.ts";
import {
  Alert,
  tradeOf,
  unusualWhalesFlow,
  unusualWhalesTide,
} from "../../../src/providers/unusualwhales/flow.ts";
import { unusualwhalesVendor } from "../../replay/unusualwhales.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixed, fixedWorld, MOMENT, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, readJson, respondWith, signal, stock } from "../requests.ts";

const token = unusualwhalesVendor.key!;
const honest = fetchFrom(unusualwhalesVendor, fixedWorld());
const about = (instrument: Instrument, from = MOMENT - 86_400_000) => ({ instrument, from });

describeProvider("unusual whales, option trades", {
  make: (fetch) => unusualWhalesFlow({ fetch, key: token }),
  honest,
  vendor: unusualwhalesVendor,
  good: about(fixed("AAPL")),
  unsupported: about(fixed("BTC-USD")),
  unknown: { question: about(UNLISTED_STOCK), outcome: "none" },
  other: about(fixed("SPY")),
  none: ['{"data":[]}'],
  plausible({ trades }) {
    for (const { price, size, premium, strike, executedAt, askPremium, bidPremium } of trades) {
      expect(Math.min(price, size, strike, executedAt)).toBeGreaterThan(0);
      expect(premium).toBeGreaterThanOrEqual(0);
      if (askPremium !== null) expect(askPremium + bidPremium!).toBeLessThanOrEqual(premium * 1.02 + 1);
    }
  },
  filled: ({ trades }) => expect(trades.length).toBeGreaterThan(2),
});

describeProvider("unusual whales, tide", {
  make: (fetch) => unusualWhalesTide({ fetch, key: token }),
  honest,
  vendor: unusualwhalesVendor,
  good: null,
  none: ['{"data":[]}'],
  plausible({ ticks }) {
    for (const tick of ticks) expect(Object.values(tick).every(Number.isFinite)).toBe(true);
  },
  filled: ({ ticks }) => expect(ticks.length).toBeGreaterThan(2),
});

/** Providers with one response, and the requested URLs. */
function respond(body: unknown, status = 200) {
  const { fetch, requests } = respondWith({ "": body }, { status });
  const setup = { fetch, key: token };
  return { flow: unusualWhalesFlow(setup), tide: unusualWhalesTide(setup), requests };
}

describeWithData("unusual whales' option flow as recorded", ["fixtures", "unusualwhales"], (folder) => {
  const file = (name: string) => readJson<any>(folder, name);

  it("returns a run of trades with its sides, recorded in October 2025", async () => {
    const rest = file("rest_examples_tested_2025-10-22.json")["GET /api/option-trades/flow-alerts"].example;
    const { flow, requests } = respond(rest);
    const from = Date.parse("2025-10-22T13:30:00Z");
    expect(await flow.call(about(stock("QQQ"), from), { signal })).toEqual({
      trades: [
        {
          id: "fda36fab-b0a8-4d12-9bd4-79b8880cc78f",
          contract: "QQQ251028C00611000",
          expiry: "2025-10-28",
          type: "call",
          strike: 611,
          price: 2.8,
          size: 514,
          trades: 8,
          premium: 143_920,
          askPremium: 143_920,
          bidPremium: 0,
          sweep: false,
          floor: false,
          multileg: false,
          executedAt: 1_761_164_032_828,
        },
      ],
      completeFrom: Number.NEGATIVE_INFINITY,
    });
    expect(requests).toEqual([
      "https://api.unusualwhales.com/api/option-trades/flow-alerts?ticker_symbol=QQQ&newer_than=2025-10-22T13:30:00.000Z&limit=200",
    ]);
  });

  it.each([
    ["flags as text", "openapi_examples.json", ["/api/option-trades/flow-alerts", "examples", "200"]],
    ["times with a blank", "openapi_examples_2026-08.json", ["Flow Alert"]],
  ])("reads %s, and a sweep that is marked", async (_, name, path) => {
    const body = path.reduce((value, key) => value[key], file(name));
    const { trades } = await respond(body).flow.call(about(stock("MSFT")), { signal });
    expect(trades).toMatchObject([
      {
        contract: "MSFT231222C00375000",
        expiry: "2023-12-22",
        strike: 375,
        type: "call",
        sweep: true,
        size: 461,
        premium: 186_705,
        askPremium: 151_875,
        bidPremium: 405,
        executedAt: Date.parse("2023-12-12T16:35:52.168Z"),
      },
    ]);
  });

  it("reads every run in a socket recording of May 2025", () => {
    const lines = readFileSync(join(folder, "demo_flowalerts_20250516_131951.txt"), "utf8")
      .trim()
      .split("\n");
    const alerts = lines.flatMap((line) => {
      const text = line.slice(line.indexOf("{"));
      const json = text
        .replaceAll("'", '"')
        .replaceAll("True", "true")
        .replaceAll("False", "false")
        .replaceAll("None", "null");
      const row = JSON.parse(json);
      return row.status === "ok" ? [] : [row];
    });
    expect(alerts.length).toBeGreaterThan(10);
    const trades = alerts.map((row) => tradeOf(Alert.parse(row)));
    expect(trades[0]).toMatchObject({
      contract: "JD250523P00034000",
      type: "put",
      strike: 34,
      size: 341,
      trades: 31,
      premium: 29_326,
      askPremium: 16_598,
      bidPremium: 12_728,
      sweep: false,
      executedAt: 1_747_419_586_893,
    });
    expect(trades.every(({ premium, price, size }) => premium > 0.5 * price * size * 100)).toBe(true);
  });

  it.each([
    ["rest_examples_tested_2025-10-22.json", ["GET /api/market/market-tide", "example"], -15_734_922, 4],
    ["openapi_examples.json", ["/api/market/market-tide", "examples", "200"], 4_839_265, 3],
    ["openapi_examples_2026-08.json", ["Daily Market Tide"], 4_839_265, 3],
  ])("returns the tide of %s", async (name, path, call, count) => {
    const body = path.reduce((value, key) => value[key], file(name));
    const { ticks } = await respond(body).tide.call(null, { signal });
    expect(ticks).toHaveLength(count);
    expect(ticks.at(-1)).toMatchObject({ netCallPremium: call });
  });

  it("reports a ticker that the API cannot parse as unknown", async () => {
    const { flow } = respond(file("openapi_examples_2026-08.json")["Error Message"], 422);
    expect(await kindOf(flow.call(about(fixed("AAPL")), { signal }))).toBe("unknown_symbol");
  });
});

describe("requests to unusual whales", () => {
  it("carry the client id that the vendor asks programs for", async () => {
    const { fetch, headers } = respondWith({ "": { data: [] } });
    await unusualWhalesTide({ fetch, key: token }).call(null, { signal });
    expect(headers.map((sent) => sent.get("uw-client-api-id"))).toEqual(["100001"]);
  });
});

describe("unusual whales' option flow", () => {
  const alert = {
    ticker: "AAPL",
    option_chain: "AAPL260220C00250000",
    price: 1,
    total_size: 10,
    trade_count: 1,
    total_premium: 1000,
    end_time: MOMENT,
  };

  it("returns the start of complete data of a full response", async () => {
    const data = Array.from({ length: 200 }, (_, i) => ({ ...alert, end_time: MOMENT - 1_000 * i }));
    const { completeFrom } = await respond({ data }).flow.call(about(fixed("AAPL")), { signal });
    expect(completeFrom).toBe(MOMENT - 199_000 + 1_000);
  });

  it("has null sides if they are missing or exceed the total", async () => {
    const { trades } = await respond({
      data: [alert, { ...alert, total_ask_side_prem: 900, total_bid_side_prem: 900 }],
    }).flow.call(about(fixed("AAPL")), { signal });
    expect(trades).toMatchObject([
      { askPremium: null, bidPremium: null, sweep: null },
      { askPremium: null, bidPremium: null },
    ]);
  });
});
