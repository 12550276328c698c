import { describe, expect, it } from "vitest";
import type { OptionTrade } from "../../../../src/domain/options-flow/options.ts";
import type {
  TideProvider,
  TradeProvider,
  TradeProviderAnswer,
} from "../../../../src/domain/options-flow/provider.ts";
import { ProviderFailure } from "../../../../src/domain/providers/price-provider.ts";
import type { Guardable } from "../../../../src/domain/providers/provider.ts";
import { liveFlowTape } from "../../../../src/features/options-flow/live/flow-tape.ts";
import { guard } from "../../../../src/market/failover/guard.ts";
import { fixed } from "../../../support/fixed-world.ts";
import { movingClock } from "../../../support/store.ts";

const NOW = new Date("2026-01-21T15:00:00.000Z");
const at = NOW.getTime();
const missing = { unavailable: "not_connected", reason: "none is on" } as const;
const noTide = { unavailable: "not_connected", reason: "none tells it" } as const;
const trade = (executedAt: number): OptionTrade => ({
  id: `${executedAt}`,
  contract: "AAPL260220C00250000",
  expiry: "2026-02-20",
  type: "call",
  strike: 250,
  price: 1,
  size: 1,
  trades: 1,
  premium: 100,
  askPremium: null,
  bidPremium: null,
  sweep: null,
  floor: null,
  multileg: null,
  executedAt,
});

/** A tape over one provider of each kind; null for none. */
function tapeOf(trades: TradeProvider["call"] | null, tide: TideProvider["call"] | null = null) {
  const clock = movingClock(NOW);
  const budget = { calls: 9, perMs: 60_000, atOnce: 2 };
  const on = <S extends Guardable>(one: S) => [guard(() => one, { fetch, clock })];
  return liveFlowTape({
    trades: trades === null ? [] : on({ name: "whales", budget, call: trades }),
    tide: tide === null ? [] : on({ name: "whales", budget, call: tide }),
    clock,
    missing,
    noTide,
  });
}
const range = { from: at - 1_000, until: at };

describe("a live tape of option trades", () => {
  it("returns trades of the window, oldest first, and the start of complete data", async () => {
    const told = (completeFrom: number) =>
      tapeOf(async () => ({
        trades: [at + 1, at, at - 500, at - 1_000, at - 1_001].map(trade),
        completeFrom,
      })).trades(fixed("AAPL"), range);
    const answer = await told(at - 700);
    expect(answer).toMatchObject({
      source: "whales",
      stale: false,
      completeFrom: at - 700,
      trades: [{ executedAt: at - 1_000 }, { executedAt: at - 500 }, { executedAt: at }],
    });
    expect(await told(Number.NEGATIVE_INFINITY)).toMatchObject({ completeFrom: null });
  });

  it("has no trades of a time that its provider does not reach, and asks the next provider", async () => {
    const silent = {
      trades: [],
      completeFrom: 0,
      completeUntil: 1,
      emptyReason: "It ends before",
      notes: ["2 are lost"],
    };
    expect(await tapeOf(async () => silent).trades(fixed("AAPL"), range)).toEqual({
      unavailable: "not_covered",
      reason: "It ends before. 2 are lost",
    });
    const clock = movingClock(NOW);
    const named = (name: string, told: TradeProviderAnswer) =>
      guard<TradeProvider>(
        () => ({ name, budget: { calls: 9, perMs: 60_000, atOnce: 2 }, call: async () => told }),
        { fetch, clock },
      );
    const whole = { trades: [trade(at)], completeFrom: Number.NEGATIVE_INFINITY };
    const both = liveFlowTape({
      trades: [named("file", silent), named("whales", whole)],
      tide: [],
      clock,
      missing,
      noTide,
    });
    expect(await both.trades(fixed("AAPL"), range)).toMatchObject({
      source: "whales",
      trades: [{}],
      completeUntil: at,
    });
  });

  it("returns the tide, oldest first", async () => {
    const tick = (time: number) => ({ time, netCallPremium: 1, netPutPremium: 2, netVolume: 3 });
    const tape = tapeOf(null, async () => ({ ticks: [tick(at), tick(at - 1)] }));
    expect(await tape.tide()).toMatchObject({ ticks: [{ time: at - 1 }, { time: at }], source: "whales" });
    expect(await tape.trades(fixed("AAPL"), range)).toBe(missing);
  });

  it("is missing, not covered, or an outage", async () => {
    expect(await tapeOf(null).tide()).toBe(noTide);
    const fails = (kind: "unsupported" | "unknown_symbol" | "down") =>
      tapeOf(async () => Promise.reject(new ProviderFailure(kind, "so"))).trades(fixed("AAPL"), range);
    expect(await fails("unknown_symbol")).toEqual({
      unavailable: "not_covered",
      reason: "No tape has options on AAPL",
    });
    await expect(fails("down")).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });
});
