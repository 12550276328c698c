import { describe, expect, it } from "vitest";
import type { ShortInterestReports } from "../../../src/domain/short-interest/provider.ts";
import { finraShortInterest } from "../../../src/providers/finra/short-interest.ts";
import { finraVendor } from "../../replay/finra.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixed, fixedWorld, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { signal } from "../requests.ts";

const about = (symbol: string) => ({ instrument: fixed(symbol) });

describeProvider("finra, short interest", {
  make: (fetch) => finraShortInterest({ fetch }),
  honest: fetchFrom(finraVendor, fixedWorld()),
  vendor: finraVendor,
  good: about("AAPL"),
  unsupported: about("BTC-USD"),
  unknown: { question: { instrument: UNLISTED_STOCK }, outcome: "unknown_symbol" },
  other: about("BRK.B"),
  plausible({ reports }: ShortInterestReports) {
    for (const { settlement, shares, previous, averageVolume, knownAt } of reports) {
      expect(Number.isFinite(settlement) && Number.isInteger(shares) && shares >= 0).toBe(true);
      expect(previous === null || previous >= 0).toBe(true);
      expect(averageVolume === null || averageVolume > 0).toBe(true);
      expect(knownAt).toBeGreaterThan(settlement);
    }
    const days = reports.map(({ settlement }) => settlement);
    expect(days).toEqual(days.toSorted((a, b) => a - b));
  },
  filled: ({ reports }) => expect(reports.length).toBeGreaterThan(20),
});

/** A documented row. */
const row = (over: object = {}) => ({
  settlementDate: "2026-08-31",
  symbolCode: "AAPL",
  currentShortPositionQuantity: 298,
  previousShortPositionQuantity: 285,
  averageDailyVolumeQuantity: 140,
  stockSplitFlag: null,
  revisionFlag: null,
  ...over,
});
const respond = (rows: readonly object[]) =>
  finraShortInterest({ fetch: async () => new Response(JSON.stringify(rows)) }).call(about("AAPL"), {
    signal,
  });

describe("finra's short interest as documented", () => {
  it("is refused with more rows than were requested", async () => {
    await expect(respond(Array.from({ length: 1_001 }, () => row()))).rejects.toMatchObject({
      kind: "malformed",
      message: "more rows than requested",
    });
  });

  it("is sorted by settlement date, each known from the evening of the seventh business day", async () => {
    const rows = [row(), row({ settlementDate: "2026-08-14", currentShortPositionQuantity: 285 })];
    expect((await respond(rows)).reports).toEqual([
      expect.objectContaining({ settlement: Date.UTC(2026, 7, 14), shares: 285 }),
      {
        settlement: Date.UTC(2026, 7, 31),
        shares: 298,
        previous: 285,
        averageVolume: 140,
        split: false,
        revised: false,
        // Labor Day is between them
        knownAt: Date.UTC(2026, 8, 10, 22),
      },
    ]);
  });

  it("has flags for splits and revisions, and no volume if none was traded", async () => {
    const flagged = row({ stockSplitFlag: "S", revisionFlag: "R", averageDailyVolumeQuantity: 0 });
    expect((await respond([flagged])).reports).toMatchObject([
      { split: true, revised: true, averageVolume: null },
    ]);
  });

  it("is requested for one symbol in one call", async () => {
    const sent: unknown[] = [];
    const provider = finraShortInterest({
      fetch: async (url, init) => {
        sent.push(String(url), JSON.parse(String(init!.body)).compareFilters);
        return new Response(JSON.stringify([row({ symbolCode: "BRK.B" })]));
      },
    });
    await provider.call(about("BRK.B"), { signal });
    expect(sent).toEqual([
      "https://api.finra.org/data/group/otcMarket/name/consolidatedShortInterest",
      [{ compareType: "EQUAL", fieldName: "symbolCode", fieldValue: "BRK.B" }],
    ]);
  });
});
