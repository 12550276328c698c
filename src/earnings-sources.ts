import type { Kysely } from "kysely";
import { type Config, urlSettingOf } from "./config.ts";
import { liveEarnings } from "./market/live/earnings.ts";
import { earningsUpkeep } from "./market/live/earnings-upkeep.ts";
import { type GuardOptions, guard, type Lent } from "./market/live/guard.ts";
import type { Earnings, Log, Symbols } from "./ports/index.ts";
import type { MarketMemory } from "./ports/market-memory.ts";
import { alphavantageEarnings } from "./providers/alphavantage/earnings.ts";
import { finnhubEarnings, finnhubReportDays } from "./providers/finnhub/earnings.ts";
import { nasdaqEarnings, nasdaqReportDays } from "./providers/nasdaq/earnings.ts";
import { secFilings } from "./providers/sec/filings.ts";
import type { SourceSetup } from "./providers/wire.ts";
import { yahooEarnings } from "./providers/yahoo/earnings.ts";
import { estimateBook } from "./store/estimate-book.ts";
import type { Schema } from "./store/schema.ts";
import type { VendorName } from "./vendors.ts";

/** A first question takes a cookie, a crumb and an answer. */
const TIMEOUT_MS = 5_000;
/** What a large company filed takes ten megabytes and more. */
const FILINGS_MS = 10_000;
const WEEK_MS = 7 * 86_400_000;
/** Companies followed at most. */
const FOLLOWED = 40;

export interface EarningsLent extends Pick<GuardOptions, "fetch" | "clock"> {
  readonly db: Kysely<Schema>;
  /** Names the market whose estimates are remembered. */
  readonly market: string;
  readonly log: Log;
  /** Which companies are followed: those asked for within a week. */
  readonly memory: Pick<MarketMemory, "asked">;
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
export function earningsPorts(config: Config, lent: EarningsLent): LiveEarnings {
  const { fetch, clock, db, market, log, memory, symbols } = lent;
  const { FINNHUB_TOKEN: token, SEC_CONTACT: contact, ALPHAVANTAGE_KEY: key } = config;
  const now = () => clock.now().getTime();
  const built = <P>(name: VendorName, make: (setup: SourceSetup) => P) =>
    config.PROVIDERS_OFF.includes(name)
      ? []
      : [({ fetch, heard }: Lent) => make({ fetch, heard, baseUrl: config[urlSettingOf(name)] })];
  const keyed = <P>(
    name: VendorName,
    setting: string | undefined,
    make: (setting: string, setup: SourceSetup) => P,
  ) => (setting === undefined ? [] : built(name, (setup) => make(setting, setup)));
  const patient = { fetch, clock, timeoutMs: TIMEOUT_MS };
  const sources = {
    earnings: [
      ...keyed("finnhub", token, (own, setup) => finnhubEarnings({ ...setup, token: own, now })),
      ...built("yahoo", (setup) => yahooEarnings({ ...setup, now })),
      ...built("nasdaq", nasdaqEarnings),
      ...keyed("alphavantage", key, (own, setup) => alphavantageEarnings({ ...setup, key: own })),
    ].map((build) => guard(build, patient)),
    filings: keyed("sec", contact, (own, setup) => secFilings({ ...setup, contact: own, now })).map((build) =>
      guard(build, { fetch, clock, timeoutMs: FILINGS_MS }),
    ),
    days: [
      ...keyed("finnhub", token, (own, setup) => finnhubReportDays({ ...setup, token: own, now })),
      ...built("nasdaq", nasdaqReportDays),
    ].map((build) => guard(build, patient)),
  };
  const earnings = liveEarnings({ sources, book: estimateBook({ db, market }), clock, log });
  const followed = async () =>
    (await memory.asked(now() - WEEK_MS, FOLLOWED)).flatMap(
      (symbol) => symbols.find(symbol)?.instrument ?? [],
    );
  return {
    earnings,
    upkeep: (signal) => earningsUpkeep({ earnings, clock, followed, signal }),
  };
}
