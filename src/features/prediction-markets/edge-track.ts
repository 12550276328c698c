import { brierScores, type Resolved } from "../../analytics/edge/brier.ts";
import { newsProbability } from "../../analytics/edge/news-lean.ts";
import { outcomeOf } from "../../analytics/edge/outcome.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import type { EdgeTrack } from "../../domain/prediction-markets/edge.ts";
import { yieldToEventLoop } from "../../lib/event-loop.ts";
import { rounded } from "../../lib/rounded.ts";
import { readMarketSide } from "./edge-market-side.ts";
import { readNewsSide } from "./edge-news-side.ts";
import type { EdgePorts } from "./edge-sides.ts";

const DAY = 86_400_000;
/** Number of months whose questions are scored, and day of the month on which both sides are read. */
const MONTHS = 24;
const READ_DAY = 15;
/** Minimum resolved questions for a score. */
export const MIN_RESOLVED = 20;
/** Number of past weeks whose stored snapshots are read. */
const WEEKS = 60;

export type TrackPorts = EdgePorts & Pick<Ports, "market" | "cache" | "contractHistory">;

/** A decided question on an instrument, with the time at which both sides were read, epoch ms. */
export interface TrackedQuestion extends Resolved {
  readonly at: number;
}

/**
 * Scores both sides on questions decided before the day of `at` (epoch ms), cached for that day. Only the sample market
 * can be scored: in others the scores are null, with the number of stored bets that have ended.
 */
export async function edgeTrack(
  instrument: Instrument,
  { at }: { readonly at: number },
  ports: TrackPorts,
): Promise<EdgeTrack> {
  const until = Math.floor(at / DAY) * DAY;
  const { cache, contracts, market } = ports;
  if (market.mode !== "sample" || !contracts.supportsHistory)
    return withoutScores(instrument, { until, missing: contracts.missing }, ports);
  return cache.remember(`edge track|${market.id}|${instrument.symbol}|${until}`, DAY, async () => {
    // all callers of that day share the answer, so no caller's signal aborts it
    const { signal } = new AbortController();
    const resolved = await trackedQuestions(instrument, { until, signal }, ports);
    const since = resolved[0] === undefined ? null : isoOf(resolved[0].at);
    const scores = brierScores(resolved);
    if (scores === null || scores.resolved < MIN_RESOLVED)
      return {
        ...NO_SCORES,
        resolved: resolved.length,
        since,
        until: isoOf(until),
        reason: `${resolved.length} of its questions have been decided; a score requires ${MIN_RESOLVED}`,
      };
    return {
      brier_market: rounded(scores.market, 4),
      brier_news: rounded(scores.news, 4),
      brier_neutral: rounded(scores.neutral, 4),
      resolved: scores.resolved,
      since,
      until: isoOf(until),
      reason: null,
    };
  });
}

const NO_SCORES = { brier_market: null, brier_news: null, brier_neutral: null } as const;
const isoOf = (time: number): string => new Date(time).toISOString();

/**
 * Returns the questions on an instrument decided before `until` (epoch ms), oldest first: for each of the last 24
 * months, those that ended by the end of that month, with both sides as of its 15th at 00:00 UTC. Requires daily bars
 * that are UTC days.
 */
export async function trackedQuestions(
  instrument: Instrument,
  { until, signal }: { readonly until: number; readonly signal: AbortSignal },
  ports: EdgePorts,
): Promise<readonly TrackedQuestion[]> {
  const limit = 31 * (MONTHS + 2);
  const { bars } = await ports.bars.history(instrument, { signal, timeframe: "1d", limit, asOf: until });
  const found: TrackedQuestion[] = [];
  const end = new Date(until);
  for (let back = MONTHS; back >= 1; back--) {
    const [year, month] = [end.getUTCFullYear(), end.getUTCMonth() - back];
    const [at, over] = [Date.UTC(year, month, READ_DAY), Date.UTC(year, month + 1, 1)];
    const moment = { now: at, asOf: at, signal };
    const [market, news] = [
      await readMarketSide(instrument, moment, ports),
      await readNewsSide(instrument, moment, ports),
    ];
    await yieldToEventLoop();
    const lean = news.sentiment?.lean ?? null;
    if (lean === null) continue;
    for (const question of market.questions) {
      if (question.by > over) continue;
      const happened = outcomeOf(question, at, bars);
      if (happened === null) continue;
      const { probability, neutral } = question;
      found.push({ at, market: probability, neutral, news: newsProbability(neutral, lean), happened });
    }
  }
  return found;
}

/** Returns a result without scores, with the number of stored bets that have ended. */
async function withoutScores(
  { symbol }: Instrument,
  { until, missing }: { readonly until: number; readonly missing: string | null },
  { contractHistory, contracts }: Pick<TrackPorts, "contractHistory" | "contracts">,
): Promise<EdgeTrack> {
  const none = { ...NO_SCORES, resolved: 0, since: null, until: isoOf(until) };
  if (contracts.venues().length === 0)
    return { ...none, reason: missing ?? "No prediction market is connected" };
  const first = await contractHistory.oldestSavedAt(symbol);
  if (first === null || first >= until)
    return {
      ...none,
      reason: `No snapshot of ${symbol} existed then: snapshots are stored from its first request on`,
    };
  const ended = new Set<string>();
  for (let week = 0, end = until; week < WEEKS && end > first; week++, end -= 7 * DAY) {
    const snapshot = await contractHistory.newest(symbol, { since: end - 7 * DAY, until: end });
    for (const { venue, id, by } of snapshot?.bets ?? [])
      if (by !== null && by <= until) ended.add(`${venue} ${id}`);
  }
  return {
    ...none,
    resolved: ended.size,
    since: isoOf(first),
    reason: `${ended.size} of the bets stored since ${isoOf(first).slice(0, 10)} have ended; none is scored, because past headlines are not stored (the simulated market has both)`,
  };
}
