import type { Instrument } from "../../../domain/market/market.ts";
import {
  EVENT_NAMES,
  type EventKind,
  type MarketEvent,
} from "../../../domain/market-events/market-events.ts";
import type { MarketEvents } from "../../../domain/market-events/market-events-port.ts";
import type {
  EventDayProvider,
  EventMonthProvider,
  ProviderEvents,
  StockEventProvider,
} from "../../../domain/market-events/provider.ts";
import type { CallOptions, Clock, DataUnavailable } from "../../../domain/ports.ts";
import type { ProviderAnswer } from "../../../domain/providers/provider.ts";
import { ToolError } from "../../../kernel/errors.ts";
import { mapConcurrent } from "../../../lib/concurrency.ts";
import { dayAfter } from "../../../lib/day-after.ts";
import { newYorkDate } from "../../../lib/newyork.ts";
import type { Guarded } from "../../../market/failover/guard.ts";
import { resourceOf } from "../../../market/failover/resource.ts";
import { datesWithin } from "../../../market/prices/windows.ts";
import { tickerOf } from "../../../market/symbols/listings.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Maximum number of calls for one answer: days, months or symbols. */
const MAX_PAGES = 15;

interface MarketEventsOptions {
  readonly dividendDays: readonly Guarded<EventDayProvider>[];
  readonly stockDividends: readonly Guarded<StockEventProvider>[];
  readonly splitDays: readonly Guarded<EventDayProvider>[];
  readonly ipoMonths: readonly Guarded<EventMonthProvider>[];
  readonly haltDays: readonly Guarded<EventDayProvider>[];
  readonly clock: Clock;
  /** Returned if no provider of a kind is enabled. */
  readonly missing: (kind: EventKind) => DataUnavailable;
}

/** One call of a request, with the name of what it returns. */
interface EventPage {
  /** Day, month or symbol. */
  readonly name: string;
  call(options: CallOptions): Promise<ProviderAnswer<ProviderEvents> | null>;
}

/**
 * Creates the port for events from live providers. Days, months and symbols are fetched one per call and cached: an
 * hour, and halts one minute.
 */
export function liveMarketEvents(options: MarketEventsOptions): MarketEvents {
  const { clock, missing } = options;
  const shared = { clock, staleMs: 24 * HOUR, maxCached: 200 } as const;
  const daysOf = (providers: readonly Guarded<EventDayProvider>[], kind: EventKind, freshMs: number) =>
    resourceOf<{ readonly date: string | null }, ProviderEvents>({
      ...shared,
      ...(freshMs < HOUR && { staleMs: 10 * MINUTE }),
      providers,
      freshMs,
      about: ({ date }) => `${EVENT_NAMES[kind]} of ${date ?? "today"}`,
      keyOf: ({ date }) => date ?? "now",
    });
  const dividendDays = daysOf(options.dividendDays, "dividends", HOUR);
  const splitDays = daysOf(options.splitDays, "splits", HOUR);
  const haltDays = daysOf(options.haltDays, "halts", MINUTE);
  const stockDividends = resourceOf<{ readonly instrument: Instrument }, ProviderEvents>({
    ...shared,
    providers: options.stockDividends,
    freshMs: HOUR,
    about: ({ instrument }) => `dividends of ${instrument.symbol}`,
    keyOf: ({ instrument }) => instrument.symbol,
  });
  const ipoMonths = resourceOf<{ readonly month: string }, ProviderEvents>({
    ...shared,
    providers: options.ipoMonths,
    freshMs: HOUR,
    about: ({ month }) => `${EVENT_NAMES.ipos} of ${month}`,
    keyOf: ({ month }) => month,
  });
  const dayPages = (resource: typeof splitDays, dates: readonly (string | null)[]) =>
    dates.map((date) => ({ name: date ?? "today", call: (call: CallOptions) => resource({ date }, call) }));

  function pagesOf({ kind, from, to, instruments }: Parameters<MarketEvents["list"]>[0]) {
    const dates = weekdaysOf(from, to);
    if (kind === "ipos")
      return monthsOf(from, to).map((month) => ({
        name: month,
        call: (call: CallOptions) => ipoMonths({ month }, call),
      }));
    if (kind === "halts") {
      const today = newYorkDate(clock.now().getTime());
      const past = dates.filter((date) => date < today);
      return dayPages(haltDays, to >= today && from <= today ? [...past, null] : past);
    }
    if (kind === "splits") return dayPages(splitDays, dates);
    return instruments === null
      ? dayPages(dividendDays, dates)
      : instruments.map((instrument) => ({
          name: instrument.symbol,
          call: (call: CallOptions) => stockDividends({ instrument }, call),
        }));
  }
  const providersOf = (kind: EventKind): readonly Guarded[] | readonly Guarded<EventDayProvider>[] =>
    ({
      dividends: options.dividendDays,
      splits: options.splitDays,
      ipos: options.ipoMonths as readonly Guarded<never>[],
      halts: options.haltDays,
    })[kind];

  return {
    async list(request) {
      const { kind, from, to, instruments, signal } = request;
      const [first] = providersOf(kind);
      if (first === undefined) return missing(kind);
      const pages = pagesOf(request);
      const { answers, failed, uncovered } = await callPages(pages.slice(0, MAX_PAGES), signal);
      const next = pages[MAX_PAGES];
      const unit = kind === "dividends" && instruments !== null ? "symbols" : "days";
      const wanted = instruments === null ? null : new Set(instruments.map(tickerOf));
      const isWanted = ({ date, symbol, until }: MarketEvent) =>
        ((date >= from && date <= to) || (kind === "halts" && date < from && until === null)) &&
        (wanted === null || (symbol !== null && wanted.has(symbol)));
      return {
        events: unique(answers.flatMap(({ answer }) => answer.events.filter(isWanted))),
        source: answers[0]?.source ?? first.provider.name,
        fetchedAt: new Date(
          Math.min(clock.now().getTime(), ...answers.map(({ fetchedAt }) => fetchedAt)),
        ).toISOString(),
        stale: answers.some(({ stale }) => stale),
        isComplete: failed.length === 0 && next === undefined,
        notes: [
          ...(failed.length === 0 ? [] : [`Unavailable now: ${failed.join(", ")}`]),
          ...(next === undefined
            ? []
            : [`One request reads at most ${MAX_PAGES} ${unit}: continue from ${next.name}`]),
          ...uncovered.map((name) => `No provider covers ${name}`),
          ...(kind === "dividends" && instruments !== null ? nextDividendNotes(answers, { from, to }) : []),
          ...(answers.some(({ stale }) => stale) ? ["No provider responds; some dates are older"] : []),
        ],
      };
    },
  };
}

/** Calls the pages, at most four at a time. Rejects with the first failure if all fail. */
async function callPages(pages: readonly EventPage[], signal: AbortSignal | undefined) {
  const failures: ToolError[] = [];
  const failed: string[] = [];
  const found = await mapConcurrent(
    pages,
    async ({ name, call }) => {
      try {
        return await call({ signal });
      } catch (cause) {
        if (!(cause instanceof ToolError && cause.code === "UPSTREAM_UNAVAILABLE")) throw cause;
        failures.push(cause);
        failed.push(name);
        return null;
      }
    },
    () => {},
  );
  if (failures.length > 0 && failures.length === pages.length) throw failures[0];
  return {
    answers: found.filter((one) => one !== null),
    failed,
    uncovered: pages.flatMap(({ name }, i) => (found[i] === null && !failed.includes(name) ? [name] : [])),
  };
}

/** Returns a sentence for each symbol without an ex-dividend date in a window: its last one before. */
const nextDividendNotes = (
  answers: readonly ProviderAnswer<ProviderEvents>[],
  { from, to }: { readonly from: string; readonly to: string },
): readonly string[] =>
  answers.flatMap(({ answer: { events } }) => {
    const last = events
      .filter(({ date }) => date < from)
      .reduce<MarketEvent | null>((best, one) => (best === null || one.date > best.date ? one : best), null);
    return last === null || events.some(({ date }) => date >= from && date <= to)
      ? []
      : [`${last.symbol} has announced no ex-dividend date until ${to}; the last was ${last.date}`];
  });

const weekdaysOf = (from: string, to: string): readonly string[] =>
  datesWithin({ from: Date.parse(from) + 12 * HOUR, until: Date.parse(to) + 12 * HOUR });

/** Returns the months `YYYY-MM` from one date to another. */
function monthsOf(from: string, to: string): readonly string[] {
  const months = new Set<string>();
  for (let date = from; date <= to; date = dayAfter(date, 1)) months.add(date.slice(0, 7));
  return [...months];
}

/** Returns each event once, by date and symbol. */
function unique(events: readonly MarketEvent[]): readonly MarketEvent[] {
  const byKey = new Map(events.map((event) => [JSON.stringify(event), event]));
  const keyOf = ({ date, at, symbol }: MarketEvent) => `${date} ${at ?? ""} ${symbol ?? ""}`;
  return [...byKey.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
