import { QUOTED_TEXT_NOTICE, quoted } from "../../domain/outside-text.ts";
import type {
  EdgeBands,
  EdgeMarket,
  EdgeNews,
  EdgeTrack,
  EdgeType,
} from "../../domain/prediction-markets/edge.ts";
import type { Paint } from "../../domain/terminal.ts";

interface EdgeView {
  readonly symbol: string;
  readonly type: EdgeType | null;
  readonly score: number | null;
  readonly actionability: string;
  readonly divergence: number | null;
  readonly recommendation: string;
  readonly reasoning: readonly string[];
  readonly markets: EdgeMarket;
  readonly news: EdgeNews;
  readonly track: EdgeTrack;
  readonly bands: EdgeBands;
  readonly as_of: string;
}

const COLOUR = { UNDERPRICED: "green", OVERPRICED: "red", FAIR: "dim" } as const;

/** Formats an edge: the verdict, its reasoning and the track record of both sides. */
export function formatEdge(answer: EdgeView, paint: Paint): readonly string[] {
  const { symbol, type, score, actionability, divergence, markets, track, as_of } = answer;
  const colour = type === null ? "yellow" : COLOUR[type];
  const figures =
    score === null || divergence === null
      ? "no divergence"
      : `${divergence > 0 ? "+" : ""}${divergence} points, score ${score}, ${actionability}`;
  return [
    `${paint("bold", symbol)}: ${paint(colour, answer.recommendation)}`,
    `  ${figures}`,
    ...(markets.question === null ? [] : [paint("dim", QUOTED_TEXT_NOTICE), quoted(markets.question, 120)]),
    ...answer.reasoning.map((line) => `  ${line}`),
    ...(markets.stale ? [staleWarning("markets", paint)] : []),
    ...(answer.news.stale ? [staleWarning("news", paint)] : []),
    paint("dim", formatTrack(track)),
    paint("dim", formatBands(answer.bands)),
    paint("dim", `as of ${as_of}; markets ${markets.source ?? "none"}, news ${answer.news.source ?? "none"}`),
  ];
}

const staleWarning = (name: string, paint: Paint): string =>
  paint("yellow", `STALE: the last known data of ${name} is used`);

const formatBands = (bands: EdgeBands): string =>
  `bands: MEDIUM from ${bands.medium}, HIGH from ${bands.high} points beyond the half-spread, percentiles ${bands.medium_percentile} and ${bands.high_percentile} of ${bands.observations.toLocaleString("en-US")} observations of ${bands.measured_market}${bands.reason === null ? "" : `. ${bands.reason}`}`;

function formatTrack({ brier_market, brier_news, resolved, since, reason }: EdgeTrack): string {
  if (brier_market === null || brier_news === null) return `no track record: ${reason}`;
  return `Brier score over ${resolved} decided questions since ${since?.slice(0, 10)}: markets ${brier_market.toFixed(3)}, news ${brier_news.toFixed(3)} (0 is best)`;
}
