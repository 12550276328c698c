import type { Clock, Log } from "../../domain/ports.ts";
import type { LoggedSignal } from "../../domain/track-record/track.ts";
import type { SignalLog, TrackRepository } from "../../domain/track-record/track-port.ts";
import { barAnswers } from "./bar-answers.ts";
import { signalId } from "./track-repository.ts";

/** Delay after which pending signals are written together. */
const FLUSH_DELAY_MS = 2_000;
/** Maximum number of remembered ids of written signals; repeated requests do not write these signals again. */
const MAX_KNOWN_IDS = 10_000;
/** Number of pending signals at which they are written without delay. */
const MAX_PENDING = 1_000;

/**
 * Creates the log of served signals, which writes them in batches after a delay. A failed batch is logged and lost.
 * `close` writes the pending ones.
 */
export function signalLog({
  repository,
  market,
  log,
  clock,
}: {
  readonly repository: Pick<TrackRepository, "log">;
  readonly market: string;
  readonly log: Log;
  readonly clock: Clock;
}): SignalLog & { close(): Promise<void> } {
  const known = new Set<string>();
  let waiting: LoggedSignal[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> = Promise.resolve();

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const signals = waiting;
    waiting = [];
    if (signals.length > 0)
      writing = writing
        .then(async () => void (await repository.log(signals)))
        .catch((cause: unknown) => {
          log.warn("signals_not_logged", { signals: signals.length, cause });
          for (const signal of signals) known.delete(signalId(market, signal));
        });
    return writing;
  }

  return {
    ...barAnswers(clock),
    record(signal) {
      const id = signalId(market, signal);
      if (known.has(id)) return;
      if (known.size >= MAX_KNOWN_IDS) known.clear();
      known.add(id);
      waiting.push(signal);
      if (waiting.length >= MAX_PENDING) void flush();
      else timer ??= setTimeout(flush, FLUSH_DELAY_MS).unref();
    },
    close: flush,
  };
}
