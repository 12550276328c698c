import { describe, expect, it } from "vitest";
import { fmpCongress } from "../../../src/providers/fmp/congress.ts";
import { fmpVendor } from "../../replay/fmp.ts";
import { createWorld } from "../../replay/shared-world.ts";
import { answering, asked, plausibleFilings, remembered } from "../../support/filings-bench.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { signal } from "../requests.ts";

const world = createWorld({ now: () => Date.parse("2026-11-19T16:00:00Z") });
const honest = remembered(fmpVendor, world);
const make = (fetch: typeof globalThis.fetch) => fmpCongress({ fetch, key: fmpVendor.key! });
const aapl = asked({ ticker: "AAPL" });
const row = {
  symbol: "BRK-B",
  disclosureDate: "2026-10-02",
  transactionDate: "2026-09-01",
  firstName: "Sample",
  lastName: "Memberaaa",
  district: "CA 11",
  owner: "Joint",
  assetDescription: "A company",
  assetType: "Stock",
  type: "Sale (Partial)",
  amount: "$15,001 - $50,000",
  link: "https://example.org/1.pdf",
};

describeProvider("Financial Modeling Prep's disclosures of one ticker", {
  make,
  honest,
  vendor: fmpVendor,
  good: aapl,
  other: asked({ ticker: "MSFT" }),
  none: ["[]"],
  plausible: plausibleFilings(aapl),
  filled: ({ trades }) => expect(trades.length).toBeGreaterThan(0),
});

describe("Financial Modeling Prep's latest disclosures", () => {
  it.each(["house", "senate"] as const)("are complete: %s", async (chamber) => {
    const result = await make(honest).call(asked({ chamber }), { signal });
    plausibleFilings(asked({ chamber }))(result);
    const truth = world
      .filings()
      .filter(({ member, filed }) => member.chamber === chamber && filed >= "2026-08-10");
    expect(result.trades).toHaveLength(truth.reduce((all, { trades }) => all + trades.length, 0));
    expect(result).toMatchObject({ completeFrom: "2026-08-10", more: false });
  });

  it("are read field by field", async () => {
    const { trades } = await make(answering([row])).call(asked(), { signal });
    expect(trades).toMatchObject([
      {
        ticker: "BRK.B",
        type: "sell",
        partial: true,
        member: "Sample Memberaaa",
        state: "CA",
        owner: "joint",
        asset_type: "stock",
        amount: { low: 15_001, high: 50_000 },
        days_to_file: 31,
        party: null,
        doc_url: "https://example.org/1.pdf",
      },
    ]);
  });

  it("turn pages until they reach back far enough", async () => {
    const seen: string[] = [];
    const paged: typeof fetch = async (input) => {
      const { searchParams } = new URL(String(input));
      seen.push(searchParams.get("page")!);
      const disclosureDate = ["2026-10-03", "2026-10-02", "2026-08-01"][seen.length - 1];
      return new Response(JSON.stringify(Array.from({ length: 100 }, () => ({ ...row, disclosureDate }))));
    };
    const { trades } = await make(paged).call(asked(), { signal });
    expect(seen).toEqual(["0", "1", "2"]);
    expect(trades).toHaveLength(200);
    expect(new Set(trades.map(({ id }) => id)).size).toBe(200);
  });

  it("return a row once that moved to the next page between requests", async () => {
    const numbered = (i: number) => ({ ...row, assetDescription: `Company ${i}` });
    const sliding: typeof fetch = async (input) =>
      new Response(
        JSON.stringify(
          new URL(String(input)).searchParams.get("page") === "0"
            ? Array.from({ length: 100 }, (_, i) => numbered(i))
            : [numbered(98), numbered(99), numbered(100), numbered(100)],
        ),
      );
    const { trades } = await make(sliding).call(asked(), { signal });
    expect(trades.map(({ asset }) => asset).slice(98)).toEqual([
      ...["Company 98", "Company 99", "Company 100", "Company 100"],
    ]);
  });

  it("are one page where the plan has no more, and say from when that is whole", async () => {
    const refusing: typeof fetch = async (input) =>
      new URL(String(input)).searchParams.has("limit")
        ? new Response("Premium Query Parameter", { status: 402 })
        : new Response(JSON.stringify([row, { ...row, disclosureDate: "2026-09-20" }]));
    expect(await make(refusing).call(asked(), { signal })).toMatchObject({
      completeFrom: "2026-09-21",
      trades: [{}, {}],
    });
  });

  it.each([
    [{ "Error Message": "Limit Reach. Please upgrade your plan." }, "rate_limited"],
    [{ "Error Message": "Invalid API KEY." }, "auth"],
    [{}, "malformed"],
    [[{ ...row, disclosureDate: "soon" }], "malformed"],
  ])("fail on %j", async (body, kind) => {
    await expect(make(answering(body)).call(aapl, { signal })).rejects.toMatchObject({ kind });
  });
});
