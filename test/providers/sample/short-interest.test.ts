import { describe, expect, it } from "vitest";
import { DAY, listed, marketAt } from "./fixture.ts";

const NOW = Date.UTC(2026, 0, 14, 12);
const reportsOf = async (symbol: string, now = NOW) => {
  const found = await marketAt(now).shortInterest.reports(listed(symbol));
  if ("unavailable" in found) throw new Error(found.reason);
  return found.reports;
};

describe("sample short interest", () => {
  it("has two reports a month, each with the shares of the one before, between one and eight days of volume", async () => {
    for (const symbol of ["AAPL", "COST", "SPY"]) {
      const reports = await reportsOf(symbol);
      expect(reports).toHaveLength(23);
      for (const [i, { shares, previous, averageVolume }] of reports.entries()) {
        if (i > 0) expect(previous).toBe(reports[i - 1]!.shares);
        expect(shares / averageVolume!).toBeGreaterThan(0.5);
        expect(shares / averageVolume!).toBeLessThan(8);
      }
    }
  });

  it("is the same later, and nothing is known before its publication", async () => {
    const before = await reportsOf("AAPL");
    const later = await reportsOf("AAPL", NOW + 60 * DAY);
    const last = before.at(-1)!;
    expect(later.find(({ settlement }) => settlement === last.settlement)).toEqual(last);
    expect((await reportsOf("AAPL", last.knownAt)).at(-1)).toEqual(last);
    expect((await reportsOf("AAPL", last.knownAt - 1)).at(-1)!.settlement).toBeLessThan(last.settlement);
  });

  it("covers no tokens", async () => {
    expect(await marketAt(NOW).shortInterest.reports(listed("BTC-USD"))).toEqual({
      unavailable: "not_covered",
      reason: "The sample market has no short interest of BTC-USD",
    });
  });
});
