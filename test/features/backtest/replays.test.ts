import { describe, expect, it } from "vitest";
import type { SignalTape } from "../../../src/analytics/score/tape-columns.ts";
import { readHistories } from "../../../src/features/backtest/histories.ts";
import { planOf } from "../../../src/features/backtest/plan.ts";
import { findLookAhead } from "../../../src/features/backtest/replays.ts";
import { computeTapes, readCompanions, type SignalTapes } from "../../../src/features/backtest/tapes.ts";
import { marketOf } from "../../support/market.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";

const { ports } = marketOf({
  bars: { AAPL: syntheticBars(1, 420), MSFT: syntheticBars(2, 420), SPY: syntheticBars(3, 420) },
});
const { signal } = new AbortController();
const plan = planOf({ strategy: "signal", params: {} });
const { read } = await readHistories({ symbols: ["AAPL", "MSFT"], timeframe: "1d", signal }, ports);
const tapes = await computeTapes({
  read,
  companions: await readCompanions(read, { signal }, ports),
  needs: plan.needs,
  signal,
  progress: () => {},
});
const peek = (over: SignalTapes) => findLookAhead({ read, plan, params: plan.params, tapes: over, signal });

/** The tapes with one column of MSFT shifted: each bar has the value of five bars later. */
const peeking = (column: "score" | "grade"): SignalTapes => ({
  ...tapes,
  of(symbol) {
    const tape = tapes.of(symbol)!;
    if (symbol !== "MSFT") return tape;
    const moved = { ...tape, [column]: tape[column].slice() } as SignalTape;
    moved[column].copyWithin(0, 5);
    return moved;
  },
});

describe("a replay", () => {
  it("finds no look-ahead in unchanged signals", async () => {
    expect(await peek(tapes)).toBeNull();
  });

  it.each(["score", "grade"] as const)("detects a %s from later bars", async (column) => {
    expect(await peek(peeking(column))).toMatchObject({ symbol: "MSFT", field: column });
  });

  it("recomputes the same values on cut bars", () => {
    for (const bar of [260, 300, 419]) {
      const [anew, whole] = [tapes.endedAt("AAPL", bar), tapes.of("AAPL")!];
      expect(anew.score.length).toBe(bar + 1);
      expect([anew.score[bar], anew.grade[bar], anew.direction[bar]]).toEqual([
        whole.score[bar],
        whole.grade[bar],
        whole.direction[bar],
      ]);
    }
  });
});
