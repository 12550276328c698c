import type { NewsAggregate, NewsCoverage, NewsRow } from "../../domain/news/news.ts";
import { QUOTED_TEXT_NOTICE, quoted } from "../../domain/outside-text.ts";
import { nextPageLine, type Paint } from "../../domain/terminal.ts";

interface NewsView {
  readonly symbol: string;
  readonly hours: number;
  readonly news: readonly NewsRow[];
  readonly aggregate: NewsAggregate;
  readonly coverage: NewsCoverage;
  readonly source: string | null;
  readonly stale: boolean;
  readonly data_as_of: string | null;
  readonly next_cursor: string | null;
}

const COLOUR = { positive: "green", neutral: "dim", negative: "red" } as const;
/** Maximum length of a headline on a terminal, in characters. */
const MAX_TITLE_LENGTH = 160;

/** Formats news: the counts, then one line per story. Third-party text is shown as plain text. */
export function formatNews(
  { symbol, hours, news, aggregate, coverage, source, stale, data_as_of, next_cursor }: NewsView,
  paint: Paint,
): readonly string[] {
  const origin = `news of ${source ?? "no provider"}, ${hours} hours${data_as_of === null ? "" : ` to ${data_as_of}`}`;
  const notes = coverage.note === null ? [] : [paint("yellow", coverage.note)];
  if (!coverage.covered)
    return [
      `${paint("bold", symbol)} ${paint("dim", origin)}`,
      paint("yellow", coverage.reason ?? "news is unavailable"),
      ...notes,
    ];
  const rows = news.map(({ title, publisher, published_at, sentiment: { label, tone }, also_by }) => {
    const mark = label === null || tone === null ? "no sentiment" : `${label} ${tone.toFixed(2)}`;
    const by = [...(publisher === null ? [] : [publisher]), ...also_by]
      .map((name) => quoted(name, 60))
      .join(", ");
    return `${published_at.slice(0, 16)}Z  ${paint(label === null ? "dim" : COLOUR[label], mark.padEnd(14))}  ${quoted(title, MAX_TITLE_LENGTH)} ${paint("dim", `(${by === "" ? "unnamed" : by})`)}`;
  });
  const { stories, publishers, near_duplicates_removed, positive, neutral, negative, abstained, n_sent } =
    aggregate;
  const score = n_sent === null ? `no score: ${aggregate.reason}` : `score ${n_sent.toFixed(2)}`;
  const counts = `scores from -1 to 1; ${neutral} neutral, ${abstained} without a sentiment, ${publishers} named publisher${publishers === 1 ? "" : "s"}, ${near_duplicates_removed} near-duplicate${near_duplicates_removed === 1 ? "" : "s"} left out`;
  return [
    `${paint("bold", symbol)}: ${stories} ${stories === 1 ? "story" : "stories"}, ${positive} positive, ${negative} negative; ${score}.`,
    ...(stale ? [paint("yellow", "STALE: no provider responds now; this is the last known response")] : []),
    ...notes,
    ...(rows.length === 0 ? [] : [paint("dim", QUOTED_TEXT_NOTICE)]),
    ...rows,
    paint("dim", `${counts}; ${origin}`),
    ...nextPageLine(next_cursor, paint),
  ];
}
