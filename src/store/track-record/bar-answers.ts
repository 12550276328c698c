import type { Clock } from "../../domain/ports.ts";
import type { BarAnswer, BarAnswerHistory, SignalLog } from "../../domain/track-record/track-port.ts";

/** Maximum number of bars whose answers are remembered. */
const MAX_BARS = 5_000;

interface KnownInput {
  readonly fingerprint: string;
  readonly since: string;
}

interface KnownBar {
  readonly first: BarAnswerHistory["first"];
  readonly inputs: Map<string, KnownInput>;
}

/** Creates the memory of the first answer on each bar and of the time since which each input is used. */
export function barAnswers(clock: Clock): Pick<SignalLog, "observe"> {
  const bars = new Map<string, KnownBar>();

  function knownBar({ inputs: _, ...answer }: BarAnswer, at: string): KnownBar {
    const key = `${answer.symbol}|${answer.timeframe}|${answer.decided_at}`;
    const known = bars.get(key) ?? { first: { ...answer, at }, inputs: new Map<string, KnownInput>() };
    bars.delete(key); // the newest bar is the last
    bars.set(key, known);
    const oldest = bars.keys().next().value;
    if (bars.size > MAX_BARS && oldest !== undefined) bars.delete(oldest);
    return known;
  }

  return {
    observe(answer) {
      const at = clock.now().toISOString();
      const { first, inputs } = knownBar(answer, at);
      const names = new Set(answer.inputs.map(({ input }) => input));
      const lost = [...inputs.keys()].filter((input) => !names.has(input));
      for (const { input, fingerprint } of answer.inputs)
        if (inputs.get(input)?.fingerprint !== fingerprint) inputs.set(input, { fingerprint, since: at });
      return {
        first,
        inputs: answer.inputs.map(({ input, known_at }) => ({
          input,
          known_at,
          used_since: inputs.get(input)!.since,
        })),
        lost,
      };
    },
  };
}
