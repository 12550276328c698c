import { describe, expect, it } from "vitest";
import { fmpCongress } from "../../../src/providers/fmp/congress.ts";
import { fmpVendor } from "../../replay/fmp.ts";
import { createWorld } from "../../replay/shared-world.ts";
import { answering, plausibleFilings, remembered, request } from "../../support/filings-bench.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { kindOf, parameters, respondInOrder, respondWith, signal } from "../requests.ts";

const world = createWorld({ now: () => Date.parse("2026-11-19T16:00:00Z") });
const honest = remembered(fmpVendor, world);
const make = (fetch: typeof globalThis.fetch) => fmpCongress({ fetch, key: fmpVendor.key! });
const aapl = request({ ticker: "AAPL" });
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
  other: request({ ticker: "MSFT" }),
  none: ["[]"],
  plausible: plausibleFilings(aapl),
  filled: ({ trades }) => expect(trades.length).toBeGreaterThan(0),
});

describe("Financial Modeling Prep's latest disclosures", () => {
  it.each(["house", "senate"] as const)("are complete: %s", async (chamber) => {
    const result = await make(honest).call(request({ chamber }), { signal });
    plausibleFilings(request({ chamber }))(result);
    const truth = world
      .filings()
      .filter(({ member, filed }) => member.chamber === chamber && filed >= "2026-08-10");
    expect(result.trades).toHaveLength(truth.reduce((all, { trades }) => all + trades.length, 0));
    expect(result).toMatchObject({ completeFrom: "2026-08-10", more: false });
  });

  it("are parsed field by field", async () => {
    const { trades } = await make(answering([row])).call(request(), { signal });
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

  it("read pages until they reach back far enough", async () => {
    const page = (disclosureDate: string) => Array.from({ length: 100 }, () => ({ ...row, disclosureDate }));
    const { fetch, requests } = respondInOrder(["2026-10-03", "2026-10-02", "2026-08-01"].map(page));
    const { trades } = await make(fetch).call(request(), { signal });
    expect(parameters(requests, "page")).toEqual(["0", "1", "2"]);
    expect(trades).toHaveLength(200);
    expect(new Set(trades.map(({ id }) => id)).size).toBe(200);
  });

  it("return a row only once if it moved to the next page between requests", async () => {
    const numbered = (i: number) => ({ ...row, assetDescription: `Company ${i}` });
    const first = Array.from({ length: 100 }, (_, i) => numbered(i));
    const second = [98, 99, 100, 100].map(numbered);
    const { trades } = await make(respondInOrder([first, second]).fetch).call(request(), { signal });
    expect(trades.map(({ asset }) => asset).slice(98)).toEqual([
      ...["Company 98", "Company 99", "Company 100", "Company 100"],
    ]);
  });

  it("are limited to one page if the plan has no more, with the start of complete data", async () => {
    const rows = [row, { ...row, disclosureDate: "2026-09-20" }];
    const free = ({ searchParams }: URL) =>
      searchParams.has("limit") ? new Response("Premium Query Parameter", { status: 402 }) : rows;
    expect(await make(respondWith({ "": free }).fetch).call(request(), { signal })).toMatchObject({
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
    expect(await kindOf(make(answering(body)).call(aapl, { signal }))).toBe(kind);
  });
});
