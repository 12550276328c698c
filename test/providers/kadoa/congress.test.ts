import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { kadoaCongress } from "../../../src/providers/kadoa/congress.ts";
import { kadoaVendor } from "../../replay/kadoa.ts";
import { createWorld } from "../../replay/shared-world.ts";
import { answering, plausibleFilings, request } from "../../support/filings-bench.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { signal } from "../requests.ts";

const world = createWorld({ now: () => Date.parse("2026-11-19T16:00:00Z") });

const whole = kadoaVendor.answer(
  {
    path: "/x/main/public/data/trades.json",
    query: new URLSearchParams(),
    headers: new Headers(),
    host: null,
  },
  world,
);
/** few enough rows to corrupt each of their fields */
const few = (JSON.parse(whole.body) as readonly unknown[]).slice(0, 12);

describeProvider("the free data set of disclosures", {
  make: (fetch) => kadoaCongress({ fetch }),
  honest: answering(few),
  vendor: kadoaVendor,
  good: request(),
  plausible: plausibleFilings(request()),
  filled: ({ trades }) => expect(trades.length).toBeGreaterThan(0),
});

describe("the free data set of disclosures", () => {
  it("returns a repeated row once", async () => {
    const result = async (rows: readonly unknown[]) =>
      (await kadoaCongress({ fetch: answering(rows) }).call(request(), { signal })).trades;
    const once = await result(few);
    expect(once.length).toBeGreaterThan(0);
    expect(await result([...few, ...few])).toEqual(once);
  });

  it("completes a band from its lower end, or returns null", async () => {
    const base = {
      id: "x",
      filing_date: "2026-10-02",
      transaction_date: "2026-10-05",
      transaction_type: "Purchase",
      filer_name: "Sample Memberaaa",
      branch: "congress",
      chamber: "house",
      party: "D",
    };
    const rows = [
      { ...base, amount_range_low: 50_001 },
      { ...base, id: "y", amount_range_low: 7 },
    ];
    const { trades } = await kadoaCongress({ fetch: answering(rows) }).call(request(), { signal });
    expect(trades.map(({ amount }) => amount?.high ?? null)).toEqual([100_000, null]);
    expect(trades[0]).toMatchObject({
      transaction_date: null,
      days_to_file: null,
      late: null,
      missing:
        "ticker: not stated; transaction_date: after the filing; owner: not stated; asset_type: not stated",
    });
  });
});

describeWithData("rows as recorded", ["fixtures", "congress", "kadoa_trades_sample.json"], (path) => {
  const ask = (chamber: "house" | "senate") =>
    kadoaCongress({ fetch: answering(readFileSync(path, "utf8")) }).call(request({ chamber }), { signal });

  it("include Congress only, not the executive branch", async () => {
    const { trades } = await ask("senate");
    expect(trades).toMatchObject([
      {
        type: "sell",
        partial: true,
        party: "D",
        state: "DE",
        owner: "spouse",
        asset_type: "other",
        amount: { low: 100_001, high: 250_000 },
        filing_date: "2026-08-28",
        days_to_file: 21,
      },
      { type: "buy", party: "R", state: "PA", asset_type: "stock", days_to_file: 8, ticker: null },
    ]);
    expect(trades[0]!.asset).not.toMatch(/\s{2}|\n/);
    expect((await ask("house")).trades).toEqual([]);
  });
});
