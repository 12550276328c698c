import { describe, expect, it } from "vitest";
import type { EngineRun } from "../../../src/domain/nightly/engine.ts";
import { createRunWatch } from "../../../src/features/nightly/run-watch.ts";
import { waitForWholeRuns, wholeRuns } from "../../../src/features/nightly/screen.ts";
import { NOW, sampleMarket } from "../../support/context.ts";
import { movingClock } from "../../support/store.ts";

/** Ports of a market whose first run has a row; `end` finishes it. */
function firstRun({ inProgress }: { readonly inProgress: boolean }) {
  const clock = movingClock(NOW);
  const { watch, during, begin } = createRunWatch(clock);
  const run = { run_id: "one", runAt: null, rows: [{}], failures: [] } as unknown as EngineRun;
  const state = { finished: false };
  const engineRuns = {
    newest: async () => (state.finished ? { ...run, runAt: NOW.toISOString() } : null),
    unfinished: async () => (state.finished ? null : run),
    recent: async () => [{ runAt: null, universe: "all", rows: 1, members: 74 }],
    ongoing: watch,
  };
  let end = () => {};
  if (inProgress) {
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    void during(() => ended);
    begin();
  }
  return {
    ports: { engineRuns, clock, market: sampleMarket } as never,
    end: () => {
      state.finished = true;
      end();
    },
  };
}

describe("figures over all members", () => {
  it("wait for the end of the first run, not for its first rows", async () => {
    const { ports, end } = firstRun({ inProgress: true });
    let isOver = false;
    const wait = waitForWholeRuns(ports, undefined, ["equity"])!.then(() => {
      isOver = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    end();
    await wait;
    expect(await wholeRuns(ports, ["equity"])).toMatchObject([{ run_id: "one", runAt: NOW.toISOString() }]);
  });

  it("are refused with the time of a retry while the run goes on", async () => {
    const { ports, end } = firstRun({ inProgress: true });
    await expect(wholeRuns(ports)).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
      message: "The first nightly run is in progress; the run over all has results of 1 of 74 symbols",
      data: { retry_after: 10 },
    });
    end();
  });

  it("are those of an interrupted run if none is in progress", async () => {
    const { ports } = firstRun({ inProgress: false });
    expect(waitForWholeRuns(ports, undefined)).toBeUndefined();
    expect(await wholeRuns(ports)).toMatchObject([{ run_id: "one", runAt: null }]);
  });
});
