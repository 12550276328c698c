import { z } from "zod";
import { money } from "../lib/money.ts";
import { plainText } from "../lib/plain-text.ts";
import { rounded } from "../lib/rounded.ts";
import { Iso } from "./answers.ts";
import { Timeframe } from "./bars.ts";
import { ContractRow } from "./contracts.ts";
import { PriceSource } from "./market.ts";
import { NewsRow, Sentiment } from "./news.ts";
import { outsideText, QUOTED, quoted } from "./outside-text.ts";
import { type RunNote, ScanError } from "./scan.ts";
import { Direction, Grade, Tier } from "./signal.ts";
import type { Paint } from "./terminal.ts";

/** Said beside the words of publishers and venues. */
export const OPERATION_WORDS = outsideText("title, publisher, question, outcome and url");

/** A signal in a line: verdict, levels and price. */
export const SignalLine = z.object({
  direction: Direction,
  tier: Tier,
  score: z.number().nullable().describe("0-100, 50 neutral; null where its data is missing"),
  grade: Grade.nullable(),
  entry: z.number().describe("The zone's worse edge, from which rr is measured"),
  stop: z.number(),
  target: z.number().describe("First target"),
  rr: z.number().describe("Reward to risk"),
  levels_basis: z.enum(["signal", "watch"]).describe("watch: the levels of a WAIT"),
  price: z.number().nullable(),
  price_source: z
    .enum([...PriceSource.options, "decision_bar"])
    .nullable()
    .describe("decision_bar: the close the verdict was made on, no live price; null without a price"),
  reasons: z.array(z.string()).optional().describe("The strongest drivers, with detail full"),
});

const StoryLine = NewsRow.pick({ title: true, publisher: true, published_at: true, url: true }).extend({
  sentiment: Sentiment.shape.label,
  score: Sentiment.shape.score,
  relevance: NewsRow.shape.relevance,
});

const ContractLine = ContractRow.pick({
  venue: true,
  question: true,
  outcome: true,
  probability: true,
  probability_basis: true,
  volume_total: true,
  volume_unit: true,
  close_time: true,
  url: true,
});

const Percent = z.number().min(0).max(100).nullable();
const EdgeLine = z.object({
  type: z.enum(["UNDERPRICED", "OVERPRICED", "FAIR"]).nullable().describe("null with null_reason"),
  score: z.number().nullable().describe("0-100 net of costs, 0 at FAIR"),
  actionability: z.enum(["HIGH", "MEDIUM", "LOW", "NONE"]),
  market_probability: Percent.describe("Percent that venues give the question"),
  news_probability: Percent.describe("Percent that news gives it"),
  divergence: z.number().nullable().describe("news_probability less market_probability, points"),
  question: z.string().nullable().describe("Outside text: what both are probabilities of"),
  by: Iso.nullable().describe("When it is decided"),
  null_reason: z.string().nullable().describe("Why there is no verdict"),
});

/** One result of any operation: what it is about, whose figures, of when, and the one block of its kind. */
export const OperationRow = z.object({
  symbol: z.string().nullable().describe("null: about no one instrument"),
  source: z.string().nullable().describe("Whose figures; `sample` is simulated"),
  as_of: Iso.describe("No figure of the row is later"),
  signal: SignalLine.optional().describe("Of signal, batch and top"),
  story: StoryLine.optional().describe("Of news"),
  contract: ContractLine.optional().describe("Of markets"),
  edge: EdgeLine.optional().describe("Of edge"),
});
export type OperationRow = z.infer<typeof OperationRow>;

/** What every operation answers; `results` hold the block of the operation's kind. */
export const operationAnswer = <const Names extends readonly [string, ...string[]]>(operations: Names) =>
  z.object({
    ok: z.literal(true),
    operation: z.enum(operations),
    symbol: z.string().nullable().describe("The one asked about, in canonical form"),
    symbols: z.array(z.string()).describe("Canonical symbols of the results, as asked for those without"),
    timeframe: Timeframe.nullable().describe("Bar length of the signals; null where there are none"),
    count: z.number().int().describe("Results returned"),
    results: z.array(OperationRow),
    errors: z.array(ScanError).describe("Symbols without a result, and why"),
    summary: z.string().describe("What was found, in a sentence made of the figures"),
    notes: z.array(z.string()).describe("What to know before using it"),
    outside_text: z.literal(OPERATION_WORDS).optional().describe("How to take what others wrote"),
    provenance: z.object({
      tools: z.array(z.string()).describe("The tools that answered"),
      sources: z.array(z.string()).describe("Whose figures these are, each once"),
      runs: z
        .array(z.object({ run_id: z.string(), universe: z.string(), run_at: Iso }))
        .describe("Nightly runs that were read"),
    }),
    as_of: Iso.nullable().describe("No figure is later; null where there is none"),
    market: z.enum(["sample", "files", "live"]).nullable().describe("null where nothing was had"),
  });
export type OperationAnswer = z.infer<ReturnType<typeof operationAnswer>>;

interface Facts {
  readonly operation: string;
  /** Name of the tool that answered. */
  readonly tool: string;
  readonly symbol?: string | null;
  readonly timeframe?: Timeframe;
  readonly market: OperationAnswer["market"];
  readonly runs?: readonly RunNote[];
}
interface Told {
  readonly summary: string;
  readonly notes: readonly string[];
  /** Those of the results when absent. */
  readonly symbols?: readonly string[];
  readonly errors?: readonly ScanError[];
  /** The latest of the results when absent. */
  readonly as_of?: string | null;
}

/** An operation's results in the one shape, with whose figures they are and of when. */
export function operationTold<const Name extends string>(
  { operation, tool, symbol = null, timeframe, market, runs = [] }: Facts & { readonly operation: Name },
  results: readonly OperationRow[],
  { summary, notes, symbols, errors = [], as_of }: Told,
) {
  const each = <T>(values: readonly (T | null)[]): T[] => [...new Set(values.filter((one) => one !== null))];
  const times = results.map((row) => row.as_of).sort();
  return {
    ok: true as const,
    operation,
    symbol,
    symbols: [...(symbols ?? each(symbol === null ? results.map((row) => row.symbol) : [symbol]))],
    timeframe: timeframe ?? null,
    count: results.length,
    results: results.map(shortened),
    errors: [...errors],
    summary,
    notes: [...notes],
    ...(results.some(({ signal }) => signal === undefined) && {
      outside_text: OPERATION_WORDS,
    }),
    provenance: {
      tools: [tool],
      sources: each(results.map(({ source }) => source)),
      runs: runs.map(({ run_id, universe, runAt }) => ({ run_id, universe, run_at: runAt })),
    },
    as_of: as_of ?? times.at(-1) ?? null,
    market,
  };
}

const digits = (price: number): number => Number(price.toPrecision(8));

/** The figures of a signal without the dust of arithmetic: scores to a tenth, levels to eight digits. */
const shortened = ({ signal, ...row }: OperationRow): OperationRow =>
  signal === undefined
    ? row
    : {
        ...row,
        signal: {
          ...signal,
          score: signal.score === null ? null : rounded(signal.score, 1),
          entry: digits(signal.entry),
          stop: digits(signal.stop),
          target: digits(signal.target),
          rr: Math.floor(100 * signal.rr) / 100,
        },
      };

const COLOUR = { LONG: "green", SHORT: "red", WAIT: "yellow" } as const;
const LONGEST = 120;

/** An operation's answer as a person reads it: the summary, a line a result, what failed and what to know. */
export function operationLines(
  { results, errors, summary, notes, outside_text, as_of }: OperationAnswer,
  paint: Paint,
): string {
  return [
    paint("bold", summary),
    ...(outside_text === undefined ? [] : [paint("dim", QUOTED)]),
    ...results.map((row) => lineOf(row, paint)),
    ...errors.map(
      ({ symbol, code, message }) => `${shown(symbol)}  ${paint("yellow", code)}  ${shown(message)}`,
    ),
    ...notes.map((note) => paint("yellow", shown(note))),
    ...(as_of === null ? [] : [paint("dim", `as of ${as_of}`)]),
  ].join("\n");
}

/** What was typed, fit to show. */
const shown = (text: string): string => plainText(text, 300);

function lineOf({ symbol, signal, story, contract, edge }: OperationRow, paint: Paint): string {
  if (signal !== undefined) {
    const { direction, score, grade, tier, entry, stop, target, rr, levels_basis, price, reasons } = signal;
    const verdict = `${paint(COLOUR[direction], direction.padEnd(6))}${tier.padEnd(8)} score ${score === null ? "none" : score.toFixed(1)}  grade ${grade ?? "none"}`;
    const levels = `entry ${money(entry)}  stop ${money(stop)}  target ${money(target)}  rr ${rr.toFixed(2)}`;
    return [
      `${(symbol ?? "").padEnd(10)}${verdict}  ${levels}${levels_basis === "watch" ? " (to watch)" : ""}  ${paint("dim", price === null ? "no price" : `at ${money(price)}`)}`,
      ...(reasons ?? []).map((reason) => `  ${reason}`),
    ].join("\n");
  }
  if (story !== undefined) {
    const { title, publisher, published_at, sentiment, score } = story;
    const mark = sentiment === null || score === null ? "abstains" : `${sentiment} ${score.toFixed(2)}`;
    const by = publisher === null ? "unnamed" : quoted(publisher, LONGEST);
    return `${published_at.slice(0, 16)}Z  ${mark.padEnd(14)}  ${quoted(title, LONGEST)} ${paint("dim", `(${by})`)}`;
  }
  if (edge !== undefined) {
    const { type, score, actionability, market_probability, news_probability, divergence, question } = edge;
    const sides = `markets ${percent(market_probability)}  news ${percent(news_probability)}`;
    const verdict = divergence === null ? "no divergence" : `${divergence} points, score ${score ?? "none"}`;
    const of = question === null ? "" : `  ${quoted(question, LONGEST)}`;
    return `${(symbol ?? "").padEnd(10)}${paint("bold", type ?? "no verdict")}  ${verdict}, ${actionability}  ${sides}${of}`;
  }
  if (contract === undefined) return symbol ?? "";
  const { venue, question, outcome, probability, volume_total, volume_unit } = contract;
  const share = percent(probability === null ? null : 100 * probability).padStart(6);
  const volume = volume_total === null ? "volume unknown" : `${Math.round(volume_total)} ${volume_unit}`;
  const answer = outcome === "Yes" ? "" : `  ${quoted(outcome, LONGEST)}`;
  return `${paint("bold", share)}  ${venue}  ${quoted(question, LONGEST)}${answer}  ${paint("dim", volume)}`;
}

const percent = (value: number | null): string => (value === null ? "?" : `${value.toFixed(1)}%`);
