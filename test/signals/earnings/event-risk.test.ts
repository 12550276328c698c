import { describe, expect, it } from "vitest";
import { EventRisk } from "../../../src/domain/calendar.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { marketDays } from "../../../src/market/market-days.ts";
import type { Earnings } from "../../../src/ports/index.ts";
import { LISTINGS } from "../../../src/providers/sample/listing.ts";
import { sampleMarket } from "../../../src/providers/sample/market.ts";
import { eventRisk } from "../../../src/signals/earnings/event-risk.ts";

const DAY = 86_400_000;
const clock = { now: () => new Date("2026-11-20T15:00:00.000Z") };
const { earnings } = sampleMarket({ clock });
const named = (symbol: string) => LISTINGS.find(({ instrument }) => instrument.symbol === symbol)!.instrument;
const riskOf = (symbol: string, at: number, over: Partial<Earnings> = {}) =>
  eventRisk(
    { instrument: named(symbol), timeframe: "1d", zone: "UTC", at },
    { earnings: { ...earnings, ...over }, marketDays },
  );

describe("the event risk of a signal", () => {
  it("counts down to a report that was known at the time, as the moment goes by", async () => {
    const { reports } = await earnings.reports(named("AAPL"));
    const { reportDate } = reports[0]!;
    for (const days of [40, 21, 20, 1]) {
      const risk = await riskOf("AAPL", Date.parse(reportDate!) - days * DAY + 1);
      expect(EventRisk.parse(risk)).toMatchObject({
        earnings: { date: reportDate, days, within_horizon: days <= 20, confirmed: days < 28 },
        within_horizon: days <= 20,
        holiday: null,
      });
    }
    const after = await riskOf("AAPL", Date.parse(reportDate!));
    expect(after.earnings!.date > reportDate!).toBe(true);
  });

  it("is none for a fund or a coin", async () => {
    for (const symbol of ["SPY", "BTC-USD"])
      expect(await riskOf(symbol, clock.now().getTime())).toMatchObject({
        earnings: null,
        earnings_reason: `${symbol} is no company and reports no earnings`,
        within_horizon: false,
      });
  });

  it("keeps a signal standing in an outage, and hides no other failure", async () => {
    const failing = (code: "UPSTREAM_UNAVAILABLE" | "CANCELLED") => ({
      reports: async () => {
        throw new ToolError(code, "No source answers for earnings of AAPL just now");
      },
    });
    expect(await riskOf("AAPL", clock.now().getTime(), failing("UPSTREAM_UNAVAILABLE"))).toMatchObject({
      earnings: null,
      earnings_reason: "No source answers for earnings of AAPL just now",
      within_horizon: null,
    });
    await expect(riskOf("AAPL", clock.now().getTime(), failing("CANCELLED"))).rejects.toMatchObject({
      code: "CANCELLED",
    });
  });
});
