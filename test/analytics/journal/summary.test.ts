import { describe, expect, it } from "vitest";
import { journalSummary, rMultiple } from "../../../src/analytics/journal/summary.ts";
import type { Trip } from "../../../src/analytics/journal/trips.ts";

const AT = "2026-01-15T15:00:00.000Z";
const trip = (realized: string, over: Partial<Trip> = {}): Trip => ({
  entry: "or_1",
  symbol: "AAPL",
  side: "LONG",
  openedAt: AT,
  closedAt: AT,
  quantity: "10",
  open: "0",
  entryPrice: "100",
  exitPrice: "101",
  fees: "0",
  realized,
  stop: "95",
  exits: [],
  ...over,
});

describe("the R multiple", () => {
  it("is the trade's net result divided by the risk to its stop", () => {
    // 10 units x 5 dollars at risk.
    expect(rMultiple(trip("100", { fees: "25" }))).toEqual({ value: 1.5, reason: null });
    expect(rMultiple(trip("-50"))).toEqual({ value: -1, reason: null });
    expect(rMultiple(trip("-20", { side: "SHORT", stop: "104" }))).toEqual({ value: -0.5, reason: null });
  });

  it("is null with a reason", () => {
    expect(rMultiple(trip("1", { closedAt: null }))).toEqual({
      value: null,
      reason: "The trade is not closed yet",
    });
    expect(rMultiple(trip("1", { stop: null })).reason).toBe("The entry had no stop");
    for (const over of [{ stop: "100" }, { stop: "101" }, { side: "SHORT", stop: "99" }] as const)
      expect(rMultiple(trip("1", over)).reason).toBe("The stop was not on the losing side of the entry");
  });
});

describe("the journal summary", () => {
  it("covers closed trades, after fees", () => {
    // Net 90, -60, 0, 30: wins 120 in total, losses 60; R 90/50, -60/50, 0.
    const trips = [
      trip("100", { fees: "10" }),
      trip("-50", { fees: "10" }),
      trip("5", { fees: "5" }),
      trip("30", { stop: null }),
      trip("7", { closedAt: null, fees: "1" }),
    ];
    expect(journalSummary(trips)).toEqual({
      closed: 4,
      open: 1,
      net_pnl: "60",
      fees: "25",
      win_share: { value: 0.5, n: 4, reason: null },
      average_r: { value: 0.2, n: 3, reason: null },
      expectancy: { value: "15", n: 4, reason: null },
      profit_factor: { value: 2, n: 4, reason: null },
    });
  });

  it("rounds to the cent, losses and gains alike", () => {
    for (const [realized, net] of [
      ["-0.005", "-0.01"],
      ["0.005", "0.01"],
      ["-0.0049", "0"],
    ] as const)
      expect(journalSummary([trip(realized)])).toMatchObject({ net_pnl: net, expectancy: { value: net } });
  });

  it("has null values with a reason if there is nothing to divide by", () => {
    const none = { value: null, n: 0, reason: "No trade is closed yet" };
    expect(journalSummary([])).toEqual({
      closed: 0,
      open: 0,
      net_pnl: "0",
      fees: "0",
      win_share: none,
      average_r: none,
      expectancy: none,
      profit_factor: none,
    });
    expect(journalSummary([trip("5", { stop: null })])).toMatchObject({
      win_share: { value: 1, n: 1 },
      average_r: { value: null, n: 0, reason: "No closed trade had a valid stop" },
      profit_factor: { value: null, n: 1, reason: "No closed trade made a loss" },
    });
    expect(journalSummary([trip("-5")]).profit_factor).toEqual({ value: 0, n: 1, reason: null });
  });
});
