import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Weeks } from "../../../src/domain/off-exchange/provider.ts";
import { finraWeekly } from "../../../src/providers/finra/weekly.ts";
import { finraVendor } from "../../replay/finra.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixed, fixedWorld, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { signal } from "../requests.ts";

const about = (symbol: string) => ({ instrument: fixed(symbol) });

describeProvider("finra, weeks", {
  make: (fetch) => finraWeekly({ fetch }),
  honest: fetchFrom(finraVendor, fixedWorld()),
  vendor: finraVendor,
  good: about("AAPL"),
  unsupported: about("BTC-USD"),
  unknown: { question: { instrument: UNLISTED_STOCK }, outcome: "unknown_symbol" },
  other: about("BRK.B"),
  plausible({ weeks }: Weeks) {
    for (const { week, shares, trades, notional, knownAt } of weeks) {
      expect(Number.isFinite(week) && shares >= 0 && trades >= 0 && Number.isFinite(shares + trades)).toBe(
        true,
      );
      expect(notional === null || notional >= 0).toBe(true);
      expect(Number.isFinite(knownAt)).toBe(true);
    }
  },
  filled: ({ weeks }) => expect(weeks.length).toBeGreaterThan(20),
});

/** Weekly data with these responses by kind and tier; all others are empty. */
function respondWith(bodies: Readonly<Record<string, unknown>>) {
  const requests: { readonly url: string; readonly init: RequestInit; readonly sent: Sent }[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const sent = JSON.parse(String(init!.body)) as Sent;
    requests.push({ url: String(input), init: init!, sent });
    const [kind, tier] = sent.compareFilters.map(({ fieldValue }) => fieldValue);
    return new Response(JSON.stringify(bodies[`${kind} ${tier}`] ?? []));
  };
  return { provider: finraWeekly({ fetch }), requests };
}
interface Sent {
  readonly fields: readonly string[];
  readonly limit: number;
  readonly compareFilters: readonly { readonly fieldName: string; readonly fieldValue: string }[];
}

describeWithData("finra's weeks as recorded", ["fixtures", "finra"], (folder) => {
  const file = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8"));

  it("may be in any order, each known from the evening of its publication date", async () => {
    const { provider, requests } = respondWith({
      "ATS_W_SMBL T1": file("otcMarket_weeklySummary_AAPL.json"),
    });
    const { weeks } = await provider.call(about("AAPL"), { signal });
    expect(weeks).toEqual([
      {
        week: Date.UTC(2022, 11, 19),
        kind: "ats",
        shares: 24539581,
        trades: 191627,
        notional: 3250134188,
        knownAt: Date.UTC(2023, 0, 9, 23),
      },
      expect.objectContaining({
        week: Date.UTC(2023, 0, 16),
        shares: 15052890,
        knownAt: Date.UTC(2023, 1, 6, 23),
      }),
      expect.objectContaining({ week: Date.UTC(2023, 1, 13), trades: 156475, notional: 2742094601 }),
    ]);
    expect(requests).toHaveLength(2);
  });

  it("are requested as in the recorded request", async () => {
    const recorded = file("otcMarket_weeklySummary_AAPL_request.json");
    const { provider, requests } = respondWith({
      "ATS_W_SMBL T1": file("otcMarket_weeklySummary_AAPL.json"),
    });
    await provider.call(about("AAPL"), { signal });
    const [{ url, init, sent }] = requests as [(typeof requests)[number]];
    expect([url, init.method]).toEqual([recorded.url, recorded.method]);
    expect(new Headers(init.headers).get("content-type")).toBe("application/json");
    expect(sent.compareFilters).toEqual(recorded.json.compareFilters);
    expect(recorded.json.fields).toEqual(expect.arrayContaining([...sent.fields]));
    expect(sent.limit).toBe(recorded.json.limit);
  });
});

describe("finra, weekly data", () => {
  it("are looked up among the smaller stocks if the large ones have none", async () => {
    const row = {
      issueSymbolIdentifier: "LINK",
      weekStartDate: "2025-11-03",
      initialPublishedDate: "2025-12-01",
      totalWeeklyShareQuantity: 1200,
      totalWeeklyTradeCount: 7,
      totalNotionalSum: null,
    };
    const { provider, requests } = respondWith({ "OTC_W_SMBL T2": [row] });
    expect(await provider.call(about("LINK"), { signal })).toEqual({
      weeks: [
        {
          week: Date.UTC(2025, 10, 3),
          kind: "otc",
          shares: 1200,
          trades: 7,
          notional: null,
          knownAt: Date.UTC(2025, 11, 1, 23),
        },
      ],
    });
    expect(requests).toHaveLength(4);
  });
});
