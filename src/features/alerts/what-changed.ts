import { ALERT_LIMITS } from "../../domain/alerts/alerts.ts";
import {
  CHANGE_RETENTION_MS,
  type DriverMove,
  type SignalChange,
  type SignalState,
  type Verdict,
} from "../../domain/alerts/changes.ts";
import type { ObservedRange } from "../../domain/alerts/changes-port.ts";
import type { Timeframe } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { asToolError, ToolError } from "../../kernel/errors.ts";
import { mapConcurrent } from "../../lib/concurrency.ts";
import { parsePastTime } from "../signal/past-time.ts";
import { pictureOf } from "../signal/picture.ts";
import { refuseBoth, resolveRange } from "../signal/time-range.ts";
import { nextClose } from "./bar-close.ts";
import type { SignalPorts } from "./evaluate-signal.ts";
import { changedFields, driverMoves, toSignalState } from "./signal-state.ts";
import { findListed, type ResolvedSymbols, resolveSymbols } from "./symbols.ts";
import { requireWatchlist } from "./watchlist-symbols.ts";

/** Maximum time between the close of a bar and its evaluation. */
const MAX_EVALUATION_DELAY_MS = 20 * 60_000;
/** Maximum number of series compared in one response. */
export const MAX_COMPARED = 20;

/** Period in which the changes of a series were observed. */
export interface ObservedPeriod {
  readonly symbol: string;
  readonly timeframe: Timeframe;
  /** ISO 8601 UTC; null when it was never watched. */
  readonly known_from: string | null;
  readonly known_until: string | null;
}

/** A signal at a past time compared with the current one. */
export interface SignalComparison {
  readonly symbol: string;
  readonly timeframe: Timeframe;
  readonly before: (Verdict & { readonly decided_at: string }) | null;
  readonly after: (Verdict & { readonly decided_at: string }) | null;
  readonly changed: SignalChange["changed"];
  readonly drivers: readonly DriverMove[];
  /** Reason why one of the two signals is missing; null when both exist. */
  readonly reason: string | null;
}

interface CoverageQuery extends Pick<Instrument, "asset_class"> {
  /** Epoch ms; so is `now`. */
  readonly from: number;
  readonly now: number;
  /** End of the requested changes. Default: now. */
  readonly until?: number | undefined;
  readonly timeframe: Timeframe;
}

/** Returns true when every change of a series since `from` was observed and is still stored. */
export function isCovered(
  known: ObservedRange | null,
  { from, now, until = now, timeframe, asset_class }: CoverageQuery,
): boolean {
  if (known === null || Date.parse(known.since) > from || from < now - CHANGE_RETENTION_MS) return false;
  return nextClose(Date.parse(known.until), timeframe, asset_class) + MAX_EVALUATION_DELAY_MS > until;
}

/** Computes the signals of series at a past time and at a later one (ISO dates or times). Default: now. */
export async function compareSince(
  instruments: readonly Instrument[],
  {
    timeframe,
    since,
    until,
    signal,
  }: Pick<ObservedPeriod, "timeframe"> & { since: string; until?: string; signal: AbortSignal },
  ports: SignalPorts & Pick<Ports, "clock">,
): Promise<readonly SignalComparison[]> {
  return mapConcurrent(
    instruments,
    async ({ symbol }) => {
      const nothing = { symbol, timeframe, before: null, after: null, changed: [], drivers: [] };
      try {
        const [then, now] = await Promise.all([
          pictureOf({ symbol, timeframe, as_of: since, signal }, ports),
          pictureOf({ symbol, timeframe, signal, ...(until !== undefined && { as_of: until }) }, ports),
        ]);
        const before = toSignalState(then);
        const after = toSignalState(now);
        if (before === null || after === null) {
          const reason = (before === null ? then : now).consensus.reason;
          return { ...nothing, reason: `No score ${before === null ? "then" : "now"}: ${reason}` };
        }
        return {
          symbol,
          timeframe,
          before: toDecidedVerdict(before),
          after: toDecidedVerdict(after),
          changed: changedFields(before, after),
          drivers: driverMoves(before, after),
          reason: null,
        };
      } catch (cause) {
        signal.throwIfAborted();
        const error = asToolError(cause);
        if (error.code === "INTERNAL") throw cause;
        return { ...nothing, reason: error.message };
      }
    },
    () => {},
  );
}

const toDecidedVerdict = ({ direction, grade, score, decided_at }: SignalState) => ({
  direction,
  grade,
  score,
  decided_at,
});

const DAY = 86_400_000;
const DEFAULT_DAYS = 7;

export interface ChangesRequest {
  readonly symbols?: readonly string[] | undefined;
  readonly watchlist?: string | undefined;
  readonly timeframe: Timeframe;
  readonly since?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

export type ChangesPorts = SignalPorts & Pick<Ports, "clock" | "changes" | "watchlists" | "subscriptions">;

/**
 * Finds changes since a time or after a cursor. With a time, series that were not watched continuously are compared
 * instead; with a cursor they are not.
 */
export async function findChanges(
  { timeframe, since, from: first, to, after, limit, ...subject }: ChangesRequest,
  { account, signal }: { readonly account: string; readonly signal: AbortSignal },
  ports: ChangesPorts,
) {
  if (since !== undefined && after !== undefined)
    throw new ToolError("INVALID_INPUT", "Pass since or after, not both", {
      hint: "after continues from a response; since starts at a time.",
    });
  refuseBoth({ since, from: first }, "since", "from");
  refuseBoth({ after, from: first }, "after", "from");
  const at = ports.clock.now();
  const range = resolveRange({ from: first, to }, { now: at });
  const isPast = to !== undefined && range.until < at.getTime();
  const from = since === undefined ? (range.from ?? range.until - DEFAULT_DAYS * DAY) : startOf(since, at);
  const until = isPast ? range.until : undefined;
  const requested = await requestedInstruments(subject, { account, timeframe }, ports);
  const { instruments, alternatives, notes } = requested;
  const series = instruments.map(({ symbol }) => ({ symbol, timeframe }));
  const start = after === undefined ? { from } : { after };
  const end = until === undefined ? {} : { until };
  const page = await ports.changes.since({ series, limit, signal, ...start, ...end });
  const answer = {
    as_of: at.toISOString(),
    changes: [...page.changes],
    count: page.changes.length,
    cursor: page.cursor,
    more: page.more,
    watching: series,
    alternatives,
    ...range.notes,
  };
  if (after !== undefined) return { ...answer, since: null, coverage: [], compared: [], notes };
  const known = await ports.changes.observedRanges(series);
  const gaps = instruments.filter(
    ({ asset_class }, i) => !isCovered(known[i]!, { from, now: at.getTime(), until, timeframe, asset_class }),
  );
  const startedAt = new Date(from).toISOString();
  const comparedUntil = until === undefined ? {} : { until: new Date(until).toISOString() };
  const period = { timeframe, since: startedAt, signal, ...comparedUntil };
  const compared = await compareSince(gaps.slice(0, MAX_COMPARED), period, ports);
  const coverage = gaps.map(({ symbol }): ObservedPeriod => {
    const range = known[series.findIndex((one) => one.symbol === symbol)] ?? null;
    const oldest = new Date(at.getTime() - CHANGE_RETENTION_MS).toISOString();
    const known_from = range === null || range.since > oldest ? (range?.since ?? null) : oldest;
    return { symbol, timeframe, known_from, known_until: range?.until ?? null };
  });
  return {
    ...answer,
    since: startedAt,
    coverage,
    compared: [...compared],
    notes: [...notes, ...gapNotes(gaps.length)],
  };
}

/** Parses a time to epoch ms; a date starts at 00:00 UTC. @throws ToolError INVALID_INPUT for a future time */
const startOf = (since: string, now: Date): number =>
  parsePastTime(since.length === 10 ? `${since}T00:00:00Z` : since, now, "since");

function gapNotes(count: number): readonly string[] {
  if (count === 0) return [];
  const hint = "create_subscription watches them from now on.";
  return count > MAX_COMPARED
    ? [`${count} series were not watched continuously; the first ${MAX_COMPARED} are compared. ${hint}`]
    : [`Compared series were not watched continuously: changes in between are unknown. ${hint}`];
}

/**
 * Resolves the requested symbols or watchlist to instruments. Default: all symbols of the account's watchlists and active
 * subscriptions in the timeframe.
 */
async function requestedInstruments(
  { symbols, watchlist }: Pick<ChangesRequest, "symbols" | "watchlist">,
  { account, timeframe }: { readonly account: string; readonly timeframe: Timeframe },
  ports: ChangesPorts,
): Promise<ResolvedSymbols & { readonly notes: readonly string[] }> {
  if (symbols !== undefined && watchlist !== undefined)
    throw new ToolError("INVALID_INPUT", "Pass symbols or watchlist, not both");
  if (symbols !== undefined) return { ...resolveSymbols(symbols, ports.symbols), notes: [] };
  const names =
    watchlist === undefined
      ? await accountSymbols(account, timeframe, ports)
      : (await requireWatchlist(account, watchlist, ports)).symbols;
  const found = names.map((name) => findListed(name, ports.symbols));
  const instruments = found.flatMap((one) => ("instrument" in one ? [one.instrument] : []));
  const gone = found.flatMap((one) => ("gone" in one ? [one.gone] : []));
  const some = instruments.slice(0, ALERT_LIMITS.listed);
  const others = instruments.length - some.length;
  if (some.length === 0)
    throw new ToolError("INVALID_INPUT", "No symbols were given and this account watches none", {
      hint: "Pass symbols, or save a list with save_watchlist.",
    });
  return {
    instruments: some,
    alternatives: [],
    notes: [...gone, ...(others > 0 ? [`${others} watched symbols omitted: pass them in symbols.`] : [])],
  };
}

async function accountSymbols(
  account: string,
  timeframe: Timeframe,
  { watchlists, subscriptions }: ChangesPorts,
): Promise<readonly string[]> {
  const [lists, subscribed] = await Promise.all([watchlists.list(account), subscriptions.list(account)]);
  const active = subscribed.filter((one) => one.state === "active" && one.timeframe === timeframe);
  return [...new Set([...lists, ...active].flatMap(({ symbols }) => symbols))];
}
