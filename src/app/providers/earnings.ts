import type { Kysely } from "kysely";
import type { EarningsProvider, FilingsProvider, ReportDayProvider } from "../../domain/earnings/provider.ts";
import type { MarketCache } from "../../domain/market/market-cache-port.ts";
import type { Log, Symbols } from "../../domain/ports.ts";
import { liveEarnings } from "../../features/earnings/live/earnings.ts";
import { createEarningsRefresh } from "../../features/earnings/live/earnings-refresh.ts";
import { alphavantageEarnings } from "../../providers/alphavantage/earnings.ts";
import { finnhubEarnings, finnhubReportDays } from "../../providers/finnhub/earnings.ts";
import { nasdaqEarnings, nasdaqReportDays } from "../../providers/nasdaq/earnings.ts";
import { secFilings } from "../../providers/sec/filings.ts";
import { yahooEarnings } from "../../providers/yahoo/earnings.ts";
import { estimateRepository } from "../../store/earnings/estimate-repository.ts";
import type { Schema } from "../../store/schema.ts";
import { lastSession, PROBE_STOCK } from "./probe-stock.ts";
import type { ProviderFactory, ProviderOptions } from "./provider-factory.ts";
import { KEY_SETTINGS } from "./provider-terms.ts";

/** Allows for a first Yahoo request, which needs three calls: cookie, crumb and data. */
const TIMEOUT_MS = 5_000;
/** Filings of a large company are ten megabytes or more. */
const FILINGS_TIMEOUT_MS = 10_000;
const WEEK_MS = 7 * 86_400_000;
/** Maximum number of companies whose earnings are refreshed in the background. */
const MAX_FOLLOWED = 40;

export interface EarningsDeps {
  readonly db: Kysely<Schema>;
  /** Id of the market whose estimates are stored. */
  readonly market: string;
  readonly log: Log;
  /** Companies to refresh: those requested within a week. */
  readonly memory: Pick<MarketCache, "recentSymbols">;
  readonly symbols: Pick<Symbols, "find">;
}

/**
 * Creates earnings from the enabled providers, in call order: first the one with EPS and revenue in one request, then
 * those that also have the next report date; the last one allows few calls a day. Filings and whole days of the
 * calendar are requested separately.
 */
export function earningsPort(
  { create, now, clock }: ProviderFactory,
  { db, market, log, memory, symbols }: EarningsDeps,
) {
  const reports: ProviderOptions<EarningsProvider> = {
    content: "earnings",
    timeoutMs: TIMEOUT_MS,
    check: (provider, signal) => provider.call(PROBE_STOCK, { signal }),
  };
  const days: ProviderOptions<ReportDayProvider> = {
    content: "report dates",
    timeoutMs: TIMEOUT_MS,
    check: (provider, signal) => provider.call({ date: lastSession(now()) }, { signal }),
  };
  const filings: ProviderOptions<FilingsProvider> = {
    content: "filings",
    timeoutMs: FILINGS_TIMEOUT_MS,
    check: (provider, signal) => provider.call(PROBE_STOCK, { signal }),
  };
  const providers = {
    earnings: [
      ...create("finnhub", finnhubEarnings, reports),
      ...create("yahoo", yahooEarnings, reports),
      ...create("nasdaq", nasdaqEarnings, reports),
      ...create("alphavantage", alphavantageEarnings, reports),
    ],
    filings: create("sec", ({ key: contact, ...setup }) => secFilings({ ...setup, contact }), filings),
    days: [...create("finnhub", finnhubReportDays, days), ...create("nasdaq", nasdaqReportDays, days)],
  };
  const earnings = liveEarnings({
    providers,
    estimates: estimateRepository({ db, market }),
    clock,
    log,
    settings: KEY_SETTINGS,
    connects: {
      ...(providers.filings.length === 0 && {
        filings: "SEC_CONTACT connects the companies' filings with the SEC",
      }),
      ...(providers.earnings.every(({ provider }) => provider.name !== "finnhub") && {
        estimates: "FINNHUB_TOKEN connects revenue estimates",
      }),
    },
  });
  const followed = async () =>
    (await memory.recentSymbols(now() - WEEK_MS, MAX_FOLLOWED)).flatMap(
      (symbol) => symbols.find(symbol)?.instrument ?? [],
    );
  /** Creates the periodic task that refreshes earnings within an hour of a release. */
  const createRefresh = (signal: AbortSignal) => createEarningsRefresh({ earnings, clock, followed, signal });
  return { earnings, createRefresh };
}
