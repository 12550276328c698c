import { describe, expect, it } from "vitest";
import { sliceBars } from "../../../src/domain/market/bars.ts";
import type { CallResult, DueCall } from "../../../src/domain/track-record/calls-port.ts";
import { settleCalls } from "../../../src/features/nightly/settle-calls.ts";
import { collectingLog, stoppedClock } from "../../support/context.ts";
import { climbingBars, marketOf } from "../../support/market.ts";

const DAY = 86_400_000;
const bars = climbingBars({ end: Date.parse("2026-06-30T00:00:00Z") });
const decided = bars.time.length - 31;
const iso = (ms: number) => new Date(ms).toISOString();
const closeOf = (index: number) => iso(bars.time[index]! + 20 * 3_600_000);
const price = bars.close[decided]!;
/** Symbols that each have these bars. */
const NAMES = Array.from({ length: 150 }, (_, i) => `S${i}`);

const due = (over: Partial<DueCall> = {}): DueCall => ({
  table: "claims",
  id: "c",
  symbol: "S0",
  decided_at: closeOf(decided),
  recorded_at: closeOf(decided),
  until: closeOf(decided + 20),
  close: price,
  plan: { side: "LONG", kind: "now", entry: price, limit: null, stop: price - 5, target: price + 1 },
  ...over,
});

/** Settles calls at a time, over the first bars of each symbol. Returns the results by id, and the symbols read. */
async function settle(
  calls: readonly DueCall[],
  { now = closeOf(decided + 25), count = bars.time.length } = {},
) {
  const clock = stoppedClock(new Date(now));
  const known = sliceBars(bars, 0, count);
  const market = marketOf({ bars: Object.fromEntries(NAMES.map((name) => [name, known])), clock });
  const results = new Map<string, CallResult>();
  await settleCalls(
    { now: Date.parse(now), signal: new AbortController().signal, held: new Set(), maxRequests: 100 },
    {
      ...market.ports,
      log: collectingLog().log,
      calls: {
        logChecks: async () => {},
        due: async () => calls,
        settle: async (settled) => {
          for (const { id, result } of settled) results.set(id, result);
          return settled.length;
        },
        async *settledChecks() {},
        publishChecks: async () => {},
      },
    },
  );
  return { results, read: market.requests.length };
}

describe("calls that are due", () => {
  it("are settled by their bars", async () => {
    const { results } = await settle([due()]);
    expect(results.get("c")).toEqual({ filled: true, end: "target", close: bars.close[decided + 20] });
  });

  it("count what happened before trading ended, once no bar came for 30 days", async () => {
    const ended = { now: iso(Date.parse(closeOf(decided + 20)) + 31 * DAY), count: decided + 15 };
    const calls = [due(), due({ id: "far", plan: { ...due().plan, target: price * 2 } })];
    const { results } = await settle(calls, ended);
    expect(results.get("c")).toMatchObject({ end: "target" });
    expect(results.get("far")).toBe("unknown");
    const earlier = await settle(calls, { ...ended, now: iso(Date.parse(closeOf(decided + 20)) + 29 * DAY) });
    expect([...earlier.results]).toEqual([]);
  });

  it("stay open until their series is read in a run 60 days late", async () => {
    const calls = NAMES.map((symbol) => due({ id: symbol, symbol }));
    const late = iso(Date.parse(closeOf(decided + 20)) + 60 * DAY);
    const { results, read } = await settle(calls, { now: late });
    expect([results.size, read]).toEqual([100, 100]);
    expect([...results.values()].filter((result) => result === "unknown")).toEqual([]);
  });

  it("are unknown after 90 days if their series cannot be read", async () => {
    const call = due({ symbol: "GONE" });
    const at = (days: number) => settle([call], { now: iso(Date.parse(call.until) + days * DAY) });
    expect((await at(80)).results.size).toBe(0);
    expect((await at(91)).results.get("c")).toBe("unknown");
  });

  it("stay open across an unadjusted split", async () => {
    const raw = climbingBars({ end: Date.parse("2026-06-30T00:00:00Z") });
    const halved = { ...raw, adjustment: "raw" as const };
    for (let bar = decided + 10; bar < halved.time.length; bar++)
      for (const column of ["open", "high", "low", "close"] as const) halved[column][bar]! /= 2;
    const clock = stoppedClock(new Date(closeOf(decided + 25)));
    const market = marketOf({ bars: { S0: halved }, clock });
    const results: unknown[] = [];
    await settleCalls(
      {
        now: clock.now().getTime(),
        signal: new AbortController().signal,
        held: new Set(),
        maxRequests: 100,
      },
      {
        ...market.ports,
        log: collectingLog().log,
        calls: {
          logChecks: async () => {},
          due: async () => [due()],
          settle: async (settled) => results.push(...settled),
          async *settledChecks() {},
          publishChecks: async () => {},
        },
      },
    );
    expect(results).toEqual([]);
  });
});
