import { setTimeout as sleep } from "node:timers/promises";
import type { Instrument } from "../../../domain/market/market.ts";
import type { CallOptions, Clock, Log, Symbols } from "../../../domain/ports.ts";
import { marketStateAt } from "../../../market/calendar/calendar.ts";

/** Market-wide funds that are always collected. */
const ALWAYS_COLLECTED = ["SPY", "QQQ", "IWM"] as const;
const MAX_SYMBOLS = 25;
/**
 * Number of chains requested without a pause, and pause before each further chain, ms; this leaves call budget for user
 * requests.
 */
const BURST_SIZE = 5;
const PAUSE_MS = 15_000;
/** Delay of option figures, ms. */
const FIGURE_DELAY_MS = 15 * 60_000;

interface ChainCollectorOptions {
  /** Fetches the chain of one instrument and stores its daily figures. */
  readonly save: (instrument: Instrument, options: CallOptions) => Promise<unknown>;
  readonly symbols: Pick<Symbols, "find">;
  readonly clock: Clock;
  readonly log: Log;
  /** Waits between chains. Default: real time. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Creates a collector to call every 15 minutes. During options trading hours it stores the chain figures of the market
 * funds and the given symbols, at most 25. A failed chain is logged and skipped.
 */
export function createChainCollector({
  save,
  symbols,
  clock,
  log,
  pause = async (ms, signal) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined),
}: ChainCollectorOptions): (recent: readonly string[], signal: AbortSignal) => Promise<void> {
  return async (recent, signal) => {
    if (marketStateAt(clock.now().getTime() - FIGURE_DELAY_MS, "equity") !== "regular") return;
    const instruments = [...new Set([...ALWAYS_COLLECTED, ...recent])].flatMap(
      (name) => symbols.find(name)?.instrument ?? [],
    );
    const optioned = instruments.filter(({ asset_class }) => asset_class !== "crypto").slice(0, MAX_SYMBOLS);
    for (const [i, instrument] of optioned.entries()) {
      if (i >= BURST_SIZE) await pause(PAUSE_MS, signal);
      if (signal.aborted) return;
      await save(instrument, { signal }).catch((cause: unknown) =>
        log.warn("flow_not_stored", { symbol: instrument.symbol, cause }),
      );
    }
  };
}
