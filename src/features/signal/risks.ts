import { MIN_REWARD_TO_RISK } from "../../analytics/levels/levels.ts";
import type { PatternRow, Technicals } from "../../domain/signal/analysis.ts";
import { formatPrice } from "../../lib/format-price.ts";
import type { PricedPicture } from "./price.ts";

const STAGES = { 1: "basing", 2: "advancing", 3: "topping", 4: "declining" } as const;
const VOLATILE_PERCENTILE = 80; // percentile
const RANGE_EDGE_PERCENT = 5; // percent of the year's range
const MIN_VOLUME_RATIO = 0.5; // of the usual volume
const THIN_TURNOVER = 1_000_000; // USD a day
const TURNOVER_BARS = 20;
const GAP_BARS = 60;

/** Formats a stage, e.g. "stage 2, advancing". */
export const formatStage = (stage: number): string =>
  `stage ${stage}, ${STAGES[stage as keyof typeof STAGES] ?? "unknown"}`;

const share = (part: number): string => `${(100 * Math.abs(part)).toFixed(1)}%`;

/** Returns the risks of a picture's plan, one sentence each, with figures. */
export function risksOf(
  picture: PricedPicture,
  technicals: Technicals,
  patterns: readonly PatternRow[],
): string[] {
  return [
    ...planRisks(picture),
    ...structureRisks(picture),
    ...technicalRisks(picture, technicals),
    ...patternRisks(picture, patterns),
    ...tradingRisks(picture, technicals),
  ];
}

function planRisks({ consensus, price, series }: PricedPicture): string[] {
  const { levels, close, levels_basis } = consensus;
  const { side, stop, reward_to_risk: reward } = levels;
  const long = side === "LONG";
  const distance = Math.abs(close - stop);
  const plan = levels_basis === "watch" ? `${side} plan for watching only` : `${side} plan`;
  const risks = [
    `The ${plan} is invalid at the stop ${formatPrice(stop)}: ${share(distance / close)} or ${(distance / levels.atr14).toFixed(1)} average true ranges ${long ? "below" : "above"} the close ${formatPrice(close)}.`,
  ];
  if (consensus.score === null) risks.push(`There is no score: ${consensus.reason}.`);
  if (reward < MIN_REWARD_TO_RISK)
    risks.push(
      `Reward to risk is ${reward.toFixed(2)} to the first target ${formatPrice(levels.targets[0]!)}, under ${MIN_REWARD_TO_RISK}.`,
    );
  if (price.value !== null && (long ? price.value <= stop : price.value >= stop))
    risks.push(`The price ${formatPrice(price.value)} is already beyond the stop ${formatPrice(stop)}.`);
  else if (price.value !== null && (price.value < levels.entry.low || price.value > levels.entry.high))
    risks.push(
      `The price ${formatPrice(price.value)} is outside the entry zone ${formatPrice(levels.entry.low)} to ${formatPrice(levels.entry.high)}: an entry there has a different reward to risk than the plan.`,
    );
  const gap = widestGap(series.bars, long ? -1 : 1);
  if (gap !== null && gap.size > distance / close)
    risks.push(
      `One of the last ${gap.bars} bars opened ${share(gap.size)} ${long ? "below" : "above"} the previous close, more than the distance to the stop: a stop does not protect against a gap.`,
    );
  return risks;
}

function technicalRisks({ consensus }: PricedPicture, t: Technicals): string[] {
  const long = consensus.levels.side === "LONG";
  const { close } = consensus;
  const risks: string[] = [];
  if (t.stage !== null && (long ? t.stage >= 3 : t.stage <= 2)) {
    const average =
      t.average_30w === null || t.distance_30w_percent === null
        ? ""
        : `; the close ${formatPrice(close)} is ${share(t.distance_30w_percent / 100)} ${t.above_30wma ? "above" : "below"} the 30-week average ${formatPrice(t.average_30w)}`;
    risks.push(
      `Weinstein ${formatStage(t.stage)}, contradicts the ${long ? "LONG" : "SHORT"} side${average}.`,
    );
  }
  if (t.volatility_percentile !== null && t.volatility_percentile >= VOLATILE_PERCENTILE)
    risks.push(
      `Volatility is high: an average true range of ${t.atr_percent!.toFixed(2)}% of the close, at percentile ${t.volatility_percentile.toFixed(1)} of its history.`,
    );
  if (t.rsi !== null && (long ? t.rsi >= 70 : t.rsi <= 30))
    risks.push(`RSI is ${t.rsi.toFixed(1)}: ${long ? "overbought, 70 or more" : "oversold, 30 or less"}.`);
  if (t.year_position !== null && t.year_low !== null && t.year_high !== null) {
    const where = `The close ${formatPrice(close)} is at ${t.year_position.toFixed(1)}% of the year's range ${formatPrice(t.year_low)} to ${formatPrice(t.year_high)}`;
    if (t.year_position >= 100 - RANGE_EDGE_PERCENT)
      risks.push(
        `${where}: ${long ? "few swing highs above can serve as targets" : "the plan sells near the high"}.`,
      );
    if (t.year_position <= RANGE_EDGE_PERCENT)
      risks.push(
        `${where}: ${long ? "the plan buys near the low" : "few swing lows below can serve as targets"}.`,
      );
  }
  return risks;
}

/** Wyckoff events and phases that contradict a plan, by its side. */
const CONTRADICTING = {
  LONG: { signs: ["UTAD", "SOW", "LPSY"], phases: ["Distribution", "Redistribution", "Markdown"] },
  SHORT: { signs: ["SPRING", "SOS", "LPS"], phases: ["Accumulation", "Reaccumulation", "Markup"] },
} as const;

function structureRisks({ consensus, structure: { wyckoff } }: PricedPicture): string[] {
  const { side } = consensus.levels;
  const { signs, phases }: { signs: readonly string[]; phases: readonly string[] } = CONTRADICTING[side];
  const newest = wyckoff.events.findLast(({ status }) => status === "confirmed");
  return [
    ...(newest !== undefined && signs.includes(newest.type)
      ? [`${newest.type} of ${newest.date} at ${formatPrice(newest.price)} contradicts the ${side} side.`]
      : []),
    ...(phases.includes(wyckoff.phase) && wyckoff.range !== null
      ? [
          `Wyckoff ${wyckoff.phase}, from the range ${formatPrice(wyckoff.range.low)} to ${formatPrice(wyckoff.range.high)}, contradicts the ${side} side.`,
        ]
      : []),
  ];
}

function patternRisks({ consensus }: PricedPicture, patterns: readonly PatternRow[]): string[] {
  const { side } = consensus.levels;
  const against = side === "LONG" ? "bearish" : "bullish";
  return patterns
    .filter(({ direction, status }) => direction === against && status === "valid")
    .map(
      ({ name, confirmed_at, void_price }) =>
        `${name} of ${confirmed_at} contradicts the ${side} side until a close beyond ${formatPrice(void_price!)}.`,
    );
}

function tradingRisks({ series, timeframe }: PricedPicture, { volume_ratio: ratio }: Technicals): string[] {
  const { close, volume } = series.bars;
  const risks: string[] = [];
  if (ratio !== null && ratio < MIN_VOLUME_RATIO)
    risks.push(`Volume is thin: the last bar traded ${share(ratio)} of the mean of the previous 50.`);
  if (timeframe !== "1d") return risks;
  const from = Math.max(0, close.length - TURNOVER_BARS);
  let turnover = 0;
  for (let bar = from; bar < close.length; bar++) turnover += close[bar]! * volume[bar]!;
  turnover /= close.length - from;
  if (turnover < THIN_TURNOVER)
    risks.push(
      `Turnover is thin: ${Math.round(turnover).toLocaleString("en-US")} USD a day over the last ${close.length - from} days.`,
    );
  return risks;
}

/** Returns the widest opening gap against a side, as a share of the prior close; null if there is none. */
function widestGap(
  { open, close }: PricedPicture["series"]["bars"],
  sign: 1 | -1,
): { readonly size: number; readonly bars: number } | null {
  const bars = Math.min(GAP_BARS, close.length - 1);
  let size = 0;
  for (let bar = close.length - bars; bar < close.length; bar++)
    size = Math.max(size, sign * (open[bar]! / close[bar - 1]! - 1));
  return size > 0 ? { size, bars } : null;
}
