import { describe, expect, it, onTestFinished, vi } from "vitest";
import { EventRisk } from "../../../src/domain/earnings/calendar.ts";
import type { Earnings } from "../../../src/domain/ports.ts";
import { startEventRisk } from "../../../src/features/earnings/event-risk.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { marketDays } from "../../../src/market/calendar/market-days.ts";
import { createDirectory } from "../../../src/market/symbols/directory.ts";
import { sampleMarket } from "../../../src/providers/sample/market.ts";
import { climbingBars } from "../../support/market.ts";

const DAY = 86_400_000;
const NOW = "2026-11-20T15:00:00.000Z";
const clock = { now: () => new Date(NOW) };
const { earnings, members } = sampleMarket({ clock });
const symbols = createDirectory({ members });
const series = {
  bars: climbingBars({ zone: "UTC" }),
  forming: null,
  as_of: null,
  adjustment: "split",
  source: "sample",
  venue: "SIM",
} as const;
const start = (symbol: string, over: Partial<Earnings> = {}, as_of?: string, signal = never()) =>
  startEventRisk(
    { symbol, as_of, signal },
    { symbols, earnings: { ...earnings, ...over }, marketDays, clock },
  );
const never = () => new AbortController().signal;
const finish = (pending: ReturnType<typeof start>, symbol = "AAPL") =>
  pending({ resolution: symbols.resolve(symbol), timeframe: "1d", series });
const riskOf = (symbol: string, at: string | undefined, over: Partial<Earnings> = {}) =>
  finish(start(symbol, over, at), symbol);
const failing = (code: "UPSTREAM_UNAVAILABLE" | "CANCELLED") => ({
  next: async () => {
    throw new ToolError(code, "No provider answered for earnings of AAPL");
  },
});

describe("the event risk of a signal", () => {
  it("counts down to a report that was known at each moment", async () => {
    const { reports } = await earnings.reports(symbols.resolve("AAPL").instrument);
    const { reportDate } = reports[0]!;
    for (const days of [40, 21, 20, 1]) {
      const at = new Date(Date.parse(reportDate!) - days * DAY + 1).toISOString();
      const risk = await riskOf("AAPL", at);
      expect(EventRisk.parse(risk)).toMatchObject({
        earnings: { date: reportDate, days, within_horizon: days <= 20, confirmed: days < 28 },
        within_horizon: days <= 20,
        holiday: null,
      });
    }
    const after = await riskOf("AAPL", `${reportDate}T00:00:00Z`);
    expect(after.earnings!.date > reportDate!).toBe(true);
  });

  it("requests the present without a moment, and a past day by its end", async () => {
    const asOf: (number | undefined)[] = [];
    const next: Earnings["next"] = async (_, options = {}) => {
      asOf.push(options.asOf);
      return { next: null, reason: "So" };
    };
    await riskOf("AAPL", undefined, { next });
    expect(await riskOf("AAPL", "2026-10-15", { next })).toMatchObject({
      earnings: null,
      earnings_reason: "So",
      within_horizon: null,
      horizon: "2026-11-05",
    });
    expect(asOf).toEqual([undefined, Date.parse("2026-10-16T00:00:00Z")]);
  });

  it("has no earnings for a fund or a coin, without a request", async () => {
    for (const [symbol, what] of [
      ["SPY", "a fund"],
      ["BTC-USD", "a token"],
    ] as const)
      expect(await riskOf(symbol, undefined, failing("CANCELLED"))).toMatchObject({
        earnings: null,
        earnings_reason: `${symbol} is ${what}: only companies report earnings`,
        within_horizon: false,
      });
  });

  it("keeps the signal in an outage, and passes on other failures", async () => {
    expect(await riskOf("AAPL", undefined, failing("UPSTREAM_UNAVAILABLE"))).toMatchObject({
      earnings: null,
      earnings_reason: "No provider answered for earnings of AAPL",
      within_horizon: null,
    });
    await expect(riskOf("AAPL", undefined, failing("CANCELLED"))).rejects.toMatchObject({
      code: "CANCELLED",
    });
  });

  it("calls the provider before the picture exists and gives up 1.2 s after it does", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const next = vi.fn<Earnings["next"]>(() => new Promise(() => {}));
    const pending = start("AAPL", { next });
    expect(next).toHaveBeenCalledOnce();
    const risk = finish(pending);
    await vi.advanceTimersByTimeAsync(1_200);
    expect(await risk).toMatchObject({
      earnings: null,
      earnings_reason: "The provider of earnings dates did not respond in time",
      within_horizon: null,
    });
  });

  it("uses a response that arrives while the picture is built", async () => {
    const next = { date: "2026-11-24", hour: "unknown", confirmed: true } as const;
    let respond: (answer: { next: typeof next; reason: null }) => void = () => {};
    const pending = start("AAPL", { next: () => new Promise((resolve) => (respond = resolve)) });
    respond({ next, reason: null });
    expect((await finish(pending)).earnings).toMatchObject({ date: "2026-11-24", days: 4 });
  });

  it("rejects with the caller's abort reason, and leaves invalid input to the picture", async () => {
    const leaving = new AbortController();
    const pending = start("AAPL", { next: () => new Promise(() => {}) }, undefined, leaving.signal);
    leaving.abort(new ToolError("CANCELLED", "The caller left"));
    await expect(finish(pending)).rejects.toMatchObject({ code: "CANCELLED" });
    // not awaited: an unhandled rejection would fail the test run
    start("AAPL", {}, "2027-01-01");
    start("ZZZZQ");
    await expect(riskOf("AAPL", "2027-01-01")).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });
});
