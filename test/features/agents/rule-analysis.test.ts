import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { CustomAgent } from "../../../src/domain/agents/automation.ts";
import {
  analyzeByRules,
  type BarsAnswer,
  parseAgentRules,
} from "../../../src/features/agents/rule-analysis.ts";
import { DIP_BUYER } from "../../support/agents.ts";
import { barsAround } from "../../support/synthetic-bars.ts";
import { describeWithData } from "../../support/test-data.ts";

interface Case {
  readonly closes: readonly number[];
  readonly op: "crosses_above" | "crosses_below";
  readonly level: number;
  readonly right_bars: readonly number[];
}

/** The answer of get_history up to a bar, newest first. */
function historyOf(closes: readonly number[]): BarsAnswer {
  const { time, open, high, low, close, volume } = barsAround(closes);
  const rows = Array.from(time, (at, i) => ({
    datetime: new Date(at).toISOString(),
    ...{ open: open[i]!, high: high[i]!, low: low[i]!, close: close[i]!, volume: volume[i]! },
  }));
  const newest = rows.at(-1)!.datetime;
  return {
    ...{ symbol: "BTC-USD", tf: "1d", asset_class: "crypto", source: "fixture", adjustment: "raw" },
    bars: rows.toReversed(),
    data_as_of: newest,
    provenance: { stale: false, fetched_at: newest },
  };
}

describeWithData("crossings through equality of saved agents", ["numbers", "cross.json"], (path) => {
  const { cross } = JSON.parse(readFileSync(path, "utf8")) as { readonly cross: readonly Case[] };

  it.each(cross)("buy and sell at $op $level", ({ closes, op, level, right_bars }) => {
    const crossing = { all: [`close ${op} ${level}`] };
    const never = { all: ["close > 1000000"] };
    const actions = (rules: Partial<CustomAgent>, holds: boolean, action: string) => {
      const { plan } = parseAgentRules({ ...DIP_BUYER, ...rules } as CustomAgent);
      return closes.flatMap((_, bar) =>
        bar > 0 &&
        analyzeByRules(plan, historyOf(closes.slice(0, bar + 1)), null).decide(holds).action === action
          ? [bar]
          : [],
      );
    };
    expect(actions({ entry: crossing, exit: never }, false, "buy")).toEqual(right_bars);
    expect(actions({ entry: never, exit: crossing }, true, "sell")).toEqual(right_bars);
  });
});
