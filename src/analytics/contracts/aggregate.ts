import type { ConsensusRow as Consensus, Contract } from "../../domain/prediction-markets/contracts.ts";
import { groupBy } from "../../lib/group-by.ts";
import { sum } from "../statistics.ts";
import { deadlineOf, withoutDate } from "./dates.ts";
import type { PriceLevel } from "./levels.ts";
import { tokenize } from "./relevance.ts";

/** Traded dollars below which a price is noise, and below which it is weak. */
export const MIN_DOLLARS = 5_000;
export const FIRM_DOLLARS = 50_000;
/** Maximum bid-ask spread at which the midpoint counts. */
export const MAX_SPREAD = 0.1;
const DAY = 86_400_000;

/**
 * Returns the dollars traded in a contract, as reported or as half a dollar per contract, the average price of the two
 * sides. Null for play money and unknown volume.
 */
export function dollarsOf({ volume_total, volume_unit }: Contract): number | null {
  if (volume_total === null || volume_unit === "MANA") return null;
  return volume_unit === "contracts" ? volume_total / 2 : volume_total;
}

/** Returns why a contract's price does not count; null if it does. */
export function exclusionReason(contract: Contract): string | null {
  const { probability, probability_basis, real_money, spread, status } = contract;
  if (!real_money) return "play money";
  if (probability === null) return "no price";
  if (status !== "open") return "not open for orders";
  if (spread !== null && spread > MAX_SPREAD) return `bid and ask are more than ${MAX_SPREAD} apart`;
  const dollars = dollarsOf(contract);
  if (dollars === null) return "volume unknown";
  if (dollars < MIN_DOLLARS) return `under ${MIN_DOLLARS} dollars traded`;
  return probability_basis === "mid" ? null : "no bid and ask, only a last price";
}

/**
 * Combines contracts on the same question across venues: those with the same level, kind and day, or with the same
 * words and day. Of several contracts at one venue only the one with the highest volume counts. Sorted by dollars
 * traded, descending.
 */
export function consensusOf(
  contracts: readonly Contract[],
  { levelOf, at }: { readonly levelOf: (contract: Contract) => PriceLevel | null; readonly at: number },
): Consensus[] {
  const groups = groupBy(contracts, (contract) => questionKey(contract, levelOf(contract), at));
  const all = [...groups.values()].map((group) => [dollarsIn(group), consensus(group)] as const);
  return all.sort(([a], [b]) => b - a).map(([, one]) => one);
}

/** Rounds to six decimals, the precision of the venues. */
const tidy = (share: number): number => Math.round(share * 1e6) / 1e6;

const dollarsIn = (group: readonly Contract[]): number =>
  sum(group.map((contract) => dollarsOf(contract) ?? 0));

function questionKey(contract: Contract, level: PriceLevel | null, at: number): string {
  const dayOf = (time: number | null) => (time === null ? "?" : Math.floor((time - 1) / DAY));
  if (level !== null) {
    const { kind, side, upper, by } = level;
    return ["level", kind, side, level.level, upper, dayOf(by)].join(" ");
  }
  const { question, outcome, close_time } = contract;
  const text = /^(yes|no)$/i.test(outcome) ? question : `${question} ${outcome}`;
  const negated = /^no$/i.test(outcome) ? "not" : "";
  const words = [...new Set(tokenize(withoutDate(text)))].sort();
  return ["words", negated, ...words, dayOf(deadlineOf({ text, closeTime: close_time }, at))].join(" ");
}

function consensus(group: readonly Contract[]): Consensus {
  const byMoney = [...group].sort((a, b) => (dollarsOf(b) ?? -1) - (dollarsOf(a) ?? -1));
  const speaking = new Set<string>();
  const weighed = byMoney.map((contract) => {
    const { venue, id, probability } = contract;
    const why =
      exclusionReason(contract) ??
      (speaking.has(venue) ? "another contract of the venue has more volume" : null);
    if (why === null) speaking.add(venue);
    const dollars = dollarsOf(contract);
    return { venue, id, probability, dollars, left_out: why, raw: why === null ? Math.log10(dollars!) : 0 };
  });
  const counted = weighed.filter(({ left_out }) => left_out === null);
  const total = sum(counted.map(({ raw }) => raw));
  const shares = counted.map(({ probability }) => probability!);
  const [first] = byMoney as [Contract];
  const most = Math.max(0, ...counted.map(({ dollars }) => dollars!));
  return {
    question: first.question,
    outcome: first.outcome,
    probability:
      total === 0 ? null : tidy(sum(counted.map(({ probability, raw }) => (probability! * raw) / total))),
    disagreement: shares.length < 2 ? null : tidy(Math.max(...shares) - Math.min(...shares)),
    strength: total === 0 ? "none" : most >= FIRM_DOLLARS ? "firm" : "weak",
    reason: total === 0 ? `No venue counts: ${weighed[0]!.left_out}` : null,
    contracts: weighed.map(({ raw, ...contract }) => ({
      ...contract,
      weight: total === 0 ? 0 : tidy(raw / total),
    })),
  };
}
