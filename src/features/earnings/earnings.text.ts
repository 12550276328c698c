import { amount } from "../../analytics/earnings/points.ts";
import type { MarketDay, NextReportRow } from "../../domain/earnings/calendar.ts";
import type { EarningsCard, ScheduledReport, Surprise } from "../../domain/earnings/earnings.ts";
import type { MarketEvent } from "../../domain/market-events/market-events.ts";
import { QUOTED_TEXT_NOTICE, quoted } from "../../domain/outside-text.ts";
import { formatScore } from "../../domain/signal/score.text.ts";
import type { Paint } from "../../domain/terminal.ts";
import type { MissingField } from "./missing.ts";

interface CardAnswer extends EarningsCard {
  readonly missing: readonly MissingField[];
  readonly notes: readonly string[];
}

const GOOD = new Set(["STRONG_BEAT", "BEAT"]);
const BAD = new Set(["STRONG_MISS", "MISS"]);

export function formatEarnings(answer: CardAnswer, paint: Paint): string {
  const { symbol, period, signal, signalScore, eps, revenue, guidance, next } = answer;
  const colour = signal === null ? "dim" : GOOD.has(signal) ? "green" : BAD.has(signal) ? "red" : "yellow";
  const score = signalScore === null ? "" : `, score ${formatScore(signalScore)} of 100`;
  const report =
    period === null
      ? "no report"
      : `${period}${answer.reportDate === null ? "" : `, reported ${answer.reportDate}`}`;
  return [
    `${paint("bold", symbol)} has ${signal === null ? paint(colour, "no earnings signal") : `the earnings signal ${paint(colour, signal)}`} (${report})${score}.`,
    row("EPS", formatSurprise(eps)),
    row("revenue", formatSurprise(revenue)),
    row("guidance", formatSurprise(guidance)),
    ...(next === null ? [] : [row("next", formatNext(next))]),
    ...answer.bullishPoints.map((point) => row("for", paint("green", point))),
    ...answer.bearishPoints.map((point) => row("against", paint("red", point))),
    ...answer.missing.map(({ field, reason }) => row("missing", paint("dim", `${field}: ${reason}`))),
    ...answer.notes.map((note) => row("note", note)),
    row("source", answer.dataSource === null ? "none" : `${answer.dataSource}, ${answer.fetchedAt}`),
  ].join("\n");
}

const row = (name: string, text: string): string => `  ${name.padEnd(10)}${text}`;

const formatNext = ({ date, hour, confirmed }: ScheduledReport): string =>
  `${date} ${hour.replace("_", " ")}${confirmed ? "" : ", not confirmed"}`;

const formatSurprise = ({ actual, estimate, surprisePct, surprise_of, result }: Surprise): string =>
  `${formatValue(actual)} against ${formatValue(estimate)}${result === null ? "" : `  ${result} ${surprisePct! > 0 ? "+" : ""}${surprisePct}% of the ${surprise_of}`}`;

const formatValue = (value: number | null): string => (value === null ? "-" : amount(value));

/** Formats an event without its date. */
function formatEvent({ symbol, name, amount, detail, at, until }: MarketEvent, paint: Paint): string {
  const times = at === null ? "" : `  ${at}${until === null ? "" : ` to ${until}`}`;
  return `${paint("bold", (symbol ?? "-").padEnd(7))}${amount === null ? "" : `${formatValue(amount)}  `}${detail}${times}${name === null ? "" : `  ${quoted(name, 40)}`}`;
}

interface CalendarAnswer {
  readonly events: readonly MarketEvent[];
  readonly from: string;
  readonly to: string;
  readonly earnings: readonly ScheduledReport[];
  readonly market_days: readonly MarketDay[];
  readonly next_reports: readonly NextReportRow[];
  readonly notes: readonly string[];
  readonly dataSource: string | null;
}

/** Formats a calendar by date: one line per report or holiday. */
export function formatEarningsCalendar(answer: CalendarAnswer, paint: Paint): string {
  const reports = answer.earnings.map((one) => ({
    date: one.date,
    text: `${one.symbol.padEnd(7)}${one.hour.replace("_", " ").padEnd(15)}EPS ${formatValue(one.eps_actual)} against ${formatValue(one.eps_estimate)}  ${one.name === null ? "" : quoted(one.name, 40)}${one.confirmed ? "" : paint("dim", " date not confirmed")}`,
  }));
  const days = answer.market_days.map(({ date, kind, name }) => ({
    date,
    text: paint("yellow", `${kind === "half" ? "exchanges close at 13:00" : "exchanges closed"}: ${name}`),
  }));
  const events = answer.events.map((event) => ({ date: event.date, text: formatEvent(event, paint) }));
  const lines = [...reports, ...events, ...days].sort((a, b) =>
    a.date < b.date ? -1 : a.date > b.date ? 1 : 0,
  );
  return [
    `${paint("bold", "calendar")} ${answer.from} to ${answer.to}`,
    formatTradingHours(answer),
    ...([...answer.earnings, ...answer.events].some(({ name }) => name !== null)
      ? [paint("dim", `  ${QUOTED_TEXT_NOTICE}`)]
      : []),
    ...lines.map(({ date, text }) => `  ${date}  ${text}`),
    ...(lines.length === 0 ? ["  no events or holidays"] : []),
    ...answer.next_reports.map(
      ({ symbol, date, hour, confirmed, reason }) =>
        `  next report of ${symbol}: ${date === null ? `unknown, ${reason}` : `${date} ${hour!.replace("_", " ")}${confirmed === true ? "" : ", date not confirmed"}`}`,
    ),
    ...answer.notes.map((note) => `  ${paint("dim", note)}`),
    `  source ${answer.dataSource ?? "none for the dates"}`,
  ].join("\n");
}

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Formats the hours of US exchanges on the first day of a calendar; later closures are among its lines. */
function formatTradingHours({ from, market_days }: Pick<CalendarAnswer, "from" | "market_days">): string {
  const weekday = WEEKDAYS[new Date(`${from}T00:00:00Z`).getUTCDay()]!;
  const special = market_days.find(({ date }) => date === from);
  const day = `${weekday}, ${from}${special === undefined ? "" : ` (${special.name})`}`;
  const exchanges =
    special?.kind === "closed" || /^S/.test(weekday)
      ? `US exchanges are closed on ${day}.`
      : `US exchanges trade on ${day}, from 09:30 to ${special?.kind === "half" ? "13:00" : "16:00"} New York time.`;
  return `${exchanges} Crypto trades at all hours.`;
}
