import { ODDS_BARS } from "../../analytics/odds/range-model.ts";
import { MODEL_VERSION } from "../../analytics/score/consensus.ts";
import { barLabel, type Timeframe } from "../../domain/market/bars.ts";
import type { Instrument, Resolution } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import type { HistoryRow } from "../../domain/signal/signal-history.ts";
import { ToolError } from "../../kernel/errors.ts";
import { mapConcurrent } from "../../lib/concurrency.ts";
import { barHours } from "./bar-hours.ts";
import { type ClosedBars, closedBars } from "./closed-bars.ts";
import { gather } from "./gather.ts";
import { historyOutcome } from "./history-outcome.ts";
import { type PicturePorts, withFacts } from "./picture.ts";
import { planLevels } from "./signal-block.ts";
import { encodeCursor } from "./time-page.ts";
import { type RangeRequest, resolveRange, type TimeRange, zoneOf } from "./time-range.ts";
import { type Verdict, verdictTask } from "./verdict-task.ts";

const DAY = 86_400_000;
/** Maximum number of signals computed for one answer if each may cost provider requests; cached ones are not counted. */
const MAX_LIVE_COMPUTED = 30;
/** Age from which the inputs of a signal no longer arrive, so that it is cached, ms. */
const SETTLED_MS = 2 * DAY;
/** Maximum number of cached signals of one symbol and timeframe. */
const MAX_CACHED = 1_300;
/** End of the reason for an input whose provider was unavailable. */
const TRANSIENT = "a retry may succeed";

interface HistoryRequest extends RangeRequest {
  readonly timeframe: Timeframe;
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly progress: (step: { readonly done: number; readonly total: number }) => void;
}

interface SignalHistory {
  /** Newest first. */
  readonly rows: readonly HistoryRow[];
  readonly series: ClosedBars;
  readonly range: TimeRange;
  readonly nextCursor: string | null;
  /** Sentences on bars that were left out. */
  readonly notes: readonly string[];
}

/**
 * Computes the signals of past closed bars with the code and the inputs of get_signal at their closes, newest first. Covers
 * the newest 1,251 bars. Rejects like `closedBars`, and with INVALID_INPUT for an invalid range.
 */
export async function readSignalHistory(
  resolution: Resolution,
  { timeframe, limit, signal, progress, ...request }: HistoryRequest,
  ports: PicturePorts,
): Promise<SignalHistory> {
  const { instrument } = resolution;
  const now = ports.clock.now();
  const zone = timeframe === "1d" ? "UTC" : zoneOf(instrument.asset_class);
  const range = resolveRange(request, { now, zone, filters: [instrument.symbol, timeframe] });
  const series = await closedBars(
    resolution,
    { timeframe, limit: ODDS_BARS, as_of: request.as_of, signal },
    ports,
  );
  const { time } = series.bars;
  const closesAt = barHours(series)?.closesAt;
  if (closesAt === undefined)
    throw new ToolError(
      "UPSTREAM_UNAVAILABLE",
      `The close times of the bars of ${instrument.symbol} are unknown`,
    );
  const last = range.position === null ? range.until : range.pageEnd - 1;
  const end = time.findLastIndex((start) => start <= last) + 1;
  const inRange = time.findIndex((start) => range.from === null || start >= range.from);
  const oldest = inRange === -1 ? end : Math.min(inRange, end);
  const known = await cachedVerdicts(instrument, series, ports);
  const bars = pageOf({ oldest, end, limit }, (bar) => isKnown(known, series, bar), ports);
  const verdicts = await mapConcurrent(
    bars,
    async (bar) => {
      const close = closesAt(time[bar]!);
      const cached = known.get(time[bar]!);
      if (cached !== undefined && isKnown(known, series, bar)) return cached;
      const { verdict, isSettled } = await verdictAt(instrument, { timeframe, close, signal }, ports);
      if (isSettled && now.getTime() - close > SETTLED_MS) {
        if (known.size >= MAX_CACHED) known.clear();
        known.set(time[bar]!, verdict);
      }
      return verdict;
    },
    (done) => progress({ done, total: bars.length }),
  );
  const first = bars.at(-1) ?? end;
  const isPart = first > oldest;
  const wanted = Math.min(limit, end - oldest);
  return {
    series,
    range,
    rows: bars.map((bar, i) => rowOf(series, bar, { verdict: verdicts[i]!, close: closesAt(time[bar]!) })),
    nextCursor: isPart
      ? encodeCursor({ from: range.from, at: time[first]!, returned: 1 }, range.filterKey)
      : null,
    notes: [
      ...(bars.length < wanted
        ? [
            `${bars.length} of ${wanted} bars: at most ${MAX_LIVE_COMPUTED} signals are computed for one answer, because each reads its inputs from providers. next_cursor continues.`,
          ]
        : []),
      ...(inRange <= 0 && time.length >= ODDS_BARS && range.from !== null && range.from < time[0]!
        ? [
            `The history covers the newest ${ODDS_BARS} bars, from ${barLabel(time[0]!, timeframe)}; pass as_of for older ones.`,
          ]
        : []),
    ],
  };
}

/** Returns the indexes of the bars of a page, newest first; of a live market with at most 30 that are not cached. */
function pageOf(
  { oldest, end, limit }: { readonly oldest: number; readonly end: number; readonly limit: number },
  isCached: (bar: number) => boolean,
  { market }: Pick<Ports, "market">,
): readonly number[] {
  const bars: number[] = [];
  let left = market.mode === "live" ? MAX_LIVE_COMPUTED : Number.POSITIVE_INFINITY;
  for (let bar = end - 1; bar >= oldest && bars.length < limit; bar--) {
    if (!isCached(bar) && --left < 0) break;
    bars.push(bar);
  }
  return bars;
}

/** Returns the cached verdicts of a series by the start of their bars. */
async function cachedVerdicts(
  { symbol }: Instrument,
  { bars, source }: ClosedBars,
  { cache }: Pick<Ports, "cache">,
): Promise<Map<number, Verdict>> {
  const { timeframe, adjustment, noSplits = null } = bars;
  const key = JSON.stringify([
    "signal history",
    MODEL_VERSION,
    symbol,
    timeframe,
    source,
    adjustment,
    noSplits,
  ]);
  return (await cache.remember(key, DAY, async () => ({ verdicts: new Map<number, Verdict>() }))).verdicts;
}

/** Returns true for a cached verdict on a bar whose close has not been adjusted since. */
const isKnown = (known: ReadonlyMap<number, Verdict>, { bars }: ClosedBars, bar: number): boolean =>
  known.get(bars.time[bar]!)?.close === bars.close[bar];

/** Computes the verdict at the close of a bar. Not settled: an input was unavailable, and may be there at the next call. */
async function verdictAt(
  instrument: Instrument,
  {
    timeframe,
    close,
    signal,
  }: { readonly timeframe: Timeframe; readonly close: number; readonly signal: AbortSignal },
  ports: PicturePorts,
): Promise<{ readonly verdict: Verdict; readonly isSettled: boolean }> {
  const gathered = await gather(instrument, { timeframe, asOf: close, signal }, ports);
  const { input, printsGap = "" } = await withFacts(instrument, gathered, signal, ports);
  const verdict = await ports.compute.run(verdictTask, { input }, { signal });
  const reasons = [printsGap, ...Object.values(input.missingReasons ?? {})];
  return { verdict, isSettled: !reasons.some((reason) => reason.endsWith(TRANSIENT)) };
}

function rowOf(
  { bars }: ClosedBars,
  bar: number,
  { verdict, close }: { readonly verdict: Verdict; readonly close: number },
): HistoryRow {
  const { levels, levels_basis: basis } = verdict;
  return {
    datetime: barLabel(bars.time[bar]!, bars.timeframe),
    as_of: new Date(close).toISOString(),
    direction: verdict.direction,
    grade: verdict.grade,
    score: verdict.score,
    close: verdict.close,
    plan: levels === null || basis === null ? null : planLevels({ levels, levels_basis: basis }),
    outcome: levels === null ? null : historyOutcome(verdict, levels, bars, bar),
  };
}

/** Returns a row for concise answers: what the signal said, and whether it was right. */
export const conciseHistoryRow = ({ plan, outcome, ...row }: HistoryRow): HistoryRow => ({
  ...row,
  plan: plan && withoutR(plan),
  outcome: outcome && {
    over: outcome.over,
    entry_reached: outcome.entry_reached,
    stop_reached: outcome.stop_reached,
    target_reached: outcome.target_reached,
    first: outcome.first,
    change_percent: outcome.change_percent,
    r: outcome.r,
    right: outcome.right,
    reason: outcome.reason,
  },
});

const withoutR = ({ target_r: _, ...plan }: NonNullable<HistoryRow["plan"]>) => plan;

/** Returns the rows whose direction or grade differs from that of the bar before; the oldest row has none before. */
export const changesOf = (rows: readonly HistoryRow[]): readonly HistoryRow[] =>
  rows.filter((row, i) => {
    const before = rows[i + 1];
    return before === undefined || before.direction !== row.direction || before.grade !== row.grade;
  });

/** Counts the signals of rows and how those whose 20 bars are over ended. */
export function historySummary(rows: readonly HistoryRow[]) {
  const signals = rows.filter(({ direction }) => direction !== "WAIT");
  const over = signals.flatMap(({ outcome }) => (outcome?.over ? [outcome] : []));
  const count = (is: (outcome: (typeof over)[number]) => boolean) => over.filter(is).length;
  return {
    bars: rows.length,
    signals: signals.length,
    over: over.length,
    target_first: count(({ first }) => first === "target"),
    stop_first: count(({ first }) => first === "stop"),
    neither: count(({ first }) => first === "neither"),
    right: count(({ right }) => right === true),
  };
}
