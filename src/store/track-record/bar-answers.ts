import type { Clock, Log } from "../../domain/ports.ts";
import type { BarAnswer, BarAnswerHistory, SignalLog } from "../../domain/track-record/track-port.ts";
import { createBoundedCache } from "../../lib/bounded-cache.ts";
import { type BarAnswerRows, type KnownAnswer, keyOf, mergedAnswer } from "./bar-answer-rows.ts";

/** Maximum number of bars whose answers are remembered. */
const MAX_BARS = 5_000;
/** Delay after which new answers are written together. */
const WRITE_DELAY_MS = 500;

type Observed = Pick<SignalLog, "observe"> & {
  /** Writes the answers that wait. */
  close(): Promise<void>;
};

/**
 * Creates the log of the first answer on each bar and of the time since which each input is used. Reads the answers of
 * other processes, and writes its own after a delay, so that no answer waits for a write. If rows cannot be
 * read or written, it logs a warning and uses only what this process has seen.
 */
export function barAnswers({
  rows,
  clock,
  log,
}: {
  readonly rows: BarAnswerRows;
  readonly clock: Clock;
  readonly log: Log;
}): Observed {
  const bars = createBoundedCache<string, KnownAnswer>({ name: "answers on bars", max: MAX_BARS });
  const unwritten = new Map<string, KnownAnswer>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> = Promise.resolve();

  function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const all = [...unwritten.values()];
    unwritten.clear();
    if (all.length > 0)
      writing = writing
        .then(async () => {
          for (const known of await rows.merge(all, clock.now())) bars.set(keyOf(known), known);
        })
        .catch((cause: unknown) => log.warn("bar_answers_not_written", { answers: all.length, cause }));
    return writing;
  }
  const stored = (answer: BarAnswer) =>
    rows.find(answer).catch((cause: unknown) => {
      log.warn("bar_answer_not_read", { symbol: answer.symbol, cause });
      return null;
    });

  /** Returns what is known of the bar of an answer, the answer included. */
  async function known(answer: BarAnswer): Promise<KnownAnswer> {
    const key = keyOf(answer);
    const at = clock.now().toISOString();
    const isKnown = ({ inputs }: KnownAnswer) =>
      answer.inputs.every(({ input, fingerprint }) => inputs[input]?.fingerprint === fingerprint);
    const cached = bars.get(key);
    if (cached !== undefined && isKnown(cached)) return cached;
    const earlier = await stored(answer);
    const own = bars.get(key); // another answer on the bar may have come meanwhile
    const before = earlier === null ? own : own === undefined ? earlier : mergedAnswer(earlier, own);
    const { symbol, timeframe, decided_at, direction, score, grade } = answer;
    const next: KnownAnswer = {
      symbol,
      timeframe,
      decided_at,
      first: before?.first ?? { direction, score, grade, at },
      inputs: { ...before?.inputs },
    };
    for (const { input, fingerprint } of answer.inputs)
      if (next.inputs[input]?.fingerprint !== fingerprint) next.inputs[input] = { fingerprint, since: at };
    bars.set(key, next);
    unwritten.set(key, next);
    timer ??= setTimeout(write, WRITE_DELAY_MS).unref();
    return next;
  }

  return {
    async observe(answer): Promise<BarAnswerHistory> {
      const { first, inputs } = await known(answer);
      const { symbol, timeframe, decided_at } = answer;
      const names = new Set(answer.inputs.map(({ input }) => input));
      return {
        first: { symbol, timeframe, decided_at, ...first },
        inputs: answer.inputs.map(({ input, known_at }) => ({
          input,
          known_at,
          used_since: inputs[input]!.since,
        })),
        lost: Object.keys(inputs).filter((input) => !names.has(input)),
      };
    },
    close: write,
  };
}
