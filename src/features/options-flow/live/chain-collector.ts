import { setTimeout as sleep } from "node:timers/promises";
import type { Instrument } from "../../../domain/market/market.ts";
import type { CallOptions, Clock, Log, Symbols } from "../../../domain/ports.ts";
import { marketStateAt } from "../../../market/calendar/calendar.ts";

/** What stands for the market is kept whether anybody asks or not. */
const ALWAYS_COLLECTED = ["SPY", "QQQ", "IWM"] as const;
const MAX_SYMBOLS = 25;
/** Chains asked for without a pause, and the pause before each further one, so that callers find places in the budget. */
const BURST_SIZE = 5;
const PAUSE_MS = 15_000;
/** Figures of options come a quarter of an hour late. */
const LATE_MS = 15 * 60_000;

export interface ChainCollectorOptions {
  /** Asks for the chain of one instrument and keeps what it comes to. */
  readonly save: (instrument: Instrument, options: CallOptions) => Promise<unknown>;
  readonly symbols: Pick<Symbols, "find">;
  readonly clock: Clock;
  readonly log: Log;
  /** Waits between chains; real time unsaid. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * A round to be run every quarter of an hour: what chains come to is kept while options trade, of what stands for the
 * market and of the symbols given, 25 in all. One that cannot be had is logged and left out.
 */
export function createChainCollector({
  save: keep,
  symbols,
  clock,
  log,
  pause = async (ms, signal) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined),
}: ChainCollectorOptions): (recent: readonly string[], signal: AbortSignal) => Promise<void> {
  return async (recent, signal) => {
    if (marketStateAt(clock.now().getTime() - LATE_MS, "equity") !== "regular") return;
    const kept = [...new Set([...ALWAYS_COLLECTED, ...recent])].flatMap(
      (name) => symbols.find(name)?.instrument ?? [],
    );
    const optioned = kept.filter(({ asset_class }) => asset_class !== "crypto").slice(0, MAX_SYMBOLS);
    for (const [i, instrument] of optioned.entries()) {
      if (i >= BURST_SIZE) await pause(PAUSE_MS, signal);
      if (signal.aborted) return;
      await keep(instrument, { signal }).catch((cause: unknown) =>
        log.warn("flow_not_kept", { symbol: instrument.symbol, cause }),
      );
    }
  };
}
