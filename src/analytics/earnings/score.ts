import type { EarningsResult, LineDelta, ScorePart, Surprise } from "../../domain/earnings/earnings.ts";
import { balanceOf } from "./deltas.ts";
import { surpriseValue } from "./surprise.ts";

/** Weights of the parts; renormalised over the available ones. */
const WEIGHTS = { eps: 0.4, revenue: 0.25, guidance: 0.15, kpis: 0.1, segments: 0.1 } as const;

interface ReportFigures {
  readonly eps: Surprise;
  readonly revenue: Surprise;
  readonly guidance: Surprise;
  readonly kpis: readonly LineDelta[];
  readonly segments: readonly LineDelta[];
}

export interface EarningsVerdict {
  /** EPS result, or the revenue result if EPS cannot be compared. */
  readonly signal: EarningsResult | null;
  /** 0-100 with one decimal, 50 for as expected; null without an EPS or revenue surprise. */
  readonly score: number | null;
  readonly parts: readonly ScorePart[];
}

/** Returns the verdict on a report. The score is 50 + 50 times the weighted mean of its parts, each in [-1, 1]. */
export function verdictOf({ eps, revenue, guidance, kpis, segments }: ReportFigures): EarningsVerdict {
  const values = {
    eps: surpriseValue(eps),
    revenue: surpriseValue(revenue),
    guidance: surpriseValue(guidance),
    kpis: balanceOf(kpis),
    segments: balanceOf(segments),
  };
  const signal = eps.result ?? revenue.result;
  if (signal === null) return { signal, score: null, parts: [] };
  const present = (Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[]).flatMap((part) => {
    const value = values[part];
    return value === null ? [] : [{ part, value, weight: WEIGHTS[part] }];
  });
  const totalWeight = present.reduce((sum, { weight }) => sum + weight, 0);
  const mean = present.reduce((sum, { weight, value }) => sum + weight * value, 0) / totalWeight;
  return {
    signal,
    score: Math.round(10 * (50 + 50 * mean)) / 10,
    parts: present.map(({ part, weight, value }) => ({
      part,
      weight: Math.round((1e4 * weight) / totalWeight) / 1e4,
      value: Math.round(1e4 * value) / 1e4,
    })),
  };
}
