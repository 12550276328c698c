import { describe, expect, it } from "vitest";
import { ProviderFailure } from "../../../../src/domain/providers/price-provider.ts";
import type { ShortInterestReports } from "../../../../src/domain/short-interest/provider.ts";
import { liveShortInterest } from "../../../../src/features/short-interest/live/short-interest.ts";
import { fixed } from "../../../support/fixed-world.ts";
import { respondingProvider } from "../../../support/providers.ts";
import { movingClock } from "../../../support/store.ts";

const HOUR = 3_600_000;
const missing = { unavailable: "not_connected", reason: "none is on" } as const;
const AAPL = fixed("AAPL");

/** Short interest of a provider that responds with these in turn, and with the last one from then on. */
function live(...answers: readonly (ShortInterestReports | ProviderFailure)[]) {
  const clock = movingClock(new Date("2026-01-21T15:00:00.000Z"));
  let calls = 0;
  const next = () => answers[Math.min(calls++, answers.length - 1)]!;
  const provider = respondingProvider("finra", clock, next);
  return { clock, ...liveShortInterest({ providers: [provider], clock, missing }) };
}

describe("live short interest", () => {
  it("is cached for six hours, and returned as stale while the provider is down", async () => {
    const { clock, reports } = live({ reports: [] }, new ProviderFailure("down", "so"));
    const first = await reports(AAPL);
    expect(first).toMatchObject({
      reports: [],
      source: "finra",
      fetchedAt: "2026-01-21T15:00:00.000Z",
      stale: false,
    });
    clock.pass(6 * HOUR - 1);
    expect(await reports(AAPL)).toEqual(first);
    clock.pass(1);
    expect(await reports(AAPL)).toMatchObject({ reports: [], stale: true });
    clock.pass(14 * 24 * HOUR);
    await expect(reports(AAPL)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });

  it("is not covered for an unknown symbol, and not connected without a provider", async () => {
    expect(await live(new ProviderFailure("unknown_symbol", "so")).reports(AAPL)).toEqual({
      unavailable: "not_covered",
      reason: "No short interest is reported for AAPL",
    });
    const none = liveShortInterest({ providers: [], clock: movingClock(), missing });
    expect(await none.reports(AAPL)).toBe(missing);
  });
});
