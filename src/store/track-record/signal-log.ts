import type { Log } from "../../domain/ports.ts";
import type { LoggedSignal } from "../../domain/track-record/track.ts";
import type { SignalLog, TrackRepository } from "../../domain/track-record/track-port.ts";
import { signalId } from "./track-repository.ts";

/** How long a signal waits to be written together with others. */
const FLUSH_DELAY_MS = 2_000;
/** Names of signals that were written, so that those asked for again and again are not written again. */
const MAX_KNOWN_IDS = 10_000;
/** Signals waiting at once; more than that are written at once. */
const MAX_PENDING = 1_000;

/** Writes what is served a little later, all at once; what cannot be written is logged and lost. `close` writes what is left. */
export function signalLog({
  book: repository,
  market,
  log,
}: {
  readonly book: Pick<TrackRepository, "log">;
  readonly market: string;
  readonly log: Log;
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
          for (const one of signals) known.delete(signalId(market, one));
        });
    return writing;
  }

  return {
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
