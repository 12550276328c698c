import { describe, expect, it } from "vitest";
import { finnhubCongress } from "../../../src/providers/finnhub/congress.ts";
import { finnhubVendor } from "../../replay/finnhub.ts";
import { createWorld } from "../../replay/shared-world.ts";
import { answering, plausibleFilings, remembered, request } from "../../support/filings-bench.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { signal } from "../requests.ts";

const world = createWorld({ now: () => Date.parse("2026-11-19T16:00:00Z") });
const make = (fetch: typeof globalThis.fetch) => finnhubCongress({ fetch, key: finnhubVendor.key! });
const aapl = request({ ticker: "AAPL" });

describeProvider("Finnhub's disclosures", {
  make,
  honest: remembered(finnhubVendor, world),
  vendor: finnhubVendor,
  good: aapl,
  unsupported: request(),
  unknown: { question: request({ ticker: "ZZZZQ" }), outcome: "none" },
  other: request({ ticker: "MSFT" }),
  plausible: plausibleFilings(aapl.ticker === null ? request() : { ...aapl, ticker: null }),
  filled: ({ trades }) => expect(trades.length).toBeGreaterThan(0),
});

describe("Finnhub's disclosures", () => {
  const row = {
    amountFrom: 1_001,
    amountTo: 15_000,
    assetName: "Apple Inc",
    filingDate: "2026-10-02",
    name: "Sample Memberaaa",
    ownerType: "Child",
    position: "Senator",
    symbol: "AAPL",
    transactionDate: "2026-09-01",
    transactionType: "Sale",
  };
  const ask = (data: readonly unknown[], chamber: "house" | "senate" = "senate") =>
    make(answering({ symbol: "AAPL", data })).call({ ...aapl, chamber }, { signal });

  it("get their chamber from the filer's position", async () => {
    expect((await ask([row])).trades).toMatchObject([
      { chamber: "senate", type: "sell", partial: null, owner: "child", amount: { high: 15_000 } },
    ]);
    expect((await ask([row], "house")).trades).toEqual([]);
    expect((await ask([{ ...row, position: "U.S. Representative" }], "house")).trades).toHaveLength(1);
    expect((await ask([{ ...row, position: "" }])).trades).toEqual([]);
  });

  it("complete a band whose upper end is missing or not larger", async () => {
    const of = async (amountTo: unknown) =>
      (await ask([{ ...row, amountFrom: 50_001, amountTo }])).trades[0]!.amount;
    expect([await of(null), await of(0), await of(100_000)]).toEqual(
      Array(3).fill({ low: 50_001, high: 100_000, label: "$50,001 - $100,000" }),
    );
  });
});
