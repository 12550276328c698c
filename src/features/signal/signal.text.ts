import { driverName } from "../../analytics/drivers/table.ts";
import { type Alternatives, formatAlternatives } from "../../domain/answers.ts";
import type { EventRisk } from "../../domain/earnings/calendar.ts";
import { casesOf, formatPlanOdds } from "../../domain/odds/odds.text.ts";
import type { OddsExplanation } from "../../domain/odds/odds-changes.ts";
import type { TaskResult } from "../../domain/requests/task.ts";
import type { ConflictFields } from "../../domain/signal/conflicts.ts";
import { formatGrade } from "../../domain/signal/grade.text.ts";
import { formatRewardToRisk } from "../../domain/signal/reward-to-risk.text.ts";
import { formatScore } from "../../domain/signal/score.text.ts";
import { Signal } from "../../domain/signal/signal.ts";
import type { ElliottBlock, WyckoffBlock } from "../../domain/signal/structure.ts";
import { formatVerdict } from "../../domain/signal/verdict.text.ts";
import type { Paint } from "../../domain/terminal.ts";
import { formatPrice } from "../../lib/format-price.ts";
import { sideOfLevels, watchingText } from "../../lib/levels-side.ts";
import { formatEventRisk } from "../earnings/event-risk.text.ts";
import { formatAnswer } from "./answer.text.ts";
import type { explanationOf } from "./explanation.ts";
import { type Flips, formatFlips } from "./flips.text.ts";
import { type AnswerNotes, splitNotes } from "./notes.ts";
import { formatOddsExplanation } from "./odds-changes.text.ts";
import type { provenanceFields } from "./origins.ts";

interface SignalAnswer {
  readonly data: AnswerNotes &
    Pick<
      ReturnType<typeof provenanceFields>,
      "price" | "price_source" | "price_reason" | "venue" | "source" | "inputs_hash"
    > & {
      readonly bars: { readonly count: number; readonly as_of: string; readonly adjustment: string };
      readonly signal: Signal & Partial<ConflictFields>;
      /** Default: not printed. */
      readonly wyckoff?: WyckoffBlock | undefined;
      /** Default: not printed. */
      readonly elliott?: ElliottBlock | undefined;
      readonly event_risk: EventRisk;
      readonly reasons: readonly string[];
      readonly alternatives: Alternatives;
    };
  readonly data_as_of: string;
}

/** Says what levels are for, and their side; null for those of a plan. */
const watchingOf = ({ levels_basis: basis, stop_loss: stop, targets }: Signal): string | null =>
  basis === "watch" ? watchingText(sideOfLevels(stop, targets[0]!)) : null;

const COLOUR = { LONG: "green", SHORT: "red", WAIT: "yellow" } as const;
const BAR = 20;

/** Formats a signal: verdict, levels, components, reasons and provenance. */
export function formatSignal({ data, data_as_of }: SignalAnswer, paint: Paint): string {
  const { signal } = data;
  const row = (name: string, value: string) => `  ${paint("dim", name.padEnd(12))}${value}`;
  const watching = watchingOf(signal);
  const watch = watching === null ? "" : paint("dim", `  ${watching}`);
  const { first, others } = splitNotes(data);
  return [
    ...first.map((note) => paint("yellow", note)),
    formatVerdict(signal, paint),
    ...(signal.reason === null ? [] : [`  ${paint("dim", `${signal.reason}.`)}`]),
    ...others.map((note) => row("note", paint("yellow", note))),
    row("price", formatPriceLine(data, data_as_of)),
    row("entry", `${formatPrice(signal.entry_zone.low)} - ${formatPrice(signal.entry_zone.high)}${watch}`),
    ...(signal.conflicts?.length
      ? [row("conflicts", paint("yellow", formatConflicts(signal.conflicts)))]
      : []),
    row("stop", formatPrice(signal.stop_loss)),
    row("targets", `${signal.targets.map(formatPrice).join("  ")}  ${paint("dim", signal.target_basis)}`),
    row("reward:risk", formatRewardToRisk(signal.reward_to_risk)),
    row(
      "odds",
      signal.odds === null
        ? paint("dim", `none: ${signal.odds_reason}`)
        : formatPlanOdds(signal.odds, "target 1"),
    ),
    ...(signal.odds === null
      ? []
      : [
          row(
            "range",
            `${formatPrice(signal.odds.range_90.low)} - ${formatPrice(signal.odds.range_90.high)}  ${paint("dim", `90 of 100 closes after ${signal.odds.bars} bars`)}`,
          ),
        ]),
    row("confidence", formatConfidence(signal, paint)),
    row(
      "conviction",
      `${show(signal.ics_score)} ${signal.ics.conviction}  ${paint("dim", signal.ics.reason ?? signal.ics.source)}`,
    ),
    ...(data.wyckoff === undefined ? [] : [row("structure", formatStructure(data.wyckoff))]),
    ...(data.wyckoff === undefined || data.wyckoff.phase === "Undetermined"
      ? []
      : [row("", paint("dim", data.wyckoff.narrative))]),
    ...(data.elliott === undefined ? [] : [row("wave", formatWaves(data.elliott, paint))]),
    ...formatEventRisk(data.event_risk).map((line) => row("upcoming", line)),
    "",
    ...Object.entries(signal.component_scores).map(([name, score]) =>
      row(name.replace("relative_", ""), gauge(score, paint)),
    ),
    "",
    ...data.reasons.map((reason) => `  ${paint(reason.startsWith("+") ? "green" : "red", reason)}`),
    "",
    paint(
      "dim",
      `  ${data.bars.count} ${signal.timeframe} bars to ${data.bars.as_of}, ${data.source} (${data.venue}), ${data.bars.adjustment}; ${signal.model_version}, inputs ${data.inputs_hash.slice(0, 12)}`,
    ),
    ...formatAlternatives(data.alternatives).map((line) => paint("dim", line)),
  ].join("\n");
}

const formatConfidence = (
  { confidence, confidence_basis, confidence_base, agreement }: Signal,
  paint: Paint,
): string =>
  confidence_basis === "odds"
    ? `${casesOf(confidence)} of 100  ${paint("dim", `target 1 before stop, base rate ${confidence_base == null ? "unknown" : casesOf(confidence_base)}; agreement ${agreement.toFixed(2)}`)}`
    : `${casesOf(confidence)} of 100  ${paint("dim", `uncalibrated: there are no odds, so it follows from the reward to risk alone; agreement ${agreement.toFixed(2)}`)}`;

/** Formats the Wyckoff phase with its newest event on one line. */
export const formatStructure = ({ phase, sub_phase, events }: WyckoffBlock): string => {
  const last = events.at(-1);
  const newest =
    last === undefined ? "" : `; ${last.type} of ${last.date} at ${formatPrice(last.price)}, ${last.status}`;
  return `Wyckoff ${phase}${sub_phase === null ? "" : ` ${sub_phase}`}${newest}`;
};

/** Formats the wave count with target and invalidation, or the reason for its absence. */
export const formatWaves = ({ label, target, invalidation, reason }: ElliottBlock, paint: Paint): string =>
  label === null
    ? paint("dim", `none: ${reason}`)
    : `${label}, target ${target === null ? "none" : formatPrice(target)}, invalidated at ${invalidation === null ? "none" : formatPrice(invalidation)}`;

const formatConflicts = (conflicts: ConflictFields["conflicts"]): string =>
  conflicts.map(({ text }) => text).join("; ");

const headline = ({ direction, grade, score, tier, timeframe }: Signal): string =>
  `${formatGrade({ direction, grade })}  score ${show(score)}  ${tier}  ${timeframe}`;

const formatPriceLine = (
  { price, price_source, price_reason }: SignalAnswer["data"],
  asOf: string,
): string => (price === null ? `none: ${price_reason}` : `${formatPrice(price)}  ${price_source} of ${asOf}`);

const show = (score: number | null): string => (score === null ? "none" : formatScore(score));

function gauge(score: number | null, paint: Paint): string {
  if (score === null) return paint("dim", "no data");
  const filled = Math.round((score / 100) * BAR);
  const drawn = `${"█".repeat(filled)}${"░".repeat(BAR - filled)}`;
  return `${paint(score >= 50 ? "green" : "red", drawn)} ${score.toFixed(0)}`;
}

type Explanation = ReturnType<typeof explanationOf>;
interface ExplanationView extends Omit<Explanation, "drivers" | "groups" | keyof Flips>, Flips {
  readonly drivers: readonly (Omit<Explanation["drivers"][number], "id" | "group" | "title"> & {
    readonly id: string;
  })[];
  readonly odds: OddsExplanation | null;
  readonly odds_reason: string | null;
  readonly event_risk: EventRisk;
}

/** Formats the explanation of a signal: one line per driver, then what would change the signal. */
export function formatExplanation(answer: ExplanationView, paint: Paint): string {
  const lines = answer.drivers.map(({ id, value, weight, contribution, in_words, reason }) =>
    value === null
      ? paint("dim", `  without ${driverName(id)}: ${reason}`)
      : `  ${in_words}: ${paint(value >= 0 ? "green" : "red", signed(value))} x weight ${weight.toFixed(3)} = ${signed(contribution ?? 0, 3)}`,
  );
  const { first, others } = splitNotes(answer);
  return [
    ...first.map((note) => paint("yellow", note)),
    formatVerdict(answer, paint),
    ...(answer.reason === null ? [] : [`  ${answer.reason}.`]),
    ...others.map((note) => `  ${paint("yellow", note)}`),
    ...lines,
    `  The sum is ${answer.sum === null ? "unknown" : `${signed(answer.sum, 3)}${answer.score === null ? "" : paint("dim", "; score = 50 + 50 x sum")}`}.`,
    ...formatFlips(answer).map((line) => `  ${line}`),
    ...formatOddsExplanation(answer.odds, answer.odds_reason).map((line) => `  ${line}`),
    ...formatEventRisk(answer.event_risk).map((line) => `  upcoming: ${line}`),
    paint("dim", `  bars to ${answer.data_as_of}, ${answer.source} (${answer.venue})`),
  ].join("\n");
}

/** Formats the results of a task, one line per symbol: its signal if there is one, else its provider, or the error. */
export function formatTask({ results }: { readonly results: readonly TaskResult[] }, paint: Paint): string {
  return results
    .map(({ symbol, skill, data, error }) => {
      const name = symbol ?? skill;
      if (error !== null) return `${paint("bold", name)}  ${paint("yellow", error.code)}  ${error.message}`;
      const answer = data as { data?: SignalAnswer["data"]; data_as_of?: string };
      const signal = Signal.safeParse(answer.data?.signal).data;
      if (signal === undefined || answer.data === undefined)
        return formatAnswer(data ?? {}, paint) ?? `${paint("bold", name)}  ${skill}`;
      return [
        ...(answer.data.stale_notes ?? []).map((note) => paint("yellow", note)),
        `${paint("bold", signal.symbol)}  ${paint(COLOUR[signal.direction], signal.direction)}  ${headline(signal)}`,
        `  price ${formatPriceLine(answer.data, answer.data_as_of ?? "")}`,
        `  entry ${formatPrice(signal.entry_zone.low)} - ${formatPrice(signal.entry_zone.high)}, stop ${formatPrice(signal.stop_loss)}, targets ${signal.targets.map(formatPrice).join(", ")}${watchingOf(signal) === null ? "" : `, ${watchingOf(signal)}`}`,
        `  conviction ${show(signal.ics_score)} ${signal.ics.conviction} (${signal.ics.source}); ${answer.data.source}, bars to ${answer.data.bars.as_of}`,
      ].join("\n");
    })
    .join("\n");
}

const signed = (value: number, digits = 2): string =>
  `${value < 0 ? "-" : "+"}${Math.abs(value).toFixed(digits)}`;
