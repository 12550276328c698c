import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { PrintRepository } from "../../../../src/domain/off-exchange/print-repository-port.ts";
import type { Print } from "../../../../src/domain/off-exchange/prints.ts";
import type {
  MarketPrintProvider,
  PrintDay,
  PrintProvider,
} from "../../../../src/domain/off-exchange/provider.ts";
import { ProviderFailure } from "../../../../src/domain/providers/price-provider.ts";
import { livePrints } from "../../../../src/features/off-exchange/live/prints.ts";
import { guard } from "../../../../src/market/failover/guard.ts";
import { printDays } from "../../../../src/store/off-exchange/print-days.ts";
import { fixed } from "../../../support/fixed-world.ts";
import { printAt } from "../../../support/prints.ts";
import { movingClock, testStore } from "../../../support/store.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A Thursday, 10:00 in New York. */
const NOW = Date.UTC(2026, 0, 15, 15);
const WHOLE = { completeFrom: Number.NEGATIVE_INFINITY, completeUntil: Number.POSITIVE_INFINITY };
const AAPL = fixed("AAPL");
const budget = { calls: 100, perMs: 60_000, atOnce: 4 };
const noon = (date: string) => Date.parse(`${date}T17:00:00Z`);
const one = (date: string, more: Partial<PrintDay> = {}): PrintDay => ({
  ...WHOLE,
  prints: [printAt(noon(date), { id: date })],
  ...more,
});

const noStoredPrints: PrintRepository = { days: async () => [], save: async () => {} };

/** Live prints of a provider that responds by date, and its requests. */
function liveData(
  way: (date: string) => PrintDay,
  { sessions = 3, repository = noStoredPrints }: { sessions?: number; repository?: PrintRepository } = {},
) {
  const clock = movingClock(new Date(NOW));
  const requests: string[] = [];
  const tape = guard<PrintProvider>(
    () => ({
      name: "p0",
      budget,
      sessions,
      async call({ instrument, date, minNotional }) {
        requests.push(`${instrument.symbol} ${date} ${minNotional}`);
        return way(date);
      },
    }),
    { fetch, clock, timeoutMs: 9_000 },
  );
  const market = guard<MarketPrintProvider>(
    () => ({
      name: "p0",
      budget,
      async call({ date, minNotional }) {
        requests.push(`all ${date} ${minNotional}`);
        const { prints, ...rest } = way(date);
        return { ...rest, prints: prints.map((print) => ({ ...print, ticker: "BTC" })) };
      },
    }),
    { fetch, clock, timeoutMs: 9_000 },
  );
  const symbolOf = (ticker: string) => `${ticker}.US`;
  const missing = { tape: null, market: null };
  const ports = livePrints({ tape: [tape], market: [market], clock, symbolOf, missing, repository });
  return { clock, requests, ports };
}
const ids = (prints: readonly Print[]) => prints.map(({ id }) => id);
const year = { from: NOW - 365 * DAY, until: NOW };

describe("live prints", () => {
  it("are those of the newest sessions, each requested once, today's again after a minute", async () => {
    const { ports, requests, clock } = liveData((date) => one(date));
    const answer = await ports.tape(AAPL, year);
    expect(requests).toEqual(["2026-01-13", "2026-01-14", "2026-01-15"].map((date) => `AAPL ${date} 200000`));
    // what is reported at noon of today is later than now
    expect(answer).toMatchObject({ source: "p0", asOf: NOW, stale: false });
    expect(ids(answer!.prints)).toEqual(["2026-01-13", "2026-01-14"]);
    expect(answer!.gap).toBe("Only prints of $200000 or more in the newest 3 sessions are available");
    await ports.tape(AAPL, year);
    expect(requests).toHaveLength(3);
    clock.pass(60_000);
    await ports.tape(AAPL, { ...year, until: clock.now().getTime() });
    expect(requests.slice(3)).toEqual(["AAPL 2026-01-15 200000"]);
  });

  it("are stored from the first request on, and returned once the provider no longer covers them", async () => {
    const { db } = await testStore();
    const repository = printDays({ db, market: "test" });
    const first = liveData((date) => one(date), { repository });
    await first.ports.tape(AAPL, year);
    const stored = await repository.days("AAPL", { from: "2026-01-01", to: "2026-01-31" });
    // the session of the 14th can still be corrected on the morning of the 15th, and that of the 15th has not ended
    expect(stored.map(({ date }) => date)).toEqual(["2026-01-13", "2026-01-14"]);
    const later = liveData((date) => one(date), { repository });
    later.clock.pass(5 * DAY); // the provider covers the 15th, 16th and 20th
    const answer = (await later.ports.tape(AAPL, { ...year, until: later.clock.now().getTime() }))!;
    expect(ids(answer.prints)).toEqual(["2026-01-13", "2026-01-14", "2026-01-15", "2026-01-16"]);
    expect(answer.reach).toEqual({ from: "2026-01-13", missed: [] });
    expect(answer.gap).toBe(
      "Only prints of $200000 or more in the newest 3 sessions are available; 2 older sessions since 2026-01-13 were stored",
    );
    expect(await repository.days("MSFT", { from: "2026-01-01", to: "2026-01-31" })).toEqual([]);
  });

  it("pass over weekends and holidays", async () => {
    const { ports, requests, clock } = liveData((date) => one(date));
    clock.pass(5 * DAY); // Tuesday after Martin Luther King's day
    await ports.tape(AAPL, { from: 0, until: clock.now().getTime() });
    expect(requests.map((line) => line.split(" ")[1])).toEqual(["2026-01-15", "2026-01-16", "2026-01-20"]);
  });

  it("make no request for times before those sessions", async () => {
    const { ports, requests } = liveData((date) => one(date));
    const answer = await ports.tape(AAPL, { from: NOW - 90 * DAY, until: NOW - 60 * DAY });
    expect([requests, answer?.prints, answer?.asOf]).toEqual([[], [], null]);
    expect(answer?.reach).toEqual({ from: "2026-01-13", missed: [] });
  });

  it("name the unavailable days, and the start of a partial day", async () => {
    const from = Date.UTC(2026, 0, 14, 16);
    const { ports } = liveData((date) => {
      if (date === "2026-01-13") throw new ProviderFailure("down", "so");
      return one(date, { completeFrom: date === "2026-01-14" ? from : WHOLE.completeFrom });
    });
    const { gap, reach } = (await ports.tape(AAPL, year))!;
    expect(reach).toEqual({ from: "2026-01-13", missed: ["2026-01-13"] });
    expect(gap).toBe(
      "Only prints of $200000 or more in the newest 3 sessions are available. Unavailable now: 2026-01-13. 2026-01-14 is covered only from 2026-01-14T16:00:00.000Z on",
    );
  });

  it("reject if no day is available, instead of returning an empty tape", async () => {
    const { ports } = liveData(() => {
      throw new ProviderFailure("down", "so");
    });
    await expect(ports.tape(AAPL, year)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });

  it("omit a day that takes longer than four seconds", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { ports } = liveData((date) =>
      date === "2026-01-14" ? (new Promise(() => undefined) as unknown as PrintDay) : one(date),
    );
    const pending = ports.tape(AAPL, year);
    const isDone = vi.fn();
    void pending.then(isDone);
    await vi.advanceTimersByTimeAsync(3_999);
    expect(isDone).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    const answer = (await pending)!;
    expect(ids(answer.prints)).toEqual(["2026-01-13"]);
    expect(answer.gap).toContain("Unavailable now: 2026-01-14");
  });

  it("end when the caller aborts", async () => {
    const leaving = new AbortController();
    const { ports } = liveData(() => new Promise(() => undefined) as unknown as PrintDay);
    const requests = ports.tape(AAPL, { ...year, signal: leaving.signal });
    leaving.abort(new Error("gone"));
    await expect(requests).rejects.toThrow("gone");
  });

  it("are none, with the reason, without coverage and for tokens", async () => {
    const { ports, requests } = liveData(() => {
      throw new ProviderFailure("unknown_symbol", "so");
    });
    expect(await ports.tape(AAPL, year)).toMatchObject({
      prints: [],
      asOf: null,
      gap: "No provider of prints covers AAPL",
    });
    const before = requests.length;
    expect(await ports.tape(fixed("BTC-USD"), year)).toMatchObject({
      prints: [],
      asOf: null,
      gap: "Off-exchange trades are reported only for US stocks and funds",
    });
    expect(requests).toHaveLength(before);
  });

  it("end where the provider's data ends, ordered by report, each once with its cancellation", async () => {
    const print = printAt(NOW - 2 * HOUR, { id: "a" });
    const cancelled = { ...print, reportedAt: NOW - HOUR, conditions: ["cancelled"] as const };
    const until = NOW - 16 * 60_000;
    const { ports } = liveData(
      () => ({ ...WHOLE, completeUntil: until, prints: [cancelled, print, print] }),
      { sessions: 1 },
    );
    const answer = (await ports.tape(AAPL, year))!;
    expect(answer.prints).toEqual([print, cancelled]);
    expect(answer.asOf).toBe(until);
  });

  it("of the whole market have canonical symbols", async () => {
    const { ports, requests } = liveData((date) => one(date));
    const answer = await ports.market({ from: NOW - DAY, until: NOW, minNotional: 1e6 });
    expect(requests).toEqual(["all 2026-01-14 1000000", "all 2026-01-15 1000000"]);
    expect(answer).toMatchObject({ prints: [{ symbol: "BTC.US", id: "2026-01-14" }], gap: null });
  });

  it("are null without a provider, with the setting that connects one", async () => {
    const clock = movingClock(new Date(NOW));
    const missing = { tape: "a key", market: "another" };
    const ports = livePrints({
      tape: [],
      market: [],
      clock,
      symbolOf: (ticker) => ticker,
      missing,
      repository: noStoredPrints,
    });
    expect(await ports.tape(AAPL, year)).toBeNull();
    expect(await ports.market({ ...year, minNotional: 1e6 })).toBeNull();
    expect(ports.missing).toEqual(missing);
  });
});
