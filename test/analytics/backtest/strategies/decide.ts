import {
  type NamedStrategy,
  paramsOf,
  STRATEGY_TABLE,
} from "../../../../src/analytics/backtest/strategies/table.ts";
import type { Decisions } from "../../../../src/analytics/backtest/types.ts";
import type { SignalTape } from "../../../../src/analytics/score/tape-columns.ts";
import type { Bars } from "../../../../src/domain/market/bars.ts";

/** Decisions of a strategy with the given parameters and defaults for the others. */
export function decide(
  name: NamedStrategy,
  bars: Bars,
  given: Readonly<Record<string, unknown>> = {},
  tape?: SignalTape,
): Decisions {
  const checked = paramsOf(name, given);
  if ("problems" in checked) throw new Error(JSON.stringify(checked.problems));
  return STRATEGY_TABLE[name].decide(bars, checked.params, tape);
}

const WORDS = ["-", "LONG", "SHORT", "FLAT"];

/** Actions as words, `-` for HOLD. */
export const words = (action: Uint8Array): readonly string[] => Array.from(action, (code) => WORDS[code]!);
