import { describe, expect, it } from "vitest";
import { unusualWhalesCongress } from "../../../src/providers/unusualwhales/congress.ts";
import { createWorld } from "../../replay/shared-world.ts";
import { unusualwhalesVendor } from "../../replay/unusualwhales.ts";
import { answering, plausibleFilings, remembered, request } from "../../support/filings-bench.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { parameters, readJson, respondWith, signal } from "../requests.ts";

const world = createWorld({ now: () => Date.parse("2026-11-19T16:00:00Z") });
const honest = remembered(unusualwhalesVendor, world);
const make = (fetch: typeof globalThis.fetch) =>
  unusualWhalesCongress({ fetch, key: unusualwhalesVendor.key! });
const aapl = request({ ticker: "AAPL" });

describeProvider("Unusual Whales' disclosures", {
  make,
  honest,
  vendor: unusualwhalesVendor,
  good: aapl,
  unknown: { question: request({ ticker: "ZZZZQ" }), outcome: "none" },
  other: request({ ticker: "MSFT" }),
  none: ['{"data":[]}'],
  plausible: plausibleFilings({ ...aapl, ticker: null }),
  filled: ({ trades }) => expect(trades.length).toBeGreaterThan(0),
});

describe("Unusual Whales' disclosures", () => {
  it("include all filed ones, although the list is ordered by trade date", async () => {
    const { trades } = await make(honest).call(request({ chamber: "senate" }), { signal });
    const truth = world
      .filings()
      .filter(({ member, filed }) => member.chamber === "senate" && filed >= "2026-08-10");
    expect(trades).toHaveLength(truth.reduce((all, { trades }) => all + trades.length, 0));
  });

  const row = {
    name: "Sample Memberaaa",
    ticker: "AAPL",
    issuer: "joint",
    amounts: "$1,000 - $15,000",
    notes: null,
    transaction_date: "2026-09-01",
    filed_at_date: "2026-10-02",
    member_type: "house",
  };
  it.each([
    ["Buy", "buy", null],
    ["Purchase", "buy", null],
    ["Sell", "sell", null],
    ["Sell (partial)", "sell", true],
    ["Sell (PARTIAL)", "sell", true],
    ["Sale (Partial)", "sell", true],
    ["Sale (Full)", "sell", false],
    ["Exchange", "exchange", null],
    ["Receive", "exchange", null],
    ["Exercise", "exchange", null],
  ])("spell %s", async (txn_type, type, partial) => {
    const { trades } = await make(answering({ data: [{ ...row, txn_type }] })).call(request(), { signal });
    expect(trades).toMatchObject([{ type, partial, owner: "joint", amount: { low: 1_001, high: 15_000 } }]);
    expect(trades[0]!.as_filed.type).toBe(txn_type);
  });

  it("read pages back by trade date, and stop at a page with nothing older", async () => {
    const page = ({ searchParams }: URL) => {
      const transaction_date = searchParams.has("date") ? "2026-09-01" : "2026-09-20";
      return { data: Array.from({ length: 200 }, () => ({ ...row, txn_type: "Buy", transaction_date })) };
    };
    const { fetch, requests } = respondWith({ "": page });
    await make(fetch).call(request(), { signal });
    expect(parameters(requests, "date")).toEqual([null, "2026-09-20", "2026-09-01"]);
  });
});

describeWithData(
  "answers as recorded",
  ["fixtures", "unusualwhales", "rest_examples_tested_2025-10-22.json"],
  (path) => {
    const examples = readJson<Record<string, { readonly example: unknown }>>(path);
    const of = (name: string) =>
      make(answering(examples[name]!.example)).call(request({ since: "2025-01-01" }), { signal });

    it("are parsed: recent trades", async () => {
      expect((await of("GET /api/congress/recent-trades")).trades).toMatchObject([
        {
          ticker: "EXC",
          asset_type: "stock",
          type: "buy",
          owner: null,
          transaction_date: "2025-10-15",
          filing_date: "2025-10-20",
          missing: "owner: not stated",
        },
      ]);
    });

    it("are parsed: an exercise is neither a purchase nor a sale, and a company without a ticker has null", async () => {
      expect((await of("GET /api/congress/congress-trader")).trades).toMatchObject([
        { ticker: "AVGO", type: "exchange", owner: "spouse", amount: { low: 1_000_001 } },
      ]);
      expect((await of("GET /api/congress/late-reports")).trades).toMatchObject([
        { ticker: null, type: "sell", late: true, days_to_file: 436 },
      ]);
    });
  },
);
