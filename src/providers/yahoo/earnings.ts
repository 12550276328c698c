import { z } from "zod";
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
import { parseBody, readBody } from "../shared/api.ts";
import { companyTicker, figureBy } from "../shared/earnings.ts";
import { EpochSeconds } from "../shared/fields.ts";
import { rowsOf } from "../shared/rows.ts";
import { isoDay } from "../shared/timestamps.ts";
import { type CrumbSetup, crumbApi } from "./crumb.ts";

/** A number, or an object with a number in `raw`; null if there is none. */
const Raw = z
  .union([z.number(), z.object({ raw: z.number().optional() }).transform(({ raw }) => raw ?? null)])
  .nullish()
  .transform((value) => value ?? null);

const History = z.object({
  history: rowsOf(
    z.object({
      epsActual: Raw,
      epsEstimate: Raw,
      quarter: Raw.refine((seconds) => seconds === null || Math.abs(seconds) <= 8.64e12),
      currency: z.string().nullish(),
    }),
  ),
});
const Earnings = z.object({
  earningsChart: z.object({
    quarterly: rowsOf(
      z.object({ date: z.string().max(12), actual: Raw.optional(), estimate: Raw.optional() }),
    ),
    currentQuarterEstimateDate: z.string().max(4).nullish(),
    currentQuarterEstimateYear: z.int().nullish(),
  }),
  financialsChart: z.object({
    quarterly: rowsOf(z.object({ date: z.string().max(12), revenue: Raw.optional() })),
  }),
  financialCurrency: z.string().nullish(),
});
const Events = z.object({
  earnings: z.object({
    earningsDate: z.array(EpochSeconds).default([]),
    earningsCallDate: z.array(EpochSeconds).default([]),
    isEarningsDateEstimate: z.boolean().nullish(),
    earningsAverage: Raw.optional(),
    revenueAverage: Raw.optional(),
  }),
});
/** Summary of one company. */
const Result = z.object({
  earningsHistory: History,
  earnings: Earnings,
  calendarEvents: Events.optional(),
  price: z.looseObject({ symbol: z.string() }).optional(),
});
/** Envelope of every response. */
const Answer = z.object({
  quoteSummary: z.object({
    result: z.array(z.unknown()).nullable(),
    error: z.looseObject({ code: z.string() }).nullable(),
  }),
});

const NAME = "yahoo";
const MODULES = "earningsHistory,earnings,calendarEvents,price";
const DAY = 86_400_000;
const HOUR = 3_600_000;
/** Maximum time from the end of a quarter to its report. */
const MAX_REPORT_LAG_MS = 110 * DAY;

/**
 * Creates the provider of Yahoo's earnings: four quarters of adjusted EPS against estimates, reported revenue, and the
 * next report with its estimates. Estimates of past revenue are not available. The API is undocumented. A request takes
 * one call, or three if cookie and crumb have to be fetched; five more if Yahoo asks for consent first.
 */
export function yahooEarnings(setup: CrumbSetup): EarningsProvider {
  const get = crumbApi(setup);
  return {
    name: NAME,
    budget: { calls: 20, perMs: 60_000, atOnce: 2 },
    async call(instrument, { signal }) {
      const symbol = companyTicker(instrument, "-");
      const query = { formatted: "false", modules: MODULES };
      const { status, body } = await get(`/v10/finance/quoteSummary/${symbol}`, { query, signal });
      const { result, error } = parseBody(Answer, body).quoteSummary;
      if (status === 404 && error !== null)
        throw new ProviderFailure("unknown_symbol", "no earnings for this symbol");
      if (status !== 200 || error !== null) throw new ProviderFailure("malformed", `status ${status}`);
      const summary = await readBody(Result, result?.[0], setup.onUnreadable);
      if (summary.price !== undefined && summary.price.symbol !== symbol)
        throw new ProviderFailure("malformed", "response about another symbol");
      return earningsOf(summary, instrument.symbol);
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
    // only chart entries name their quarter, so a row gets the name of the entry with the same figures
    const named = chart.quarterly.find(
      ({ actual, estimate }) => actual === epsActual && (estimate ?? null) === epsEstimate,
    );
    const end = isoDay(quarter * 1_000);
    const revenue = financialsChart.quarterly.find(({ date }) => date === named?.date)?.revenue ?? null;
    return [{ end, period: periodOf(named?.date) ?? calendarQuarter(end), epsActual, epsEstimate, revenue }];
  });
  quarters.sort((a, b) => (a.end < b.end ? 1 : -1));
  const earningsCallAt = calendarEvents?.earnings.earningsCallDate[0];
  const reports = quarters.map((quarter, i): EarningsReport => {
    const { end, period, epsActual, epsEstimate, revenue } = quarter;
    const since = earningsCallAt === undefined ? -1 : earningsCallAt - Date.parse(end);
    return {
      ...blankReport(period),
      periodEnd: end,
      reportDate:
        i === 0 && earningsCallAt !== undefined && since > 0 && since < MAX_REPORT_LAG_MS
          ? newYorkDate(earningsCallAt)
          : null,
      eps: {
        actual: figureBy(NAME, "adjusted", epsActual),
        estimate: figureBy(NAME, "adjusted", epsEstimate),
      },
      revenue: { actual: inDollars ? figureBy(NAME, "reported", revenue) : null, estimate: null },
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

/** Converts `4Q2024` to `Q4 2024`; null for other text. */
function periodOf(text: string | undefined): string | null {
  const [, quarter, year] = /^([1-4])Q(\d{4})$/.exec(text ?? "") ?? [];
  return quarter === undefined ? null : `Q${quarter} ${year}`;
}

function hourOf(at: number): ReportHour {
  const clock = at + newYorkOffsetMs(at) - newYorkDay(at);
  if (clock < 9.5 * HOUR) return "before_open";
  return clock < 16 * HOUR ? "during_session" : "after_close";
}
