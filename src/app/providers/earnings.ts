import type { Kysely } from "kysely";
import type { EarningsProvider, FilingsProvider, ReportDayProvider } from "../../domain/earnings/provider.ts";
import type { MarketCache } from "../../domain/market/market-cache-port.ts";
import type { Earnings, Log, Symbols } from "../../domain/ports.ts";
import { liveEarnings } from "../../features/earnings/live/earnings.ts";
import { createEarningsRefresh } from "../../features/earnings/live/earnings-refresh.ts";
import { alphavantageEarnings } from "../../providers/alphavantage/earnings.ts";
import { finnhubEarnings, finnhubReportDays } from "../../providers/finnhub/earnings.ts";
import { nasdaqEarnings } from "../../providers/nasdaq/earnings.ts";
import { nasdaqReportDays } from "../../providers/nasdaq/report-days.ts";
import { secFilings } from "../../providers/sec/filings.ts";
import { yahooEarnings } from "../../providers/yahoo/earnings.ts";
import { estimateRepository } from "../../store/earnings/estimate-repository.ts";
import type { Schema } from "../../store/schema.ts";
import { KEY_SETTINGS } from "./key-settings.ts";
import { lastSession, PROBE_STOCK } from "./probe-stock.ts";
import { type ProviderFactory, type ProviderOptions, withKey } from "./provider-factory.ts";

/** A first question takes a cookie, a crumb and an answer. */
const TIMEOUT_MS = 5_000;
/** Filings of a large company take ten megabytes and more. */
const FILINGS_MS = 10_000;
const WEEK_MS = 7 * 86_400_000;
/** Companies followed at most. */
const FOLLOWED = 40;

export interface EarningsDeps {
  readonly db: Kysely<Schema>;
  /** Names the market whose estimates are remembered. */
  readonly market: string;
  readonly log: Log;
  /** Companies to follow: those requested within a week. */
  readonly memory: Pick<MarketCache, "recentSymbols">;
  readonly symbols: Pick<Symbols, "find">;
}

/** Earnings of the live market and the round of upkeep that keeps them within an hour of a release. */
export interface LiveEarnings {
  readonly earnings: Earnings;
  readonly upkeep: (signal: AbortSignal) => () => Promise<number>;
}

/**
 * Who is asked, in order: one call that tells EPS and revenue, then who tells what is ahead too; the last has few calls
 * a day. Filings are asked for beside, whole days of the calendar by themselves.
 */
export function earningsPort(kit: ProviderFactory, lent: EarningsDeps): LiveEarnings {
  const { create: on, config, now, clock } = kit;
  const { db, market, log, memory, symbols } = lent;
  const { FINNHUB_TOKEN, SEC_CONTACT, ALPHAVANTAGE_KEY } = config;
  const told: ProviderOptions<EarningsProvider> = {
    content: "earnings",
    timeoutMs: TIMEOUT_MS,
    check: (source, signal) => source.call(PROBE_STOCK, { signal }),
  };
  const days: ProviderOptions<ReportDayProvider> = {
    content: "report dates",
    timeoutMs: TIMEOUT_MS,
    check: (source, signal) => source.call({ date: lastSession(now()) }, { signal }),
  };
  const filed: ProviderOptions<FilingsProvider> = {
    content: "filings",
    timeoutMs: FILINGS_MS,
    check: (source, signal) => source.call(PROBE_STOCK, { signal }),
  };
  const sources = {
    earnings: [
      ...on(
        "finnhub",
        withKey(FINNHUB_TOKEN, (token, setup) => finnhubEarnings({ ...setup, token, now })),
        told,
      ),
      ...on("yahoo", (setup) => yahooEarnings({ ...setup, now }), told),
      ...on("nasdaq", nasdaqEarnings, told),
      ...on(
        "alphavantage",
        withKey(ALPHAVANTAGE_KEY, (key, setup) => alphavantageEarnings({ ...setup, key })),
        told,
      ),
    ],
    filings: on(
      "sec",
      withKey(SEC_CONTACT, (contact, setup) => secFilings({ ...setup, contact, now })),
      filed,
    ),
    days: [
      ...on(
        "finnhub",
        withKey(FINNHUB_TOKEN, (token, setup) => finnhubReportDays({ ...setup, token, now })),
        days,
      ),
      ...on("nasdaq", nasdaqReportDays, days),
    ],
  };
  const earnings = liveEarnings({
    providers: sources,
    book: estimateRepository({ db, market }),
    clock,
    log,
    settings: KEY_SETTINGS,
    connects: {
      ...(sources.filings.length === 0 && {
        filings: "SEC_CONTACT connects what companies file with the SEC",
      }),
      ...(sources.earnings.every(({ provider: source }) => source.name !== "finnhub") && {
        estimates: "FINNHUB_TOKEN connects what was expected of revenue",
      }),
    },
  });
  const followed = async () =>
    (await memory.recentSymbols(now() - WEEK_MS, FOLLOWED)).flatMap(
      (symbol) => symbols.find(symbol)?.instrument ?? [],
    );
  return {
    earnings,
    upkeep: (signal) => createEarningsRefresh({ earnings, clock, followed, signal }),
  };
}
