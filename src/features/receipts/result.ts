import type { Consensus } from "../../analytics/score/consensus.ts";
import { SignalOdds } from "../../domain/odds/odds.ts";
import type { ReceiptResult } from "../../domain/receipts/receipt.ts";
import { canonicalJson } from "../../lib/canonical-json.ts";
import { confidenceOf } from "../signal/confidence.ts";
import type { Picture } from "../signal/picture.ts";
import { convictionOf } from "../signal/signal-block.ts";
import type { SignalOddsOutcome } from "../signal/signal-odds.ts";

/** Maximum number of differences that a verification lists. */
export const MAX_DIFFERENCES = 50;

/** Returns the part of a consensus that is determined by its inputs; null without levels. */
export function toReceiptResult(consensus: Consensus | Picture["consensus"]): ReceiptResult | null {
  const { levels, levels_basis, ics } = consensus;
  if (levels === null || levels_basis === null) return null;
  return {
    direction: consensus.direction,
    score: consensus.score,
    grade: consensus.grade,
    tier: consensus.tier,
    reason: consensus.reason,
    entry_zone: { ...levels.entry },
    stop_loss: levels.stop,
    targets: [...levels.targets],
    reward_to_risk: levels.reward_to_risk,
    break_even_win_rate: levels.break_even_win_rate,
    levels_basis,
    target_basis: levels.target_basis,
    component_scores: { ...consensus.component_scores },
    ics: { currentScore: ics.score, ...convictionOf(ics) },
    coverage: consensus.coverage,
    close: consensus.close,
    drivers: consensus.drivers.map(({ id, value }) => ({ id, value })),
  };
}

/** Returns the odds and the confidence of a result, rounded as served. */
export function oddsResult({
  consensus,
  odds,
}: {
  readonly consensus: Parameters<typeof confidenceOf>[0]["consensus"];
  readonly odds: SignalOddsOutcome;
}): Pick<ReceiptResult, "confidence" | "odds"> {
  return {
    confidence: confidenceOf({ consensus, odds }).confidence,
    odds: odds.odds && SignalOdds.parse(odds.odds),
  };
}

/** A value that differs between receipt and recomputation, both as JSON. */
export interface Difference {
  readonly field: string;
  readonly receipt: string;
  readonly computed: string;
}

/** Lists the values that differ, at most 50. */
export const findDifferences = (receipt: unknown, computed: unknown): readonly Difference[] =>
  compareValues("", receipt, computed).slice(0, MAX_DIFFERENCES);

function compareValues(field: string, receipt: unknown, computed: unknown): readonly Difference[] {
  const given = canonicalJson(receipt) ?? "null";
  const recomputed = canonicalJson(computed) ?? "null";
  if (given === recomputed) return [];
  const [a, b] = [entriesOf(receipt), entriesOf(computed)];
  if (a === null || b === null) return [{ field, receipt: truncate(given), computed: truncate(recomputed) }];
  return [...new Set([...a.keys(), ...b.keys()])].flatMap((name) =>
    compareValues(field === "" ? name : `${field}.${name}`, a.get(name) ?? null, b.get(name) ?? null),
  );
}

const entriesOf = (value: unknown): ReadonlyMap<string, unknown> | null =>
  typeof value === "object" && value !== null ? new Map(Object.entries(value)) : null;

const truncate = (text: string): string => (text.length > 200 ? `${text.slice(0, 199)}…` : text);
