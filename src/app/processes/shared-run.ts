import type { RunProgress, RunWatch } from "../../domain/nightly/engine-runs-port.ts";
import type { Peers } from "../../domain/peers-port.ts";

/** Creates the watch of the run in progress in any process of the server; `own` returns that of this process. */
export function createSharedRun(own: () => RunWatch, peers: Peers) {
  const listeners = new Set<() => void>();
  let received: RunProgress | null = null;
  const receive = (progress: RunProgress | null) => {
    received = progress;
    for (const listener of [...listeners]) listener();
  };
  peers.onRequest("run_progress", () => own().current());
  peers.onRequest("run_changed", receive);
  const watch: RunWatch = {
    current: () => own().current() ?? received,
    onChange(listener) {
      const stop = own().onChange(listener);
      listeners.add(listener);
      return () => {
        stop();
        listeners.delete(listener);
      };
    },
  };
  return {
    watch,
    /** Requests the progress of the process that computes the runs. */
    async ask(): Promise<void> {
      const [progress] = await peers.request("run_progress", null);
      if (received === null && progress !== undefined) receive(progress as RunProgress);
    },
    /**
     * In the process that computes the runs, sends the progress to the others whenever it changes. Returns a function that
     * stops sending.
     */
    send(): () => void {
      received = null;
      const send = () => void peers.request("run_changed", own().current());
      // the others may know of a run that a former process did not finish
      send();
      return own().onChange(send);
    },
  };
}
