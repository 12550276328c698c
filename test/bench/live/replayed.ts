import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Timeframe } from "../../../src/domain/market/bars.ts";
import type { ReceivedRequest } from "../../replay/replay.ts";

/** A message to the replay process: data to generate before it is requested. */
export interface Question {
  readonly id: number;
  readonly warm: readonly (readonly [symbol: string, timeframe: Timeframe])[];
}

/** Replayed providers in a separate process, so that their work is not measured. */
export interface Replayed {
  readonly env: Readonly<Record<string, string>>;
  /** Calls received so far, by provider. */
  calls(): Promise<Readonly<Record<string, readonly ReceivedRequest[]>>>;
  warm(what: Question["warm"]): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the providers: `late` with realistic delays, or `at once`. */
export async function replayed(pace: "late" | "at once"): Promise<Replayed> {
  const file = fileURLToPath(new URL("vendors.ts", import.meta.url));
  const child = fork(file, [pace], { execArgv: ["--import", import.meta.resolve("tsx")] });
  const ended = once(child, "exit");
  const [{ env }] = (await once(child, "message")) as [{ env: Record<string, string> }];
  let sent = 0;
  const ask = async (warm: Question["warm"]) => {
    const id = sent++;
    child.send({ id, warm } satisfies Question);
    const [answer] = (await once(child, "message")) as [
      { calls: Readonly<Record<string, readonly ReceivedRequest[]>> },
    ];
    return answer.calls;
  };
  return {
    env,
    calls: () => ask([]),
    warm: async (what) => void (await ask(what)),
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}
