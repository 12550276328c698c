import type { Reader } from "./reader.ts";
import { because, dollars, from, grouped, listed, millions, quotesOf, show, type Teller } from "./told.ts";

/** What headlines say, counted; their words stand apart, marked as others'. */
export const toldNews: Teller = (answer, symbol, brief) => {
  const figures = {
    stories: answer.number("aggregate.stories", 0),
    positive: answer.number("aggregate.positive", 0),
    neutral: answer.number("aggregate.neutral", 0),
    negative: answer.number("aggregate.negative", 0),
    not_judged: answer.number("aggregate.abstained", 0),
    mean_score: answer.number("aggregate.mean_score", 2),
    hours: answer.number("hours", 0),
    newest: answer.moment("news.0.published_at"),
    headlines: quotesOf(answer.list("news"), { text: "title", source: "publisher", most: brief ? 0 : 3 }),
    source: answer.text("source"),
    as_of: answer.moment("data_as_of"),
    reason: answer.reason("coverage.reason"),
  };
  if (figures.stories === null || figures.source === null)
    return {
      figures,
      sentence: `News on ${symbol} cannot be had${because(figures.reason, ": ")}.`,
    };
  const tone =
    figures.mean_score === null
      ? ", none of them judged"
      : `: ${listed([
          `${figures.positive} positive`,
          `${figures.neutral} neutral`,
          `${figures.negative} negative`,
          ...(figures.not_judged === null ? [] : [`${figures.not_judged} not judged`]),
        ])}; the mean sentiment is ${figures.mean_score}`;
  const count = figures.stories === 1 ? "is 1 story" : `are ${figures.stories} stories`;
  return {
    figures,
    sentence:
      figures.stories === 0
        ? `There is no story on ${symbol} in the last ${figures.hours} hours ${from(figures.source, figures.as_of)}.`
        : `There ${count} on ${symbol} in the last ${figures.hours} hours${tone}; the newest is of ${show(figures.newest)} ${from(figures.source, figures.as_of)}.`,
  };
};

const HOURS: Readonly<Record<string, string>> = {
  before_open: "before the open",
  after_close: "after the close",
  during_market: "during the session",
};

/** The newest report and the next. */
export const toldEarnings: Teller = (answer, symbol) => {
  const figures = {
    next: answer.text("next.date"),
    next_hour: answer.text("next.hour"),
    next_confirmed: answer.text("next.date") === null ? null : answer.isTrue("next.confirmed"),
    next_eps_estimate: answer.number("next.eps_estimate", 2),
    period: answer.text("period"),
    reported: answer.text("reportDate"),
    signal: answer.text("signal"),
    eps: answer.number("eps.actual", 2),
    eps_estimate: answer.number("eps.estimate", 2),
    eps_surprise_percent: answer.number("eps.surprisePct"),
    revenue_millions: answer.millions("revenue.actual"),
    revenue_estimate_millions: answer.millions("revenue.estimate"),
    revenue_surprise_percent: answer.number("revenue.surprisePct"),
    source: answer.text("dataSource"),
    as_of: answer.moment("fetchedAt"),
    reason: answer.reason("missing.0.reason"),
  };
  if (figures.next === null && figures.reported === null)
    return {
      figures,
      sentence: `No earnings of ${symbol} are known${because(figures.reason, ": ")}.`,
    };
  const hour = HOURS[figures.next_hour ?? ""];
  const next =
    figures.next === null
      ? `No date is known of the next report of ${symbol}`
      : `${symbol} reports next on ${figures.next}${hour === undefined ? "" : ` ${hour}`}${figures.next_confirmed ? "" : " (unconfirmed)"}${figures.next_eps_estimate === null ? "" : `, with EPS expected at ${dollars(figures.next_eps_estimate)}`}`;
  const last =
    figures.reported === null
      ? ""
      : `; its last report, ${figures.period === null ? "" : `for ${figures.period} `}on ${figures.reported}, ${CAME[figures.signal ?? ""] ?? "is not compared with expectations"}: EPS was ${dollars(figures.eps)} against ${dollars(figures.eps_estimate)} expected, and revenue was ${revenueIn(answer, figures)}`;
  return {
    figures,
    sentence: `${next}${last} ${from(figures.source, figures.as_of)}.`,
  };
};

/** What a report is called, as what it did. */
const CAME: Readonly<Record<string, string>> = {
  BEAT: "beat expectations",
  MISS: "missed expectations",
  IN_LINE: "was in line with expectations",
};

const revenueIn = (
  answer: Reader,
  {
    revenue_millions: actual,
    revenue_estimate_millions: estimate,
  }: { readonly revenue_millions: number | null; readonly revenue_estimate_millions: number | null },
): string =>
  actual === null
    ? `unknown${because(answer.reason("revenue.reason"), ": ")}`
    : `${millions(actual)} against ${estimate === null ? "an unknown estimate" : `${millions(estimate)} expected`}`;

/** Formats the earnings calendar. */
export const toldCalendar: Teller = (answer) => {
  const reports = answer
    .list("earnings")
    .slice(0, SHOWN)
    .map((one) => ({ symbol: one.text("symbol"), date: one.text("date") }));
  const figures = {
    from: answer.text("from"),
    to: answer.text("to"),
    total: answer.number("total", 0),
    first: reports,
    source: answer.text("dataSource"),
    as_of: answer.moment("fetchedAt"),
    reason: answer.number("total", 0) === null ? answer.reason("notes.0") : null,
  };
  const window = `between ${figures.from} and ${figures.to}`;
  const sentence =
    figures.total === null
      ? `Who reports ${window} is not known${because(figures.reason)}.`
      : reports.length === 0
        ? `No company's report is due ${window} ${from(figures.source, figures.as_of)}.`
        : `${figures.total === 1 ? "1 report is" : `${grouped(figures.total)} reports are`} due ${window}, ${figures.total > reports.length ? "the first " : ""}${listed(reports.map(({ symbol, date }) => `${symbol} on ${date}`))} ${from(figures.source, figures.as_of)}.`;
  return { figures, sentence };
};
const SHOWN = 5;
