import { describe, expect, it } from "vitest";
import type { EngineRun } from "../../../src/domain/nightly/engine.ts";
import { runsOnRequest } from "../../../src/features/nightly/runs-on-request.ts";
import { collectingLog } from "../../support/context.ts";
import { noRuns } from "../../support/engine-runs.ts";
import { movingClock } from "../../support/store.ts";

const finished = (started_at: string) => ({ run_id: started_at, started_at }) as EngineRun;

/** Runs on request over an engine whose runs end when the test says so. */
function onRequest(mode: "sample" | "files" | "live", { waitMs = 60_000, first = ["all"] } = {}) {
  const clock = movingClock(); // 2026-01-15T15:00:00Z
  const { log, lines } = collectingLog();
  const begun: string[] = [];
  const ends: ((failure?: Error) => void)[] = [];
  let newest: EngineRun | null = null;
  const engine = {
    firstRuns: async () => first.map((universe) => ({ universe: universe as "all", members: 3 })),
    run: ({ universe }: { universe: { name: string } }) => {
      begun.push(universe.name);
      return new Promise<never>((done, fail) => {
        ends.push((failure) => {
          if (failure !== undefined) return fail(failure);
          newest = finished(clock.now().toISOString());
          done(undefined as never);
        });
      });
    },
  };
  const runs = runsOnRequest({
    engineRuns: { ...noRuns, newest: async () => newest },
    engine: () => engine,
    market: { mode },
    clock,
    log,
    waitMs,
  });
  const settle = async () => {
    for (let i = 0; i < 10; i++) await new Promise((next) => setImmediate(next));
  };
  return { clock, runs, begun, ends, lines, settle, publish: (run: EngineRun) => (newest = run) };
}

describe("runs on request", () => {
  it("start one run for the first requests, which wait for its end", async () => {
    const { runs, begun, ends, settle } = onRequest("sample");
    const requests = [runs.newest("1d", "stocks"), runs.newest("1d", "crypto")];
    await settle();
    expect(begun).toEqual(["all"]);
    ends[0]!();
    expect(await Promise.all(requests)).toMatchObject([{ run_id: expect.any(String) }, {}]);
    expect(begun).toEqual(["all"]);
  });

  it("answer without a run after a while, and the run goes on", async () => {
    const { runs, begun, ends, settle } = onRequest("files", { waitMs: 1, first: ["crypto", "sp500"] });
    expect(await runs.newest("1d", "stocks")).toBeNull();
    ends[0]!();
    await settle();
    expect(begun).toEqual(["crypto", "sp500"]);
    expect(await runs.newest("1d", "crypto")).not.toBeNull();
  });

  it("start again after a run that failed, which is logged", async () => {
    const { runs, begun, ends, lines, settle } = onRequest("sample");
    const request = runs.newest("1d", "stocks");
    await settle();
    ends[0]!(new Error("no bars"));
    expect(await request).toBeNull();
    expect(lines.map(({ event }) => event)).toEqual(["engine_run_failed"]);
    void runs.newest("1d", "stocks");
    await settle();
    expect(begun).toEqual(["all", "all"]);
  });

  it("return a run of an earlier day while the next one is computed", async () => {
    const { runs, begun, ends, settle, publish } = onRequest("sample");
    const old = publish(finished("2026-01-14T00:10:00.000Z"));
    expect(await runs.newest("1d", "stocks")).toBe(old);
    await settle();
    expect(begun).toEqual(["all"]);
    ends[0]!();
    await settle();
    expect((await runs.newest("1d", "stocks"))?.started_at).toBe("2026-01-15T15:00:00.000Z");
    await settle();
    expect(begun).toEqual(["all"]);
  });

  it("start nothing with live prices", async () => {
    const { runs, begun, settle } = onRequest("live");
    expect(await runs.newest("1d", "stocks")).toBeNull();
    await settle();
    expect(begun).toEqual([]);
  });
});
