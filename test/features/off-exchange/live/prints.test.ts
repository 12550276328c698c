import { describe, expect, it } from "vitest";
import type { Print } from "../../../../src/domain/off-exchange/prints.ts";
import type {
  MarketPrintProvider,
  PrintDay,
  PrintProvider,
} from "../../../../src/domain/off-exchange/provider.ts";
import { ProviderFailure } from "../../../../src/domain/providers/price-provider.ts";
import { livePrints } from "../../../../src/features/off-exchange/live/prints.ts";
import { guard } from "../../../../src/market/failover/guard.ts";
import { fixed } from "../../../support/fixed-world.ts";
import { printAt } from "../../../support/prints.ts";
import { movingClock } from "../../../support/store.ts";

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

/** Prints over a way to answer for a date, and what was asked. */
function stand(way: (date: string) => PrintDay, sessions = 3) {
  const clock = movingClock(new Date(NOW));
  const asked: string[] = [];
  const tape = guard<PrintProvider>(
    () => ({
      name: "p0",
      budget,
      sessions,
      async call({ instrument, date, minNotional }) {
        asked.push(`${instrument.symbol} ${date} ${minNotional}`);
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
        asked.push(`all ${date} ${minNotional}`);
        const { prints, ...rest } = way(date);
        return { ...rest, prints: prints.map((print) => ({ ...print, ticker: "BTC" })) };
      },
    }),
    { fetch, clock, timeoutMs: 9_000 },
  );
  const symbolOf = (ticker: string) => `${ticker}.US`;
  const ports = livePrints({
    tape: [tape],
    market: [market],
    clock,
    symbolOf,
    missing: { tape: null, market: null },
  });
  return { clock, asked, ports };
}
const ids = (prints: readonly Print[]) => prints.map(({ id }) => id);
const year = { from: NOW - 365 * DAY, until: NOW };

describe("live prints", () => {
  it("are those of the newest sessions, each asked for once, today's again after a minute", async () => {
    const { ports, asked, clock } = stand((date) => one(date));
    const told = await ports.tape(AAPL, year);
    expect(asked).toEqual(["2026-01-13", "2026-01-14", "2026-01-15"].map((date) => `AAPL ${date} 200000`));
    // what is reported at noon of today is later than now
    expect(told).toMatchObject({ source: "p0", asOf: NOW, stale: false });
    expect(ids(told!.prints)).toEqual(["2026-01-13", "2026-01-14"]);
    expect(told!.gap).toBe("Only prints of $200000 or more in the newest 3 sessions are available");
    await ports.tape(AAPL, year);
    expect(asked).toHaveLength(3);
    clock.pass(60_000);
    await ports.tape(AAPL, { ...year, until: clock.now().getTime() });
    expect(asked.slice(3)).toEqual(["AAPL 2026-01-15 200000"]);
  });

  it("pass over weekends and holidays", async () => {
    const { ports, asked, clock } = stand((date) => one(date));
    clock.pass(5 * DAY); // Tuesday after Martin Luther King's day
    await ports.tape(AAPL, { from: 0, until: clock.now().getTime() });
    expect(asked.map((line) => line.split(" ")[1])).toEqual(["2026-01-15", "2026-01-16", "2026-01-20"]);
  });

  it("ask nothing for times before those sessions", async () => {
    const { ports, asked } = stand((date) => one(date));
    const told = await ports.tape(AAPL, { from: NOW - 90 * DAY, until: NOW - 60 * DAY });
    expect([asked, told?.prints, told?.asOf]).toEqual([[], [], null]);
    expect(told?.reach).toEqual({ from: "2026-01-13", missed: [] });
  });

  it("say which days could not be had, and from where on a day is told", async () => {
    const from = Date.UTC(2026, 0, 14, 16);
    const { ports } = stand((date) => {
      if (date === "2026-01-13") throw new ProviderFailure("down", "so");
      return one(date, { completeFrom: date === "2026-01-14" ? from : WHOLE.completeFrom });
    });
    const { gap, reach } = (await ports.tape(AAPL, year))!;
    expect(reach).toEqual({ from: "2026-01-13", missed: ["2026-01-13"] });
    expect(gap).toBe(
      "Only prints of $200000 or more in the newest 3 sessions are available. Unavailable now: 2026-01-13. 2026-01-14 is covered only from 2026-01-14T16:00:00.000Z on",
    );
  });

  it("reject where no day can be had: an outage is no empty tape", async () => {
    const { ports } = stand(() => {
      throw new ProviderFailure("down", "so");
    });
    await expect(ports.tape(AAPL, year)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });

  it("are told without a day that takes longer than four seconds", { timeout: 60_000 }, async () => {
    const { ports } = stand((date) =>
      date === "2026-01-14" ? (new Promise(() => undefined) as unknown as PrintDay) : one(date),
    );
    const told = (await ports.tape(AAPL, year))!;
    expect(ids(told.prints)).toEqual(["2026-01-13"]);
    expect(told.gap).toContain("Unavailable now: 2026-01-14");
  });

  it("let go when the caller leaves", async () => {
    const leaving = new AbortController();
    const { ports } = stand(() => new Promise(() => undefined) as unknown as PrintDay);
    const asked = ports.tape(AAPL, { ...year, signal: leaving.signal });
    leaving.abort(new Error("gone"));
    await expect(asked).rejects.toThrow("gone");
  });

  it("are none, with the reason, of what nobody covers and of tokens", async () => {
    const { ports, asked } = stand(() => {
      throw new ProviderFailure("unknown_symbol", "so");
    });
    expect(await ports.tape(AAPL, year)).toMatchObject({
      prints: [],
      asOf: null,
      gap: "No provider of prints covers AAPL",
    });
    const before = asked.length;
    expect(await ports.tape(fixed("BTC-USD"), year)).toMatchObject({
      prints: [],
      asOf: null,
      gap: "Off-exchange trades are reported only for US stocks and funds",
    });
    expect(asked).toHaveLength(before);
  });

  it("are told up to what the source withholds, by report, each once and its cancellation too", async () => {
    const print = printAt(NOW - 2 * HOUR, { id: "a" });
    const cancelled = { ...print, reportedAt: NOW - HOUR, conditions: ["cancelled"] as const };
    const until = NOW - 16 * 60_000;
    const { ports } = stand(() => ({ ...WHOLE, completeUntil: until, prints: [cancelled, print, print] }), 1);
    const told = (await ports.tape(AAPL, year))!;
    expect(told.prints).toEqual([print, cancelled]);
    expect(told.asOf).toBe(until);
  });

  it("of the whole market are named as we name them", async () => {
    const { ports, asked } = stand((date) => one(date));
    const told = await ports.market({ from: NOW - DAY, until: NOW, minNotional: 1e6 });
    expect(asked).toEqual(["all 2026-01-14 1000000", "all 2026-01-15 1000000"]);
    expect(told).toMatchObject({ prints: [{ symbol: "BTC.US", id: "2026-01-14" }], gap: null });
  });

  it("are null without a source, which says what would connect one", async () => {
    const clock = movingClock(new Date(NOW));
    const missing = { tape: "a key", market: "another" };
    const ports = livePrints({ tape: [], market: [], clock, symbolOf: (ticker) => ticker, missing });
    expect(await ports.tape(AAPL, year)).toBeNull();
    expect(await ports.market({ ...year, minNotional: 1e6 })).toBeNull();
    expect(ports.missing).toEqual(missing);
  });
});
