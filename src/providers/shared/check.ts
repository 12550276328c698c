import { PROVIDER_TIMEFRAMES, type ProviderTimeframe } from "../../domain/market/bars.ts";
import type { AssetClass, Instrument } from "../../domain/market/market.ts";
import {
  type FailureKind,
  type PriceProvider,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import { marketStateAt } from "../../market/calendar/calendar.ts";
import { sanitizeBars } from "../../market/prices/sanitize-bars.ts";
import { validateQuote } from "../../market/prices/validate-quote.ts";
import { startsOf, windowStart } from "../../market/prices/windows.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Number of daily bars requested. */
const DAILY_BARS = 30;
const INTRADAY_BARS = 40;
/** Maximum age of a quote, ms. US markets are closed for at most four days, crypto never. */
const MAX_QUOTE_AGE_MS = { equity: 5 * DAY, etf: 5 * DAY, crypto: 15 * MINUTE } as const satisfies Record<
  AssetClass,
  number
>;
/** Maximum lag of the newest bar behind the trading calendar, ms. */
const MAX_BAR_LAG_MS = 5 * DAY;
/** Maximum share of the calendar's bars that may be missing within the series. */
const MAX_MISSING_SHARE = 0.1;
/** Maximum relative distance of the latest price from the newest daily close. */
const MAX_CLOSE_DEVIATION = 0.3;
const FATAL_FAILURES: ReadonlySet<FailureKind> = new Set(["rate_limited", "auth", "blocked", "timeout"]);
/** Number of consecutive failures that ends the check. */
const MAX_CONSECUTIVE_FAILURES = 3;

/** Result of one check; a `note` deserves attention but is not a failure. */
export interface CheckResult {
  /** Provider, symbol and kind of data, for example `yahoo AAPL 1h`. */
  readonly name: string;
  readonly state: "ok" | "note" | "fail";
  readonly detail: string;
}

export interface CheckOptions {
  /** Instruments with frequent trades; instruments not served by the provider are skipped. */
  readonly instruments: readonly Instrument[];
  readonly signal: AbortSignal;
  /** Returns the current time, epoch ms. */
  readonly now: () => number;
}

type Outcome = Pick<CheckResult, "state" | "detail"> & { readonly kind?: FailureKind };
interface Check {
  readonly name: string;
  readonly run: () => Promise<Outcome>;
}

/**
 * Checks a real service: a recent price, valid bars of each timeframe, and no data for an unlisted symbol. Never rejects:
 * failures are returned as results. Makes one call at a time, and stops after a refusal, several failures in a row, or
 * the end of the signal.
 */
export async function checkProvider(
  provider: PriceProvider,
  options: CheckOptions,
): Promise<readonly CheckResult[]> {
  const served = options.instruments.filter(({ asset_class }) => provider.serves.has(asset_class));
  const unlistedClasses = new Map(served.map(({ asset_class }) => [suffixOf(asset_class), asset_class]));
  const checks = [
    ...served.flatMap((instrument) => marketDataChecks(provider, instrument, options)),
    ...[...unlistedClasses.values()].flatMap((assetClass) =>
      unlistedSymbolChecks(provider, unlistedInstrument(assetClass), options),
    ),
  ];
  const findings: CheckResult[] = [];
  let failures = 0;
  for (const { name, run } of checks) {
    const { state, detail, kind } = await outcomeOf(run);
    if (options.signal.aborted) break; // the request failed because of the caller
    findings.push({ name: `${provider.name} ${name}`, state, detail });
    failures = kind === undefined ? 0 : failures + 1;
    if ((kind !== undefined && FATAL_FAILURES.has(kind)) || failures === MAX_CONSECUTIVE_FAILURES) break;
  }
  return findings;
}

async function outcomeOf(run: Check["run"]): Promise<Outcome> {
  try {
    return await run();
  } catch (cause) {
    if (!(cause instanceof ProviderFailure)) return fail("unexpected error");
    return { ...fail(`${cause.kind}: ${cause.message}`), kind: cause.kind };
  }
}

const ok = (detail: string): Outcome => ({ state: "ok", detail });
const note = (detail: string): Outcome => ({ state: "note", detail });
const fail = (detail: string): Outcome => ({ state: "fail", detail });

/** Checks the bars of each timeframe, then the price, which is compared with the newest daily close. */
function marketDataChecks(
  provider: PriceProvider,
  instrument: Instrument,
  { signal, now }: CheckOptions,
): readonly Check[] {
  const { symbol, asset_class: assetClass } = instrument;
  let newestClose: number | null = null;

  async function bars(timeframe: ProviderTimeframe): Promise<Outcome> {
    const at = now();
    const known = at - (provider.barDelayMinutes ?? provider.delayMinutes) * MINUTE;
    const wanted = windowStart(timeframe, timeframe === "1d" ? DAILY_BARS : INTRADAY_BARS, known, assetClass);
    const from = Math.max(wanted, at - provider.reaches[timeframe]! * DAY);
    const given = await provider.history!(instrument, { timeframe, from, until: at, signal });
    const { time, close } = sanitizeBars(given, { assetClass, timeframe, at: known }).bars;
    if (timeframe === "1d") newestClose = close.at(-1) ?? null;
    return compareWithCalendar(time, startsOf(timeframe, { from, until: known }, assetClass));
  }

  async function checkQuote(): Promise<Outcome> {
    const at = now();
    const { price, tradedAt } = validateQuote(await provider.latest!(instrument, { signal }), provider, at);
    const quote = `${price} USD, traded ${iso(tradedAt)}`;
    const age = at - tradedAt - provider.delayMinutes * MINUTE;
    if (age > MAX_QUOTE_AGE_MS[assetClass]) return fail(`too old: ${quote}`);
    if (newestClose !== null && Math.abs(price / newestClose - 1) > MAX_CLOSE_DEVIATION)
      return fail(`${quote}, far from the provider's own newest daily close of ${newestClose} USD`);
    const trading = ["regular", "always_open"].includes(marketStateAt(at, assetClass));
    return trading && age > provider.liveWithinMs
      ? note(`not live while the market is open: ${quote}`)
      : ok(quote);
  }

  return [
    ...timeframesOf(provider).map((length) => ({ name: `${symbol} ${length}`, run: () => bars(length) })),
    ...(provider.latest === undefined ? [] : [{ name: `${symbol} quote`, run: checkQuote }]),
  ];
}

function compareWithCalendar(times: Float64Array, expected: readonly number[]): Outcome {
  const newest = times.at(-1);
  const due = expected.at(-1);
  if (newest === undefined || due === undefined) return fail("no closed bars");
  const last = `newest ${iso(newest)}`;
  if (due - newest > MAX_BAR_LAG_MS) return fail(`${last}, but the closed bar of ${iso(due)} is missing`);
  const had = new Set(times);
  const between = expected.filter((time) => time <= newest);
  const missing = between.filter((time) => !had.has(time));
  const counted = `${between.length - missing.length} of ${between.length} bars, ${last}`;
  if (missing.length > between.length * MAX_MISSING_SHARE)
    return fail(`${counted}; first missing: ${iso(missing[0]!)}`);
  if (missing.length > 0) return note(`${counted}; first missing: ${iso(missing[0]!)}`);
  return due > newest ? note(`${counted}, but the closed bar of ${iso(due)} is missing`) : ok(counted);
}

/** Checks that an unlisted symbol has no data. */
function unlistedSymbolChecks(
  provider: PriceProvider,
  unlisted: Instrument,
  { signal, now }: CheckOptions,
): readonly Check[] {
  const checkRefusal = async (request: () => Promise<boolean>): Promise<Outcome> => {
    try {
      return (await request()) ? fail("it returns data for an unlisted symbol") : ok("no data");
    } catch (cause) {
      if (cause instanceof ProviderFailure && ["unknown_symbol", "unsupported"].includes(cause.kind))
        return ok(cause.kind === "unsupported" ? "not supported, as expected" : "unknown, as expected");
      throw cause;
    }
  };
  const quote = async () => (await provider.latest!(unlisted, { signal })) !== null;
  const bars = (timeframe: ProviderTimeframe) => async () => {
    const range = { timeframe, from: now() - 5 * DAY, until: now() };
    return (await provider.history!(unlisted, { ...range, signal })).bars.length > 0;
  };
  const requests = [
    ...(provider.latest === undefined ? [] : [{ what: "quote", request: quote }]),
    ...timeframesOf(provider)
      .slice(0, 1)
      .map((length) => ({ what: length, request: bars(length) })),
  ];
  return requests.map(({ what, request }) => ({
    name: `${unlisted.symbol} ${what}`,
    run: () => checkRefusal(request),
  }));
}

const timeframesOf = (provider: PriceProvider): readonly ProviderTimeframe[] =>
  provider.history === undefined
    ? []
    : PROVIDER_TIMEFRAMES.filter((length) => provider.reaches[length] !== undefined);

const suffixOf = (assetClass: AssetClass): string => (assetClass === "crypto" ? "-USD" : "");

const unlistedInstrument = (assetClass: AssetClass): Instrument => ({
  symbol: `ZZQXQ${suffixOf(assetClass)}`,
  name: "Unlisted symbol",
  asset_class: assetClass,
  sector: null,
  currency: "USD",
});

const iso = (epochMs: number): string => new Date(epochMs).toISOString();
