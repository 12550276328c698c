import type { PrintRepository } from "../../../domain/off-exchange/print-repository-port.ts";
import type { NamedPrint, Print, PrintTape } from "../../../domain/off-exchange/prints.ts";
import type {
  MarketPrintDay,
  MarketPrintProvider,
  PrintDay,
  PrintProvider,
} from "../../../domain/off-exchange/provider.ts";
import type { CallOptions, Prints } from "../../../domain/ports.ts";
import { timeFor } from "../../../lib/time-limit.ts";
import type { Guarded } from "../../../market/failover/guard.ts";
import type { ResourceOptions } from "../../../market/failover/resource.ts";
import { datesWithin } from "../../../market/prices/windows.ts";
import { type DayAnswer, dailyResource, fetchDays, formatDates } from "./daily-resource.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Period in which the newest sessions are requested, ms. */
const HISTORY_MS = 14 * DAY;
/** Minimum size of a requested print, US dollars; most smaller prints are retail orders of a few thousand. */
const MIN_NOTIONAL = 200_000;
/** Maximum wait for the days requested, ms; days that arrive later are left out and reported as missing. */
const MAX_WAIT_MS = 4_000;
/** Time after 00:00 UTC of a session date by which its trades and corrections are reported, ms. */
const COMPLETED_AFTER_MS = 32 * 60 * MINUTE;
/** Maximum number of sessions remembered as stored. */
const MAX_SAVED_KEYS = 10_000;
const NO_TOKENS = "Off-exchange trades are reported only for US stocks and funds";

interface LivePrintsOptions extends Pick<ResourceOptions<never, never>, "clock" | "settings"> {
  /** In order of preference. */
  readonly tape: readonly Guarded<PrintProvider>[];
  readonly market: readonly Guarded<MarketPrintProvider>[];
  /** Canonical symbol of a ticker on the tape. */
  readonly symbolOf: (ticker: string) => string;
  /** Stores completed sessions, so that they can be returned once the providers no longer cover them. */
  readonly repository: PrintRepository;
  readonly missing: Prints["missing"];
}

interface Range {
  readonly from: number;
  readonly until: number;
}

/**
 * Creates the port for prints of the newest sessions, each session from one provider. Completed sessions are fetched
 * once, the current one every minute. `gap` describes what the provider does not cover and which days failed. Rejects
 * if all days failed.
 */
export function livePrints({
  tape,
  market,
  clock,
  symbolOf,
  missing,
  repository,
  settings = {},
}: LivePrintsOptions): Prints {
  const sessions = Math.max(0, ...tape.map(({ provider }) => provider.sessions));
  const now = () => clock.now().getTime();
  const saved = new Set<string>();
  const own = dailyResource({
    providers: tape,
    clock,
    settings,
    freshMs: MINUTE,
    about: ({ instrument, date }) => `off-exchange prints of ${instrument.symbol} on ${date}`,
    keyOf: ({ instrument, date }) => `${instrument.symbol} ${date}`,
  });
  const all = dailyResource({
    providers: market,
    clock,
    settings,
    freshMs: MINUTE,
    about: ({ date }) => `large off-exchange prints on ${date}`,
    keyOf: ({ date, minNotional }) => `${minNotional} ${date}`,
  });
  const few = `Only prints of $${MIN_NOTIONAL} or more in the newest ${sessions} sessions are available`;

  return {
    missing,
    async tape(instrument, { from, until, signal }) {
      const [first] = tape;
      if (first === undefined) return null;
      const range = { from, until: Math.min(until, now()) };
      if (instrument.asset_class === "crypto")
        return {
          ...tapeOf<Print>([], range, { now: now(), source: first.provider.name, gaps: [NO_TOKENS] }),
          asOf: null,
        };
      const newest = datesWithin({ from: now() - HISTORY_MS, until: now() }).slice(-sessions);
      const within = new Set(datesWithin(range));
      const stored = await storedDays(instrument.symbol, range, newest[0]);
      const fetched = await fetchDays<PrintDay>(
        newest.filter((date) => within.has(date)),
        (date, call) => own({ instrument, date, minNotional: MIN_NOTIONAL }, call),
        { signal, maxWaitMs: timeFor(clock, MAX_WAIT_MS) },
      );
      await saveCompleted(instrument.symbol, fetched);
      const days = [...stored, ...fetched];
      const unknown = days.length > 0 && days.every(({ answer, failed }) => answer === null && !failed);
      const older =
        stored.length === 0 ? "" : `; ${stored.length} older sessions since ${stored[0]!.date} were stored`;
      const gaps = unknown ? [`No provider of prints covers ${instrument.symbol}`] : [`${few}${older}`];
      const missed = days.filter(({ failed }) => failed).map(({ date }) => date);
      const since = newest[0] === undefined ? undefined : firstOfRun(stored, newest[0], range);
      const reach = since === undefined ? {} : { reach: { from: since, missed } };
      return { ...tapeOf(days, range, { now: now(), source: first.provider.name, gaps }), ...reach };
    },
    async market({ from, until, minNotional, signal }) {
      const [first] = market;
      if (first === undefined) return null;
      const range = { from, until: Math.min(until, now()) };
      const fetchDay = async (date: string, call: CallOptions) => {
        const found = await all({ date, minNotional }, call);
        return found && { ...found, answer: namedOf(found.answer) };
      };
      const days = await fetchDays(datesWithin(range), fetchDay, {
        signal,
        maxWaitMs: timeFor(clock, MAX_WAIT_MS),
      });
      return tapeOf<NamedPrint>(days, range, { now: now(), source: first.provider.name, gaps: [] });
    },
  };

  /** Returns the stored sessions of a range before the first session that providers cover. */
  async function storedDays(
    symbol: string,
    { from, until }: Range,
    covered: string | undefined,
  ): Promise<readonly DayAnswer<PrintDay>[]> {
    if (covered === undefined) return [];
    const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10);
    const days = await repository.days(symbol, { from: dateOf(from), to: dateOf(until) });
    return days
      .filter(({ date }) => date < covered)
      .map(({ date, ...answer }) => ({ date, answer, failed: false }));
  }

  /** Stores the completed sessions of an answer that were not stored before. */
  async function saveCompleted(symbol: string, days: readonly DayAnswer<PrintDay>[]): Promise<void> {
    for (const { date, answer } of days) {
      const key = `${symbol} ${date}`;
      const ended = Date.parse(date) + COMPLETED_AFTER_MS;
      if (answer === null || answer.stale || answer.fetchedAt < ended || saved.has(key)) continue;
      if (saved.size >= MAX_SAVED_KEYS) saved.clear();
      saved.add(key);
      // a failed write costs no answer; the next request tries again
      await repository.save(symbol, date, answer).catch(() => saved.delete(key));
    }
  }

  function namedOf({ prints, ...rest }: MarketPrintDay) {
    const named = prints.map(({ ticker, ...print }) => ({ ...print, symbol: symbolOf(ticker) }));
    return { ...rest, prints: named };
  }
}

/** Returns the first of the stored sessions that follow each other without a gap up to the session `covered`. */
function firstOfRun(
  stored: readonly { readonly date: string }[],
  covered: string,
  { from, until }: Range,
): string {
  const has = new Set(stored.map(({ date }) => date));
  const before = datesWithin({ from, until }).filter((date) => date < covered);
  let first = covered;
  for (const date of before.toReversed()) {
    if (!has.has(date)) break;
    first = date;
  }
  return first;
}

interface TapeFacts {
  readonly now: number;
  /** Provider name for the result if no day has an answer. */
  readonly source: string;
  readonly gaps: readonly string[];
}

/** Merges the prints of several days into one tape without duplicates, and describes what is missing. */
function tapeOf<P extends Print>(
  days: readonly DayAnswer<Omit<PrintDay, "prints"> & { readonly prints: readonly P[] }>[],
  { from, until }: Range,
  { now, source, gaps }: TapeFacts,
): PrintTape<P> {
  const answered = days.flatMap((day) => (day.answer === null ? [] : [{ date: day.date, ...day.answer }]));
  const newest = answered.at(-1);
  const missed = days.filter(({ failed }) => failed).map(({ date }) => date);
  const cut = answered.filter(({ answer }) => answer.completeFrom > Math.max(from, Date.parse("2000-01-01")));
  const seen = new Set<string>();
  const prints = answered
    .flatMap(({ answer }) => answer.prints)
    .filter(({ reportedAt }) => reportedAt >= from && reportedAt <= until)
    .filter((print) => {
      const name = `${print.id} ${print.conditions.includes("cancelled")} ${"symbol" in print ? print.symbol : ""}`;
      return !seen.has(name) && seen.add(name);
    })
    .sort((a, b) => a.reportedAt - b.reportedAt);
  const reasons = [
    ...gaps,
    ...(missed.length === 0 ? [] : [`Unavailable now: ${formatDates(missed)}`]),
    ...cut.map(
      ({ date, answer }) => `${date} is covered only from ${new Date(answer.completeFrom).toISOString()} on`,
    ),
  ];
  return {
    prints,
    source: newest?.source ?? source,
    fetchedAt: newest === undefined ? now : Math.max(...answered.map(({ fetchedAt }) => fetchedAt)),
    asOf: newest === undefined ? null : Math.min(until, newest.answer.completeUntil, newest.fetchedAt),
    stale: answered.some(({ stale }) => stale),
    gap: reasons.join(". ") || null,
  };
}
