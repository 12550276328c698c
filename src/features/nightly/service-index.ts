import type { Quote } from "../../domain/market/market.ts";
import type { EngineRow, EngineRun } from "../../domain/nightly/engine.ts";
import type { Ports } from "../../domain/ports.ts";
import { asToolError } from "../../kernel/errors.ts";
import { forEachConcurrent } from "../../lib/concurrency.ts";
import { isFresh, timeOf } from "./run-notes.ts";

/** Maximum number of quotes: `live` when each costs a provider request, `local` when none does. */
const MAX_QUOTES = { live: 60, local: 1_000 } as const;
const MAX_CONCURRENT = 8;
/** Time to wait for quotes, in milliseconds; later quotes are ignored. */
const MAX_WAIT_MS = 8_000;
const MIN_QUOTES = 20;
const MIN_PARTS = 2;

/**
 * Computes market-wide sentiment and signal strength at current prices: the sentiment index of the newest run; the mean
 * score of the members with a current price, where a signal counts as neutral once its stop or first target was
 * reached; and the share of these members that trade above the close of the run. Delayed and stale prices and stale
 * runs are ignored.
 */
export async function serviceIndexOf(
  all: readonly EngineRun[],
  { symbols, quotes, market, clock }: Pick<Ports, "symbols" | "quotes" | "market" | "clock">,
) {
  const runs = all.filter((run) => isFresh(run, clock.now()));
  const scored = runs.flatMap((run) => run.rows).filter((row) => row.score !== null);
  const sampled = sampleEvenly(scored, market.mode === "live" ? MAX_QUOTES.live : MAX_QUOTES.local);
  const known = new Map(symbols.members().map((one) => [one.symbol, one]));
  const signal = AbortSignal.timeout(MAX_WAIT_MS);
  const instruments = sampled.flatMap(({ symbol }) => known.get(symbol) ?? []);
  await quotes.prefetch?.(instruments, { signal }).catch(nullIfUnavailable);
  const received: { readonly row: EngineRow; readonly price: number }[] = [];
  await forEachConcurrent(MAX_CONCURRENT, sampled, async (row) => {
    const instrument = known.get(row.symbol);
    if (instrument === undefined || signal.aborted) return;
    const quote = await quotes.latest(instrument, { signal }).catch(nullIfUnavailable);
    if (quote !== null && isCurrent(quote)) received.push({ row, price: quote.price });
  });
  const index = runs.find((run) => run.index !== null)?.index ?? null;
  const sentiment = index?.value ?? null;
  const enough = received.length >= MIN_QUOTES;
  const noPricesReason =
    runs.length === 0
      ? staleRunsReason(all)
      : `${MIN_QUOTES} current prices are required; ${received.length} were received`;
  const closed = received.filter(({ row, price }) => hasReachedExit(row, price));
  const strength = mean(received.map((one) => (closed.includes(one) ? 50 : one.row.score!)));
  const above = mean(
    received.map(({ row, price }) => (price > row.close ? 100 : price < row.close ? 0 : 50)),
  );
  const computed_at = clock.now().toISOString();
  const parts = [
    {
      part: "sentiment" as const,
      value: sentiment,
      reason: sentiment === null ? noSentimentReason(index, all) : null,
      as_of: sentiment === null ? null : index!.as_of,
    },
    ...(["signal_strength", "breadth_now"] as const).map((part) => ({
      part,
      value: enough ? (part === "breadth_now" ? above : strength) : null,
      reason: enough ? null : noPricesReason,
      as_of: enough ? computed_at : null,
    })),
  ];
  const present = parts.flatMap(({ value }) => value ?? []);
  return {
    value: present.length >= MIN_PARTS ? mean(present) : null,
    parts,
    quotes: {
      members: scored.length,
      requested: sampled.length,
      received: received.length,
      closed: closed.length,
    },
    computed_at,
  };
}

function staleRunsReason(runs: readonly EngineRun[]): string {
  const times = runs.map(timeOf).sort();
  return `The newest run is from ${times.at(-1)}, more than 24 hours ago`;
}

function noSentimentReason(fresh: EngineRun["index"], all: readonly EngineRun[]): string {
  if (fresh !== null)
    return "The sentiment index of the newest run has no value: fewer than five parts have data";
  const old = all.filter(({ index }) => index !== null);
  return old.length > 0 ? staleRunsReason(old) : "The newest run has no sentiment index";
}

/** Selects at most `limit` items, spread evenly over the list. */
const sampleEvenly = <T>(all: readonly T[], limit: number): readonly T[] =>
  all.length <= limit
    ? all
    : Array.from({ length: limit }, (_, i) => all[Math.floor((i * all.length) / limit)]!);

/** Returns true for a live price; a close shows no change since the run. */
const isCurrent = ({ price_source, origin }: Quote): boolean =>
  price_source === "live_quote" && origin?.stale !== true;

/** Returns true when a signal's stop or first target has been reached. */
function hasReachedExit({ direction, stop, targets }: EngineRow, price: number): boolean {
  if (direction === "WAIT") return false;
  const side = direction === "LONG" ? 1 : -1;
  return side * (price - stop) <= 0 || side * (price - targets[0]!) >= 0;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns null for an unavailable price; rethrows internal errors. */
function nullIfUnavailable(cause: unknown): null {
  if (asToolError(cause).code === "INTERNAL") throw cause;
  return null;
}
