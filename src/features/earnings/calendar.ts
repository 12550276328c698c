import type { NextReportRow } from "../../domain/earnings/calendar.ts";
import type { NextAnswer } from "../../domain/earnings/earnings-port.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { CallOptions, Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { mapConcurrent } from "../../lib/concurrency.ts";
import { dayAfter } from "../../lib/day-after.ts";
import { newYorkDate } from "../../lib/newyork.ts";

const DAY = 86_400_000;
const DEFAULT_DAYS = 14;
const MAX_DAYS = 92;

interface CalendarRequest extends CallOptions {
  /** Names or tickers as typed. Empty: all companies that the provider covers. */
  readonly symbols: readonly string[];
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * Returns reports and market holidays between two dates, and the next report of each symbol, whenever it is. Default: two weeks from today. Rejects with INVALID_INPUT for
 * more than 92 days.
 */
export async function readEarningsCalendar(
  { symbols: names, from, to, signal }: CalendarRequest,
  { symbols, earnings, marketDays, clock }: Pick<Ports, "symbols" | "earnings" | "marketDays" | "clock">,
) {
  const window = windowOf(from, to, clock.now());
  const found = names.map((name) => symbols.resolve(name).instrument);
  const unique = [...new Map(found.map((one) => [one.symbol, one])).values()];
  const companies = unique.filter(({ asset_class }) => asset_class === "equity");
  const requested = names.length === 0 ? null : companies;
  const [answer, next_reports] = await Promise.all([
    earnings.schedule({ instruments: requested, ...window }, { signal }),
    mapConcurrent(
      unique,
      (instrument) => nextReportRow(instrument, signal, { earnings }),
      () => {},
    ),
  ]);
  return {
    ...window,
    answer,
    /** Number of reports found; null if a requested day or company is missing. */
    total: answer.isComplete || requested?.length === 0 ? answer.reports.length : null,
    next_reports: [...next_reports],
    days: marketDays.between(window.from, window.to),
    /** Sentences on symbols that have no earnings, such as funds and tokens. */
    unsupported: unique.filter((one) => !companies.includes(one)).map(noReportsReason),
  };
}

/** Returns the reason why a fund or token has no earnings. */
export const noReportsReason = ({ symbol, asset_class }: Instrument): string =>
  `${symbol} is ${asset_class === "etf" ? "a fund" : "a token"}: only companies report earnings`;

async function nextReportRow(
  instrument: Instrument,
  signal: AbortSignal | undefined,
  ports: Pick<Ports, "earnings">,
): Promise<NextReportRow> {
  const { next, reason } = await nextReport(instrument, { past: undefined, signal }, ports);
  const { date = null, hour = null, confirmed = null } = next ?? {};
  return { symbol: instrument.symbol, date, hour, confirmed, reason };
}

/** Returns the next report of an instrument, as known at a past time or now; without one, the reason. */
export async function nextReport(
  instrument: Instrument,
  { past, signal }: { readonly past: number | undefined; readonly signal: AbortSignal | undefined },
  { earnings }: Pick<Ports, "earnings">,
): Promise<NextAnswer> {
  if (instrument.asset_class !== "equity") return { next: null, reason: noReportsReason(instrument) };
  try {
    return await earnings.next(instrument, { signal, ...(past !== undefined && { asOf: past }) });
  } catch (cause) {
    if (!(cause instanceof ToolError && cause.code === "UPSTREAM_UNAVAILABLE")) throw cause;
    return { next: null, reason: cause.message };
  }
}

/** Returns the first and last date of a request. Default: two weeks from today, one day with `days` 0. */
export function windowOf(from: string | undefined, to: string | undefined, now: Date, days = DEFAULT_DAYS) {
  const today = newYorkDate(now.getTime());
  const first = from ?? (to !== undefined && to < today ? dayAfter(to, -days) : today);
  const last = to ?? dayAfter(first, days);
  const length = (Date.parse(last) - Date.parse(first)) / DAY;
  if (length < 0) throw invalid(`to (${last}) is before from (${first})`, "to must not be before from");
  if (length > MAX_DAYS)
    throw invalid(
      `${first} to ${last} is ${length} days`,
      `from and to may be at most ${MAX_DAYS} days apart`,
    );
  return { from: first, to: last };
}

const invalid = (message: string, allowed: string): ToolError =>
  new ToolError("INVALID_INPUT", message, {
    hint: allowed,
    data: { errors: [{ pointer: "/to", detail: allowed }] },
  });
