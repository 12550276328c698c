import type { Contract } from "../../domain/prediction-markets/contracts.ts";
import { deadlineOf, withoutDate } from "./dates.ts";
import type { PriceLevel } from "./levels.ts";
import { tokenize } from "./tokenize.ts";

/** Dollars traded under which a price is noise, and under which it is weak. */
export const NOISE = 5_000;
export const WEAK = 50_000;
/** Widest book whose middle counts. */
export const WIDEST = 0.1;
const DAY = 86_400_000;

/** One venue's say in a question. */
export interface VenueEstimate {
  readonly venue: string;
  readonly id: string;
  readonly probability: number | null;
  /** US dollars traded; null for play money. */
  readonly dollars: number | null;
  /** Its part of the answer, 0 to 1; 0 where it is left out. */
  readonly weight: number;
  /** Why it is left out; null where it is not. */
  readonly left_out: string | null;
}

/** Estimates of all venues for one question. */
export interface Consensus {
  /** Of the contract with the most money behind it; outside text. */
  readonly question: string;
  readonly outcome: string;
  /** Weighted by log10 of the dollars traded; null where no venue counts. */
  readonly probability: number | null;
  /** Highest less lowest of those that count; null for fewer than two. */
  readonly disagreement: number | null;
  /** `firm` with 50,000 dollars or more at some venue, `weak` below, `none` where nothing counts. */
  readonly strength: "firm" | "weak" | "none";
  readonly reason: string | null;
  readonly voices: readonly VenueEstimate[];
}

/**
 * Dollars traded of a contract: as reported, or contracts at half a dollar, what either side pays on average. Null for play money and where
 * the venue does not say.
 */
export function dollarsOf({ volume_total, volume_unit }: Contract): number | null {
  if (volume_total === null || volume_unit === "MANA") return null;
  return volume_unit === "contracts" ? volume_total / 2 : volume_total;
}

/** Why a price does not count; null where it does. */
export function unusable(contract: Contract): string | null {
  const { probability, probability_basis, real_money, spread, status } = contract;
  if (!real_money) return "play money";
  if (probability === null) return "no price";
  if (status !== "open") return "takes no orders just now";
  if (spread !== null && spread > WIDEST) return `bid and ask are more than ${WIDEST} apart`;
  const dollars = dollarsOf(contract);
  if (dollars === null) return "volume unknown";
  if (dollars < NOISE) return `under ${NOISE} dollars traded`;
  return probability_basis === "mid" ? null : "no bid and ask, the last price alone";
}

/**
 * The same question over venues: contracts whose level, kind and day are the same, or whose words and day are. Different questions are
 * never put together; of two contracts of one venue the busier one speaks. Most money first.
 */
export function consensusOf(
  contracts: readonly Contract[],
  { levelOf, at }: { readonly levelOf: (contract: Contract) => PriceLevel | null; readonly at: number },
): readonly Consensus[] {
  const groups = new Map<string, Contract[]>();
  for (const contract of contracts) {
    const key = questionKey(contract, levelOf(contract), at);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [contract]);
    else group.push(contract);
  }
  const all = [...groups.values()].map((group) => [dollarsIn(group), consensus(group)] as const);
  return all.sort(([a], [b]) => b - a).map(([, one]) => one);
}

/** To a millionth, the precision of the venues. */
const tidy = (share: number): number => Math.round(share * 1e6) / 1e6;

const dollarsIn = (group: readonly Contract[]): number =>
  group.reduce((all, contract) => all + (dollarsOf(contract) ?? 0), 0);

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
  const voices = byMoney.map((contract) => {
    const { venue, id, probability } = contract;
    const why =
      unusable(contract) ?? (speaking.has(venue) ? "another contract of the venue is busier" : null);
    if (why === null) speaking.add(venue);
    const dollars = dollarsOf(contract);
    return { venue, id, probability, dollars, left_out: why, raw: why === null ? Math.log10(dollars!) : 0 };
  });
  const counted = voices.filter(({ left_out }) => left_out === null);
  const sum = counted.reduce((all, { raw }) => all + raw, 0);
  const shares = counted.map(({ probability }) => probability!);
  const [first] = byMoney as [Contract];
  const most = Math.max(0, ...counted.map(({ dollars }) => dollars!));
  return {
    question: first.question,
    outcome: first.outcome,
    probability:
      sum === 0
        ? null
        : tidy(counted.reduce((all, { probability, raw }) => all + (probability! * raw) / sum, 0)),
    disagreement: shares.length < 2 ? null : tidy(Math.max(...shares) - Math.min(...shares)),
    strength: sum === 0 ? "none" : most >= WEAK ? "firm" : "weak",
    reason: sum === 0 ? `No venue counts: ${voices[0]!.left_out}` : null,
    voices: voices.map(({ raw, ...voice }) => ({ ...voice, weight: sum === 0 ? 0 : tidy(raw / sum) })),
  };
}
