import { describe, expect, it } from "vitest";
import type { TideTick } from "../../../../src/domain/options-flow/options.ts";
import type { TradeProviderAnswer } from "../../../../src/domain/options-flow/provider.ts";
import { ProviderFailure } from "../../../../src/domain/providers/price-provider.ts";
import { liveFlowTape } from "../../../../src/features/options-flow/live/flow-tape.ts";
import { fixed } from "../../../support/fixed-world.ts";
import { optionTrade } from "../../../support/option-chain.ts";
import { respondingProvider } from "../../../support/providers.ts";
import { movingClock } from "../../../support/store.ts";

const NOW = new Date("2026-01-21T15:00:00.000Z");
const at = NOW.getTime();
const missing = { unavailable: "not_connected", reason: "none is on" } as const;
const noTide = { unavailable: "not_connected", reason: "none tells it" } as const;

/** A tape over providers of trades with these responses, by name, and of ticks; null for no ticks. */
function tapeOf(
  trades: Readonly<Record<string, TradeProviderAnswer | ProviderFailure>>,
  ticks: readonly TideTick[] | null = null,
) {
  const clock = movingClock(NOW);
  return liveFlowTape({
    trades: Object.entries(trades).map(([name, answer]) => respondingProvider(name, clock, () => answer)),
    tide: ticks === null ? [] : [respondingProvider("whales", clock, () => ({ ticks }))],
    clock,
    missing,
    noTide,
  });
}
const range = { from: at - 1_000, until: at };

describe("a live tape of option trades", () => {
  it("returns trades of the window, oldest first, and the start of complete data", async () => {
    const trades = [at + 1, at, at - 500, at - 1_000, at - 1_001].map((time) => optionTrade(time));
    const tradesOf = (completeFrom: number) =>
      tapeOf({ whales: { trades, completeFrom } }).trades(fixed("AAPL"), range);
    expect(await tradesOf(at - 700)).toMatchObject({
      source: "whales",
      stale: false,
      completeFrom: at - 700,
      trades: [{ executedAt: at - 1_000 }, { executedAt: at - 500 }, { executedAt: at }],
    });
    expect(await tradesOf(Number.NEGATIVE_INFINITY)).toMatchObject({ completeFrom: null });
  });

  it("has no trades of a time that its provider does not reach, and asks the next provider", async () => {
    const reason = { emptyReason: "It ends before", notes: ["2 are lost"] };
    const file = { trades: [], completeFrom: 0, completeUntil: 1, ...reason };
    expect(await tapeOf({ file }).trades(fixed("AAPL"), range)).toEqual({
      unavailable: "not_covered",
      reason: "It ends before. 2 are lost",
    });
    const whales = { trades: [optionTrade(at)], completeFrom: Number.NEGATIVE_INFINITY };
    expect(await tapeOf({ file, whales }).trades(fixed("AAPL"), range)).toMatchObject({
      source: "whales",
      trades: [{}],
      completeUntil: at,
    });
  });

  it("returns the tide, oldest first", async () => {
    const tick = (time: number) => ({ time, netCallPremium: 1, netPutPremium: 2, netVolume: 3 });
    const tape = tapeOf({}, [tick(at), tick(at - 1)]);
    expect(await tape.tide()).toMatchObject({ ticks: [{ time: at - 1 }, { time: at }], source: "whales" });
    expect(await tape.trades(fixed("AAPL"), range)).toBe(missing);
  });

  it("is missing, not covered, or an outage", async () => {
    expect(await tapeOf({}).tide()).toBe(noTide);
    const failing = (kind: "unknown_symbol" | "down") =>
      tapeOf({ whales: new ProviderFailure(kind, "so") }).trades(fixed("AAPL"), range);
    expect(await failing("unknown_symbol")).toEqual({
      unavailable: "not_covered",
      reason: "No tape has options on AAPL",
    });
    await expect(failing("down")).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });
});
