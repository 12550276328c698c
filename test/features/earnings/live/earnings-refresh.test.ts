import { describe, expect, it } from "vitest";
import type { Instrument } from "../../../../src/domain/market/market.ts";
import type { Earnings } from "../../../../src/domain/ports.ts";
import { createEarningsRefresh } from "../../../../src/features/earnings/live/earnings-refresh.ts";
import { fixed } from "../../../support/fixed-world.ts";
import { movingClock } from "../../../support/store.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The refresh of these companies, with the dates of their next reports. */
function stand(dates: Readonly<Record<string, string | null | Error>>, more: readonly Instrument[] = []) {
  const clock = movingClock(new Date("2025-12-03T15:00:00.000Z")); // a Wednesday
  const asked: string[] = [];
  const told = { source: "one", fetchedAt: "", asOf: "", stale: false, cached: false, coverage: [] };
  const earnings: Earnings = {
    async reports({ symbol }) {
      asked.push(symbol);
      const date = dates[symbol] ?? null;
      if (date instanceof Error) throw date;
      const figures = { eps_estimate: 1, eps_actual: null, revenue_estimate: 1, revenue_actual: null };
      const about = { symbol, name: null, hour: "unknown", confirmed: true, period: null } as const;
      return { ...told, reports: [], next: date === null ? null : { ...about, date, ...figures } };
    },
    next: async () => ({ next: null, reason: "" }),
    schedule: async () => ({ ...told, reports: [], isComplete: true }),
  };
  const followed = async () => [
    ...Object.keys(dates).map((symbol) => ({ ...fixed("AAPL"), symbol })),
    ...more,
  ];
  const leaving = new AbortController();
  const round = createEarningsRefresh({ earnings, clock, followed, signal: leaving.signal });
  const rounds = async (count: number) => {
    asked.length = 0;
    for (let i = 0; i < count; i++) {
      await round();
      clock.pass(HOUR / 2);
    }
    return asked.join(" ");
  };
  return { rounds, clock, leaving };
}

describe("the refresh of earnings", () => {
  it("requests every half hour a company that reports yesterday, today or tomorrow", async () => {
    const { rounds } = stand({
      TODAY: "2025-12-03",
      PAST: "2025-12-02",
      NEXT: "2025-12-04",
      LATER: "2025-12-05",
    });
    expect(await rounds(3)).toBe("TODAY PAST NEXT LATER TODAY PAST NEXT TODAY PAST NEXT");
  });

  it("requests once a day a company that reports within a week, and others once a week", async () => {
    const { rounds, clock } = stand({ SOON: "2025-12-10", FAR: "2026-01-29", UNKNOWN: null });
    expect(await rounds(2)).toBe("SOON FAR UNKNOWN");
    clock.pass(DAY);
    expect(await rounds(2)).toBe("SOON");
    clock.pass(4 * DAY);
    expect(await rounds(1)).toBe("SOON FAR UNKNOWN");
  });

  it("continues after a failure, retries it, and stops when aborted", async () => {
    const { rounds, leaving } = stand({ BAD: new Error("down"), GOOD: "2026-01-29" });
    expect(await rounds(2)).toBe("BAD GOOD BAD");
    leaving.abort();
    expect(await rounds(1)).toBe("");
  });

  it("requests only companies", async () => {
    expect(await stand({}, [fixed("SPY"), fixed("BTC-USD")]).rounds(1)).toBe("");
  });
});
