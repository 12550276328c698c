import { TIMEFRAMES, type Timeframe } from "../../domain/market/bars.ts";
import type { AssetClass, Instrument } from "../../domain/market/market.ts";
import {
  type FailureKind,
  type PriceProvider,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import { marketStateAt } from "../../market/calendar/calendar.ts";
import { startsOf } from "../../market/prices/expected.ts";
import { sanitizeBars } from "../../market/prices/sanitize-bars.ts";
import { validateQuote } from "../../market/prices/validate-quote.ts";
import { windowStart } from "../../market/prices/windows.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Bars asked for: thirty sessions of days, some hours to some days of the shorter lengths. */
const DAILY_BARS = 30;
const INTRADAY_BARS = 40;
/** US markets are shut four days at most; crypto never is. */
const MAX_QUOTE_AGE_MS = { equity: 5 * DAY, etf: 5 * DAY, crypto: 15 * MINUTE } as const satisfies Record<
  AssetClass,
  number
>;
/** How far behind the calendar the newest bar may be. */
const MAX_BAR_LAG_MS = 5 * DAY;
/** Share of the calendar's bars that may be missing in between. */
const MAX_MISSING_SHARE = 0.1;
/** How far the latest price may be from the newest daily close before one of the two is of another thing. */
const MAX_CLOSE_DEVIATION = 0.3;
/** After these nothing else is asked. */
const FATAL_FAILURES: ReadonlySet<FailureKind> = new Set(["rate_limited", "auth", "blocked", "timeout"]);
/** So many failures one after another say that the service is not well: the next answers would be the same. */
const MAX_CONSECUTIVE_FAILURES = 3;

/** What was found of one promise: kept, worth a look, or broken. */
export interface CheckResult {
  /** Who, of what, which: `yahoo AAPL 1h`. */
  readonly name: string;
  readonly state: "ok" | "note" | "fail";
  readonly detail: string;
}

export interface CheckOptions {
  /** Names that trade all day, so that what is odd is the source's; those it does not serve are left out. */
  readonly instruments: readonly Instrument[];
  readonly signal: AbortSignal;
  /** Epoch ms. */
  readonly now: () => number;
}

type Outcome = Pick<CheckResult, "state" | "detail"> & { readonly kind?: FailureKind };
interface Check {
  readonly name: string;
  readonly run: () => Promise<Outcome>;
}

/**
 * Asks a real service for what every source promises: a recent price, clean bars of each length it has, and no
 * answer for a name that is none. Never rejects: a failure is a finding. One call after the other, none after a
 * refusal or a row of failures.
 */
export async function checkProvider(
  source: PriceProvider,
  options: CheckOptions,
): Promise<readonly CheckResult[]> {
  const served = options.instruments.filter(({ asset_class }) => source.serves.has(asset_class));
  const nobodies = new Map(served.map(({ asset_class }) => [suffixOf(asset_class), asset_class]));
  const checks = [
    ...served.flatMap((instrument) => marketDataChecks(source, instrument, options)),
    ...[...nobodies.values()].flatMap((assetClass) =>
      unlistedSymbolChecks(source, unlistedInstrument(assetClass), options),
    ),
  ];
  const findings: CheckResult[] = [];
  let failures = 0;
  for (const { name, run } of checks) {
    const { state, detail, kind } = await outcomeOf(run);
    findings.push({ name: `${source.name} ${name}`, state, detail });
    failures = kind === undefined ? 0 : failures + 1;
    if ((kind !== undefined && FATAL_FAILURES.has(kind)) || failures === MAX_CONSECUTIVE_FAILURES) break;
  }
  return findings;
}

async function outcomeOf(run: Check["run"]): Promise<Outcome> {
  try {
    return await run();
  } catch (cause) {
    if (!(cause instanceof ProviderFailure)) return fail("it failed in a way that no source may");
    return { ...fail(`${cause.kind}: ${cause.message}`), kind: cause.kind };
  }
}

const ok = (detail: string): Outcome => ({ state: "ok", detail });
const note = (detail: string): Outcome => ({ state: "note", detail });
const fail = (detail: string): Outcome => ({ state: "fail", detail });

/** Bars of each length, then the price, which is held against the newest daily close. */
function marketDataChecks(
  source: PriceProvider,
  instrument: Instrument,
  { signal, now }: CheckOptions,
): readonly Check[] {
  const { symbol, asset_class: assetClass } = instrument;
  let newestClose: number | null = null;

  async function bars(timeframe: Timeframe): Promise<Outcome> {
    const at = now();
    const known = at - (source.barDelayMinutes ?? source.delayMinutes) * MINUTE;
    const wanted = windowStart(timeframe, timeframe === "1d" ? DAILY_BARS : INTRADAY_BARS, known, assetClass);
    const from = Math.max(wanted, at - source.reaches[timeframe]! * DAY);
    const given = await source.history!(instrument, { timeframe, from, until: at, signal });
    const { time, close } = sanitizeBars(given, { assetClass, timeframe, at: known }).bars;
    if (timeframe === "1d") newestClose = close.at(-1) ?? null;
    return compareWithCalendar(time, startsOf(timeframe, { from, until: known }, assetClass));
  }

  async function quote(): Promise<Outcome> {
    const at = now();
    const { price, tradedAt } = validateQuote(await source.latest!(instrument, { signal }), source, at);
    const told = `${price} USD, traded ${iso(tradedAt)}`;
    const age = at - tradedAt - source.delayMinutes * MINUTE;
    if (age > MAX_QUOTE_AGE_MS[assetClass]) return fail(`too old: ${told}`);
    if (newestClose !== null && Math.abs(price / newestClose - 1) > MAX_CLOSE_DEVIATION)
      return fail(`${told}, far from its own newest daily close of ${newestClose} USD`);
    const trading = ["regular", "always_open"].includes(marketStateAt(at, assetClass));
    return trading && age > source.liveWithinMs
      ? note(`not live while its market trades: ${told}`)
      : ok(told);
  }

  return [
    ...timeframesOf(source).map((length) => ({ name: `${symbol} ${length}`, run: () => bars(length) })),
    ...(source.latest === undefined ? [] : [{ name: `${symbol} quote`, run: quote }]),
  ];
}

function compareWithCalendar(times: Float64Array, expected: readonly number[]): Outcome {
  const newest = times.at(-1);
  const due = expected.at(-1);
  if (newest === undefined || due === undefined) return fail("no closed bars");
  const told = `newest ${iso(newest)}`;
  if (due - newest > MAX_BAR_LAG_MS) return fail(`${told}, while ${iso(due)} has closed`);
  const had = new Set(times);
  const between = expected.filter((time) => time <= newest);
  const missing = between.filter((time) => !had.has(time));
  const counted = `${between.length - missing.length} of ${between.length} bars, ${told}`;
  if (missing.length > between.length * MAX_MISSING_SHARE)
    return fail(`${counted}; first missing: ${iso(missing[0]!)}`);
  if (missing.length > 0) return note(`${counted}; first missing: ${iso(missing[0]!)}`);
  return due > newest ? note(`${counted}, while ${iso(due)} has closed`) : ok(counted);
}

/** A name that nobody lists must not be answered. */
function unlistedSymbolChecks(
  source: PriceProvider,
  unlisted: Instrument,
  { signal, now }: CheckOptions,
): readonly Check[] {
  const refused = async (ask: () => Promise<boolean>): Promise<Outcome> => {
    try {
      return (await ask()) ? fail("it answered for a name that is none") : ok("no bars");
    } catch (cause) {
      if (cause instanceof ProviderFailure && ["unknown_symbol", "unsupported"].includes(cause.kind))
        return ok(cause.kind === "unsupported" ? "not served" : "unknown, as it is");
      throw cause;
    }
  };
  const quote = async () => (await source.latest!(unlisted, { signal })) !== null;
  const bars = (timeframe: Timeframe) => async () => {
    const range = { timeframe, from: now() - 5 * DAY, until: now() };
    return (await source.history!(unlisted, { ...range, signal })).bars.length > 0;
  };
  const asked = [
    ...(source.latest === undefined ? [] : [{ what: "quote", ask: quote }]),
    ...timeframesOf(source)
      .slice(0, 1)
      .map((length) => ({ what: length, ask: bars(length) })),
  ];
  return asked.map(({ what, ask }) => ({ name: `${unlisted.symbol} ${what}`, run: () => refused(ask) }));
}

const timeframesOf = (source: PriceProvider): readonly Timeframe[] =>
  source.history === undefined ? [] : TIMEFRAMES.filter((length) => source.reaches[length] !== undefined);

const suffixOf = (assetClass: AssetClass): string => (assetClass === "crypto" ? "-USD" : "");

const unlistedInstrument = (assetClass: AssetClass): Instrument => ({
  symbol: `ZZQXQ${suffixOf(assetClass)}`,
  name: "A name that nobody lists",
  asset_class: assetClass,
  sector: null,
  currency: "USD",
});

const iso = (epochMs: number): string => new Date(epochMs).toISOString();
