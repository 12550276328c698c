import type { Ports } from "../domain/ports.ts";
import type { NightlyEngine } from "../features/nightly/engine.ts";
import { invoke } from "../kernel/invoke.ts";
import type { Tool } from "../kernel/tool.ts";
import type { App } from "./installation.ts";
import { demoMarketOf } from "./providers/demo-ports.ts";

/** Starts work; returns a function that ends it. */
type Start = () => () => Promise<void>;

interface BackgroundOptions extends Pick<App, "live" | "owner"> {
  readonly ports: Ports;
  readonly engine: Pick<NightlyEngine, "start">;
  readonly watching: { readonly start: Start };
  /** Starts sending the progress of the nightly run to the other processes; returns a function that stops it. */
  readonly sendProgress: () => () => void;
  /** Tool of the public demo. */
  readonly demoTool: Tool | undefined;
}

/**
 * Creates the background work, which runs in one process of all: the schedule of nightly runs, whose end one process writes;
 * the evaluation of alerts, which numbers the changes in order; and with live prices listings and the demo, which are one
 * copy for all. The returned function starts it, also again after it has ended.
 */
export function backgroundWork(options: BackgroundOptions): Start {
  const { engine, watching, sendProgress } = options;
  return () => {
    const stopSending = sendProgress();
    const stops = [engine.start(), watching.start(), startLive(options)];
    return async () => {
      stopSending();
      await Promise.all(stops.map((stop) => stop()));
    };
  };
}

function startLive({ live, ports, owner, demoTool }: BackgroundOptions): () => Promise<void> {
  if (live === null) return async () => {};
  return live.start({
    requestSnapshot: ports.contractHistory.requestSnapshot,
    demo: async () => {
      if (demoTool === undefined) return;
      const demo = { ...ports, ...live.demoPorts, market: demoMarketOf(ports.market) };
      await invoke(demoTool, {}, { ports: demo, principal: owner, transport: "background", nested: true });
    },
  });
}
