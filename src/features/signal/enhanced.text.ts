import { DIRECTION_THRESHOLD, type PartName } from "../../analytics/enhanced/composite.ts";
import { formatGrade } from "../../domain/signal/grade.text.ts";
import { formatScore } from "../../domain/signal/score.text.ts";
import type { Paint } from "../../domain/terminal.ts";
import type { Enhanced } from "./enhanced-parts.ts";
import { type AnswerNotes, splitNotes } from "./notes.ts";

const DIRECTION_TEXT = { up: "bullish", down: "bearish", flat: "neutral" } as const;

/** Explains the composite: one sentence per part and one on their agreement. */
export function formatReasons({ composite, technical, markets, news }: Enhanced): string[] {
  const { agreement, score, direction } = composite;
  return [
    head("Technical", technical) ??
      `Technical ${formatPart(technical)}: price groups of the signal ${technical.signal.direction}${technical.signal.grade === null ? "" : `, ${formatGrade(technical.signal)}`}, excluding prints, options, news and markets`,
    head("Markets", markets) ??
      `Markets ${formatPart(markets)}: ${markets.venues.join(", ")} give ${markets.market_probability}%, price and volatility imply ${markets.neutral_probability}% (${markets.kind === "at" ? "above" : "reaching"} $${markets.level}, until ${markets.by?.slice(0, 10)})`,
    head("News", news) ??
      `News ${formatPart(news)}: ${news.positive} positive, ${news.neutral} neutral, ${news.negative} negative of ${news.scored} scored in 7 days, ${news.publishers} ${news.publishers === 1 ? "publisher" : "publishers"}`,
    agreement === null
      ? score === null
        ? "No composite: the available parts have less than half of the weight"
        : "Only one part is available, so there is no agreement to compute"
      : `${countOf(agreement.same_way, agreement.of)} ${DIRECTION_TEXT[agreement.way]}${formatDirection(agreement.way, direction, agreement.same_way)}`,
  ];
}

/** Relates the agreement of the parts to the direction of the composite. */
function formatDirection(
  way: "up" | "down" | "flat",
  direction: EnhancedView["direction"],
  same: number,
): string {
  if (way === "flat") return same === 0 ? "; the composite is" : ", as the composite is";
  if (direction !== "WAIT") return ", as the composite is";
  const [verdict, least] =
    way === "up" ? ["LONG", 50 + 50 * DIRECTION_THRESHOLD] : ["SHORT", 50 - 50 * DIRECTION_THRESHOLD];
  return `; the composite leans that way, but not enough for ${verdict}, which starts at ${least}`;
}

/** Names the missing parts that prevent a composite. */
export const missingReason = ({ technical, markets, news }: Enhanced): string =>
  `The available parts have less than half of the weight. ${[
    head("Technical", technical),
    head("Markets", markets),
    head("News", news),
  ]
    .filter((one) => one !== null)
    .join("; ")}`;

const countOf = (some: number, all: number): string =>
  some === 0
    ? `None of the ${all} parts is`
    : some === all
      ? `All ${all} parts are`
      : `${some} of ${all} parts ${some === 1 ? "is" : "are"}`;

const head = (
  name: string,
  { score, reason }: { readonly score: number | null; readonly reason: string | null },
) => (score === null ? `${name} missing: ${reason}` : null);

const formatPart = ({ way, score, weight }: Enhanced[PartName]): string =>
  `${DIRECTION_TEXT[way ?? "flat"]} at ${score?.toFixed(1)}, weight ${weight.toFixed(2)}`;

interface EnhancedView extends AnswerNotes {
  readonly symbol: string;
  readonly timeframe: string;
  readonly direction: "LONG" | "SHORT" | "WAIT";
  readonly score: number | null;
  readonly null_reason: string | null;
  readonly reasons: readonly string[];
  readonly as_of: string;
  readonly technical: { readonly stale: boolean };
  readonly markets: { readonly stale: boolean };
  readonly news: { readonly stale: boolean };
}
const COLOUR = { LONG: "green", SHORT: "red", WAIT: "dim" } as const;

export function formatEnhanced(answer: EnhancedView, paint: Paint): readonly string[] {
  const { symbol, timeframe, direction, score, null_reason, reasons, as_of } = answer;
  const stale = (["technical", "markets", "news"] as const).filter((name) => answer[name].stale);
  const { first, others } = splitNotes(answer);
  return [
    ...first.map((note) => paint("yellow", note)),
    `${paint("bold", symbol)} is ${paint(COLOUR[direction], direction)} on ${timeframe} bars: ${score === null ? "no composite score" : `composite score ${formatScore(score)} of 100`}.`,
    ...(null_reason === null ? [] : [paint("yellow", null_reason)]),
    ...reasons.map((reason) => `  ${reason}`),
    ...others.map((note) => paint("yellow", note)),
    ...stale.map((name) => paint("yellow", `STALE: the last known data of ${name} is used`)),
    paint("dim", `as of ${as_of}; get_signal gives entry, stop and targets`),
  ];
}
