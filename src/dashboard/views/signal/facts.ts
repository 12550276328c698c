import { type LevelsSide, sideOfLevels } from "../../../lib/levels-side.ts";
import type { Output } from "../../api/tools.ts";

/** Tools that this view draws. */
export type SignalTool = "get_signal" | "get_signal_card" | "get_analysis" | "render_chart";
/** A signal with structure, price and notes, as get_signal returns it. */
type SignalAnswer = Output<"get_signal">["data"];
/** The same of get_symbol_page, in concise answers without structure. */
export type PageSignal = NonNullable<Output<"get_symbol_page">["signal"]>;
type Signal = SignalAnswer["signal"];
export type Timeframe = Output<"get_history">["tf"];
export type Odds = NonNullable<Signal["odds"]>;
type Levels = Output<"get_analysis">["levels"];

export interface Plan {
  readonly side: LevelsSide;
  /** watch: levels of a WAIT. */
  readonly basis: "signal" | "watch";
  readonly entry: { readonly low: number; readonly high: number };
  readonly stop: number;
  readonly targets: readonly number[];
  /** R-multiples of the targets; reckoned from the prices where the answer does not state them. */
  readonly multiples: readonly number[];
  readonly rewardToRisk: number;
}

/** What the view draws of a signal, whichever tool returned it. A part that a tool does not return is null. */
export interface SignalFacts {
  readonly symbol: string;
  /** null: not stated. */
  readonly timeframe: Timeframe | null;
  readonly direction: Signal["direction"] | null;
  readonly grade: string | null;
  readonly score: number | null;
  /** Why there is no direction, or why it is WAIT. */
  readonly reason: string | null;
  readonly price: number | null;
  readonly priceReason: string | null;
  readonly market: string;
  /** Close of the decision bar, ISO 8601 UTC. */
  readonly decidedAt: string;
  readonly plan: Plan | null;
  readonly odds: Odds | null;
  readonly oddsReason: string | null;
  readonly range: Output<"render_chart">["range"];
  readonly wyckoff: SignalAnswer["wyckoff"] | null;
  readonly elliott: SignalAnswer["elliott"] | null;
  readonly conflicts: Signal["conflicts"];
  /** Sentences worth reading: reasons of a signal, the text of an analysis. */
  readonly sentences: readonly string[];
  readonly notes: readonly string[];
}

/** Returns what the view draws of the answer of any of its tools. */
export function factsOf(output: Output<SignalTool>): SignalFacts {
  if ("analysis" in output) return analysisFacts(output);
  if ("media" in output) return chartFacts(output);
  return "success" in output ? signalFacts(output.data) : cardFacts(output);
}

export function signalFacts(data: PageSignal): SignalFacts {
  const { signal } = data;
  return {
    symbol: signal.symbol,
    timeframe: signal.timeframe,
    direction: signal.direction,
    grade: signal.grade,
    score: signal.score,
    reason: signal.reason,
    price: data.price,
    priceReason: data.price_reason,
    market: data.market,
    decidedAt: data.bars.as_of,
    plan: planOf({ ...signal, target_r: data.target_r, basis: signal.levels_basis }),
    odds: signal.odds,
    oddsReason: signal.odds_reason,
    range: null,
    wyckoff: data.wyckoff ?? null,
    elliott: data.elliott ?? null,
    conflicts: signal.conflicts,
    sentences: data.reasons,
    notes: data.notes,
  };
}

function cardFacts({ symbol, data }: Output<"get_signal_card">): SignalFacts {
  const { wyckoff, elliottWave: elliott } = data;
  return {
    symbol,
    timeframe: cardTimeframe([...wyckoff.events, ...elliott.path].map(({ date }) => date)),
    direction: data.direction,
    grade: data.grade,
    score: data.score,
    reason: data.reason,
    price: data.price,
    priceReason: data.price_reason,
    market: data.source,
    decidedAt: data.as_of,
    plan: planOf({
      entry_zone: { low: data.entry, high: data.entry },
      stop_loss: data.stop,
      targets: [data.target],
      reward_to_risk: data.rr,
      basis: data.levels_basis,
    }),
    odds: data.odds,
    oddsReason: data.odds_reason,
    range: null,
    wyckoff,
    elliott,
    conflicts: data.conflicts,
    sentences: [],
    notes: data.notes,
  };
}

/** The card does not name its timeframe; days as dates say that its bars are daily. */
const cardTimeframe = (dates: readonly string[]): Timeframe | null =>
  dates.some((date) => date.length === 10) ? "1d" : null;

function analysisFacts({ analysis, levels, ...answer }: Output<"get_analysis">): SignalFacts {
  return {
    symbol: answer.symbol,
    timeframe: answer.timeframe,
    direction: answer.direction,
    grade: answer.grade,
    score: answer.score,
    reason: null,
    price: answer.price,
    priceReason: answer.price_reason,
    market: answer.market,
    decidedAt: answer.bars.as_of,
    plan: planOf(levels),
    odds: null,
    oddsReason: null,
    range: null,
    wyckoff: analysis.wyckoff,
    elliott: analysis.elliott,
    conflicts: [],
    sentences: [analysis.summary, analysis.sentiment, ...analysis.risks, ...analysis.catalysts],
    notes: answer.notes,
  };
}

function chartFacts(answer: Output<"render_chart">): SignalFacts {
  return {
    symbol: answer.symbol,
    timeframe: answer.timeframe,
    direction: answer.direction,
    grade: answer.grade,
    score: answer.score,
    reason: answer.reason ?? answer.levels_reason,
    price: answer.last_close,
    priceReason: null,
    market: answer.market,
    decidedAt: answer.data_as_of,
    plan: answer.levels === null ? null : planOf(answer.levels),
    odds: answer.odds,
    oddsReason: answer.range_reason,
    range: answer.range,
    wyckoff: null,
    elliott: null,
    conflicts: [],
    sentences: [],
    notes: answer.notes,
  };
}

/** Returns levels as a plan. */
export const planOf = ({
  entry_zone: entry,
  stop_loss: stop,
  targets,
  target_r: inR,
  reward_to_risk: rewardToRisk,
  basis,
}: Omit<Levels, "side" | "target_r"> & { readonly target_r?: Levels["target_r"] | undefined }): Plan => {
  const side = sideOfLevels(stop, targets[0]!);
  const edge = side === "LONG" ? entry.high : entry.low;
  const multiples =
    inR?.targets.map(({ r }) => r) ??
    targets.map((target, index) => (index === 0 ? rewardToRisk : (target - edge) / (edge - stop)));
  return { side, basis, entry, stop, targets, multiples, rewardToRisk };
};
