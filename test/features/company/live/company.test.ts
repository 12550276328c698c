import { describe, expect, it } from "vitest";
import type { InsiderRequest } from "../../../../src/domain/company/company-port.ts";
import type { CompanyRecord } from "../../../../src/domain/company/facts.ts";
import type { Instrument } from "../../../../src/domain/market/market.ts";
import { ProviderFailure } from "../../../../src/domain/providers/price-provider.ts";
import { liveCompany } from "../../../../src/features/company/live/company.ts";
import { fixed } from "../../../support/fixed-world.ts";
import { respondingProvider } from "../../../support/providers.ts";
import { movingClock } from "../../../support/store.ts";

const HOUR = 3_600_000;
const missing = { unavailable: "not_connected", reason: "none is on" } as const;
const AAPL = fixed("AAPL");

/** Live filings of a provider that responds with these records or failures in turn, and with the last one from then on. */
function live(...answers: readonly (CompanyRecord | ProviderFailure)[]) {
  const clock = movingClock(new Date("2026-01-21T15:00:00.000Z"));
  let calls = 0;
  const provider = respondingProvider(
    "sec",
    clock,
    (_: Instrument) => answers[Math.min(calls++, answers.length - 1)]!,
  );
  const { facts } = liveCompany({
    providers: [provider],
    insiders: [],
    clock,
    missing,
    settings: { sec: "SEC_CONTACT" },
  });
  return { clock, facts };
}
const record = (name: string): CompanyRecord => ({
  profile: { name, cik: "0000000001", industry: null, exchanges: [], state: null, fiscal_year_end: null },
  facts: [],
});

describe("live filings", () => {
  it("are cached for six hours, and returned as stale while the provider is down", async () => {
    const down = new ProviderFailure("down", "so");
    const { clock, facts } = live(record("first"), record("second"), down);
    const first = await facts(AAPL);
    expect(first).toMatchObject({
      record: { profile: { name: "first" } },
      source: "sec",
      fetchedAt: "2026-01-21T15:00:00.000Z",
      stale: false,
    });
    clock.pass(6 * HOUR - 1);
    expect(await facts(AAPL)).toEqual(first);
    clock.pass(1);
    expect(await facts(AAPL)).toMatchObject({ record: { profile: { name: "second" } } });
    clock.pass(24 * HOUR);
    expect(await facts(AAPL)).toMatchObject({ record: { profile: { name: "second" } }, stale: true });
  });

  it("are not covered for a company that files nothing, and not connected without a provider", async () => {
    const { facts } = live(new ProviderFailure("unknown_symbol", "so"));
    expect(await facts(AAPL)).toEqual({
      unavailable: "not_covered",
      reason: "No company files with the SEC as AAPL",
    });
    const clock = movingClock();
    expect(await liveCompany({ providers: [], insiders: [], clock, missing, settings: {} }).facts(AAPL)).toBe(
      missing,
    );
  });

  it("of insiders are cached for ten minutes per request", async () => {
    const clock = movingClock(new Date("2026-01-21T15:00:00.000Z"));
    let calls = 0;
    const provider = respondingProvider("sec", clock, (request: InsiderRequest) => ({
      trades: [],
      read: ++calls,
      unread: request.count,
      more: false,
    }));
    const { insiders } = liveCompany({ providers: [], insiders: [provider], clock, missing, settings: {} });
    const read = async (over: Partial<InsiderRequest> = {}) =>
      insiders(AAPL, { openMarket: false, count: 5, ...over });
    expect(await read()).toMatchObject({ read: 1, unread: 5, source: "sec", stale: false });
    clock.pass(10 * 60_000 - 1);
    expect(await read()).toMatchObject({ read: 1 });
    expect(await read({ count: 6 })).toMatchObject({ read: 2 });
    expect(await read({ openMarket: true })).toMatchObject({ read: 3 });
    expect(await read({ until: 0 })).toMatchObject({ read: 4 });
    clock.pass(1);
    expect(await read()).toMatchObject({ read: 5 });
    const none = liveCompany({ providers: [], insiders: [], clock, missing, settings: {} });
    expect(await none.insiders(AAPL, { openMarket: false, count: 5 })).toBe(missing);
  });

  it("reject if the provider fails", async () => {
    const { facts } = live(new ProviderFailure("down", "so"));
    await expect(facts(AAPL)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });
});
