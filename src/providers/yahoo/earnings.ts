import type { z } from "zod";
import {
  blankReport,
  type EarningsReport,
  type ReportHour,
  type ScheduledReport,
} from "../../domain/earnings/earnings.ts";
import {
  calendarQuarter,
  type EarningsProvider,
  type ProviderEarnings,
} from "../../domain/earnings/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { newYorkDate, newYorkDay, newYorkOffsetMs } from "../../lib/newyork.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { type CrumbSetup, createCrumbClient, rethrowAuthAsBlocked } from "./crumb.ts";
import { Answer, type Events, Result } from "./earnings-wire.ts";

const NAME = "yahoo";
const MODULES = "earningsHistory,earnings,calendarEvents,price";
const DAY = 86_400_000;
const HOUR = 3_600_000;
/** A report comes within so many days of its quarter's end. */
const MAX_REPORT_LAG_MS = 110 * DAY;

/**
 * Yahoo's EPS against what was expected, four quarters, as analysts count on both sides, revenue as reported, the date
 * of the next report and what is expected of it. What was expected of revenue before is told by nobody without a key:
 * it has to be remembered. Undocumented; three calls for the first question and one for each after it.
 */
export function yahooEarnings(setup: CrumbSetup): EarningsProvider {
  const { json } = createCrumbClient(setup);
  return {
    name: NAME,
    budget: { calls: 20, perMs: 60_000, atOnce: 2 },
    async call(instrument, { signal }) {
      if (instrument.asset_class !== "equity")
        throw new ProviderFailure("unsupported", "companies alone report");
      const symbol = usTicker(instrument, "-");
      const query = { formatted: "false", modules: MODULES };
      const { status, body } = await json(`/v10/finance/quoteSummary/${symbol}`, {
        query,
        signal,
        accept: [404],
      }).catch(rethrowAuthAsBlocked);
      const answer = Answer.safeParse(body);
      if (!answer.success)
        throw new ProviderFailure("malformed", "another answer than expected", { cause: answer.error });
      const { result, error } = answer.data.quoteSummary;
      if (status === 404 && error !== null)
        throw new ProviderFailure("unknown_symbol", "it has no earnings of it");
      const read = Result.safeParse(result?.[0]);
      if (status !== 200 || error !== null || !read.success)
        throw new ProviderFailure("malformed", "another answer than expected", { cause: read.error });
      if (read.data.price !== undefined && read.data.price.symbol !== symbol)
        throw new ProviderFailure("malformed", "an answer about another symbol");
      return earningsOf(read.data, instrument.symbol);
    },
  };
}

function earningsOf(
  { earningsHistory, earnings, calendarEvents }: z.infer<typeof Result>,
  symbol: string,
): ProviderEarnings {
  const { earningsChart: chart, financialsChart, financialCurrency } = earnings;
  const inDollars = financialCurrency === "USD";
  const quarters = earningsHistory.history.flatMap((row) => {
    const { epsActual, epsEstimate, quarter, currency } = row;
    if (epsActual === null || quarter === null || (currency ?? "USD") !== "USD") return [];
    // quarters have names in the charts alone, and the same figures
    const named = chart.quarterly.find(
      ({ actual, estimate }) => actual === epsActual && (estimate ?? null) === epsEstimate,
    );
    const end = new Date(quarter * 1_000).toISOString().slice(0, 10);
    const revenue = financialsChart.quarterly.find(({ date }) => date === named?.date)?.revenue ?? null;
    return [{ end, period: periodOf(named?.date) ?? calendarQuarter(end), epsActual, epsEstimate, revenue }];
  });
  quarters.sort((a, b) => (a.end < b.end ? 1 : -1));
  const called = calendarEvents?.earnings.earningsCallDate[0];
  const reports = quarters.map((quarter, i): EarningsReport => {
    const { end, period, epsActual, epsEstimate, revenue } = quarter;
    const since = called === undefined ? -1 : called - Date.parse(end);
    const figure = (value: number | null, basis: "adjusted" | "reported") =>
      value === null ? null : { value, basis, by: NAME };
    return {
      ...blankReport(period),
      periodEnd: end,
      reportDate:
        i === 0 && called !== undefined && since > 0 && since < MAX_REPORT_LAG_MS
          ? newYorkDate(called)
          : null,
      eps: { actual: figure(epsActual, "adjusted"), estimate: figure(epsEstimate, "adjusted") },
      revenue: { actual: inDollars ? figure(revenue, "reported") : null, estimate: null },
    };
  });
  const { currentQuarterEstimateDate: quarter, currentQuarterEstimateYear: year } = chart;
  const period = periodOf(`${quarter ?? ""}${year ?? ""}`);
  return {
    reports,
    next: calendarEvents === undefined ? null : nextOf(calendarEvents, { symbol, period, inDollars }),
  };
}

function nextOf(
  { earnings }: z.infer<typeof Events>,
  {
    symbol,
    period,
    inDollars,
  }: { readonly symbol: string; readonly period: string | null; readonly inDollars: boolean },
): ScheduledReport | null {
  const [at] = earnings.earningsDate;
  if (at === undefined) return null;
  const confirmed = earnings.isEarningsDateEstimate === false && earnings.earningsDate.length === 1;
  return {
    symbol,
    name: null,
    date: newYorkDate(at),
    hour: confirmed ? hourOf(at) : "unknown",
    confirmed,
    period,
    eps_estimate: earnings.earningsAverage ?? null,
    eps_actual: null,
    revenue_estimate: inDollars ? (earnings.revenueAverage ?? null) : null,
    revenue_actual: null,
  };
}

/** `Q4 2024` of `4Q2024`. */
function periodOf(text: string | undefined): string | null {
  const [, quarter, year] = /^([1-4])Q(\d{4})$/.exec(text ?? "") ?? [];
  return quarter === undefined ? null : `Q${quarter} ${year}`;
}

function hourOf(at: number): ReportHour {
  const clock = at + newYorkOffsetMs(at) - newYorkDay(at);
  if (clock < 9.5 * HOUR) return "before_open";
  return clock < 16 * HOUR ? "during_session" : "after_close";
}
