import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Timeframe } from "../../../src/domain/market/bars.ts";
import type { ReceivedRequest } from "../../replay/replay.ts";

/** A message to the replay process: the series to generate before they are requested. */
export interface WarmRequest {
  readonly id: number;
  readonly warm: readonly (readonly [symbol: string, timeframe: Timeframe])[];
}

/** Replayed providers in a separate process, so that their work is not measured. */
export interface Replayed {
  readonly env: Readonly<Record<string, string>>;
  /** Calls received so far, by provider. */
  calls(): Promise<Readonly<Record<string, readonly ReceivedRequest[]>>>;
  warm(what: WarmRequest["warm"]): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the providers: with `realistic` delays or `none`. */
export async function replayed(latency: "realistic" | "none"): Promise<Replayed> {
  const file = fileURLToPath(new URL("vendors.ts", import.meta.url));
  const child = fork(file, [latency], { execArgv: ["--import", import.meta.resolve("tsx")] });
  const ended = once(child, "exit");
  const [{ env }] = (await once(child, "message")) as [{ env: Record<string, string> }];
  let sent = 0;
  const request = async (warm: WarmRequest["warm"]) => {
    const id = sent++;
    child.send({ id, warm } satisfies WarmRequest);
    const [response] = (await once(child, "message")) as [
      { calls: Readonly<Record<string, readonly ReceivedRequest[]>> },
    ];
    return response.calls;
  };
  return {
    env,
    calls: () => request([]),
    warm: async (what) => void (await request(what)),
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}
