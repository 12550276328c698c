import type { Reader } from "./reader.ts";
import { because, from, listed, quotesOf, show, type Teller } from "./told.ts";

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
      sentence: `News on ${symbol}: none can be had${because(figures.reason)}.`,
    };
  const tone =
    figures.mean_score === null
      ? "without a judgement"
      : `${figures.positive} positive, ${figures.neutral} neutral, ${figures.negative} negative, ${figures.not_judged === null ? "" : `${figures.not_judged} not judged, `}mean sentiment ${figures.mean_score}`;
  return {
    figures,
    sentence:
      figures.stories === 0
        ? `News on ${symbol}: no story in the last ${figures.hours} hours ${from(figures.source, figures.as_of)}.`
        : `News on ${symbol} in the last ${figures.hours} hours: stories ${figures.stories}, ${tone}, the newest of ${show(figures.newest)} ${from(figures.source, figures.as_of)}.`,
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
      sentence: `Earnings of ${symbol}: none are known${because(figures.reason)}.`,
    };
  const hour = HOURS[figures.next_hour ?? ""];
  const next =
    figures.next === null
      ? "no date of the next report is known"
      : `the next report is due ${figures.next}${hour === undefined ? "" : ` ${hour}`}${figures.next_confirmed ? "" : ", unconfirmed"}${figures.next_eps_estimate === null ? "" : `, EPS estimate ${figures.next_eps_estimate}`}`;
  const last =
    figures.reported === null
      ? ""
      : `; the last, ${show(figures.period)} on ${figures.reported}, was ${show(figures.signal)}: EPS ${show(figures.eps)} against ${show(figures.eps_estimate)} expected, revenue ${revenueIn(answer, figures)}`;
  return {
    figures,
    sentence: `Earnings of ${symbol}: ${next}${last} ${from(figures.source, figures.as_of)}.`,
  };
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
    : `${actual} million USD against ${show(estimate)}`;

/** Who reports. */
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
        ? `No report is due ${window} ${from(figures.source, figures.as_of)}.`
        : `Reports due ${window}: ${figures.total}, the first ${listed(reports.map(({ symbol, date }) => `${symbol} on ${date}`))} ${from(figures.source, figures.as_of)}.`;
  return { figures, sentence };
};
const SHOWN = 5;
