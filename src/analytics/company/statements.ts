import type { FiledFact, LineName } from "../../domain/company/facts.ts";
import { newYorkOffsetMs } from "../../lib/newyork.ts";

const DAY = 86_400_000;
/** Time of day in New York until which EDGAR dates a filing with the same day, ms. */
const LAST_FILING = 17.5 * 3_600_000;
/** Lengths of a quarter and a year in days; fiscal years of 52 or 53 weeks vary. */
const LENGTHS = { quarterly: [80, 100], annual: [350, 380] } as const;
export type PeriodKind = keyof typeof LENGTHS;
/** Lines whose quarters do not add up to a year. */
const NOT_ADDITIVE: ReadonlySet<LineName> = new Set(["eps_basic", "eps_diluted", "shares_diluted"]);

/** A figure of a period. */
export interface PeriodFact extends FiledFact {
  readonly derived: boolean;
}

/** Figures of a period and balances at its end, each line once. */
export interface Period {
  readonly start: string;
  readonly end: string;
  readonly facts: ReadonlyMap<LineName, PeriodFact>;
}

/**
 * Returns the facts that were filed at `moment` (epoch ms). A filing has a date only, and is known from 17:30 New York
 * on that day.
 */
export const filedBy = (facts: readonly FiledFact[], moment: number): readonly FiledFact[] =>
  facts.filter(({ filed }) => knownAt(filed) <= moment);

function knownAt(filed: string): number {
  const day = Date.parse(filed);
  return day + LAST_FILING - newYorkOffsetMs(day + DAY / 2);
}

/**
 * Returns the periods of one kind, newest first, with each figure as last filed. A quarter that was not filed alone is
 * computed from the figures since the start of its fiscal year, except figures per share and share counts.
 */
export function periodsOf(facts: readonly FiledFact[], kind: PeriodKind): readonly Period[] {
  const newest = lastFiled(facts);
  const spans = newest.filter(({ start }) => start !== null);
  const direct = spans.filter((fact) => isOfKind(fact, kind)).map((fact) => ({ ...fact, derived: false }));
  const derived = kind === "annual" ? [] : differencesOf(spans);
  const byEnd = new Map<string, { start: string; facts: Map<LineName, PeriodFact> }>();
  for (const fact of [...direct, ...derived]) {
    const period = byEnd.get(fact.end) ?? { start: fact.start!, facts: new Map() };
    if (!period.facts.has(fact.line)) period.facts.set(fact.line, fact);
    byEnd.set(fact.end, period);
  }
  for (const fact of newest)
    if (fact.start === null) byEnd.get(fact.end)?.facts.set(fact.line, { ...fact, derived: false });
  return [...byEnd].map(([end, period]) => ({ end, ...period })).sort((a, b) => (a.end < b.end ? 1 : -1));
}

/** Returns each line of each period once: under its preferred tag, as last filed. */
function lastFiled(facts: readonly FiledFact[]): readonly FiledFact[] {
  const best = new Map<string, FiledFact>();
  for (const fact of facts) {
    const key = `${fact.line} ${fact.start} ${fact.end}`;
    const known = best.get(key);
    if (
      known === undefined ||
      fact.rank < known.rank ||
      (fact.rank === known.rank && fact.filed > known.filed)
    )
      best.set(key, fact);
  }
  return [...best.values()];
}

/**
 * Returns the last quarters of longer spans: a span minus the one that starts on the same day and ends a quarter
 * earlier.
 */
function differencesOf(spans: readonly FiledFact[]): readonly PeriodFact[] {
  const additive = spans.filter(({ line }) => !NOT_ADDITIVE.has(line));
  const byStart = new Map<string, FiledFact[]>();
  for (const fact of additive) {
    const key = `${fact.line} ${fact.tag} ${fact.start}`;
    byStart.set(key, [...(byStart.get(key) ?? []), fact]);
  }
  return additive.flatMap((whole) => {
    const before = byStart.get(`${whole.line} ${whole.tag} ${whole.start}`)!.find((part) => {
      const days = (Date.parse(whole.end) - Date.parse(part.end)) / DAY;
      return days >= LENGTHS.quarterly[0] && days <= LENGTHS.quarterly[1];
    });
    if (before === undefined) return [];
    const start = new Date(Date.parse(before.end) + DAY).toISOString().slice(0, 10);
    return [{ ...whole, start, value: whole.value - before.value, derived: true }];
  });
}

function isOfKind({ start, end }: FiledFact, kind: PeriodKind): boolean {
  const days = (Date.parse(end) - Date.parse(start!)) / DAY + 1;
  return days >= LENGTHS[kind][0] && days <= LENGTHS[kind][1];
}
