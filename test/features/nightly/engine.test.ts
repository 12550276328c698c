import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { MODEL_VERSION } from "../../../src/analytics/score/consensus.ts";
import type { BarHistory } from "../../../src/domain/ports.ts";
import type { RunPorts } from "../../../src/features/nightly/run-ports.ts";
import { hashOf } from "../../../src/features/nightly/universe.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { collectingLog } from "../../support/context.ts";
import { runHead, testEngine } from "../../support/engine.ts";
import { climbingBars } from "../../support/market.ts";
import { movingClock } from "../../support/store.ts";

const HOUR = 3_600_000;
const bars = {
  AAPL: climbingBars(),
  SPY: climbingBars(),
  "BTC-USD": climbingBars({ zone: "UTC", count: 400 }),
};

/** An engine whose timers and clock are moved together. */
async function tended(
  mode: "sample" | "files" | "live",
  {
    content,
    isFirstStart = mode !== "live",
    ...over
  }: Partial<RunPorts> & { readonly content?: string; readonly isFirstStart?: boolean } = {},
) {
  const clock = movingClock();
  let last = 0;
  const ids = { uuid: () => `run-${++last}` };
  const market = { mode, id: "test", ...(content !== undefined && { content }) };
  const world = await testEngine({ bars }, { clock, ids, market, ...over }, { inMemory: true });
  onTestFinished(() => world.engine.close());
  if (!isFirstStart)
    for (const universe of ["sp500", "crypto"]) {
      const at = "2026-01-12T21:20:00.000Z";
      await world.repository.begin(runHead({ run_id: `earlier-${universe}`, universe, started_at: at }));
      await world.repository.finish(`earlier-${universe}`, { runAt: at, failures: [], index: null });
    }
  const settle = async () => {
    // runs yield to the event loop without timers
    for (let i = 0; i < 200; i++) await new Promise((next) => setImmediate(next));
  };
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= HOUR / 12) {
      clock.pass(Math.min(left, HOUR / 12));
      await vi.advanceTimersByTimeAsync(Math.min(left, HOUR / 12));
    }
    await settle();
  };
  const runs = async () => {
    const all = await world.repository.status(99);
    return all
      .filter(({ run_id }) => !run_id.startsWith("earlier-"))
      .map(({ universe, started_at, runAt }) => [universe, started_at, runAt !== null]);
  };
  return { ...world, pass, settle, runs };
}
const providerDown = async () => {
  throw new ToolError("UPSTREAM_UNAVAILABLE", "Nobody answers");
};

describe("a started engine", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  it("runs the sample market at its first start, then daily at 00:10 UTC", async () => {
    const { engine, pass, settle, runs } = await tended("sample");
    engine.start();
    await settle();
    expect(await runs()).toEqual([["all", "2026-01-15T15:00:00.000Z", true]]);
    await pass(9 * HOUR);
    expect(await runs(), "midnight alone is too early").toHaveLength(1);
    await pass(HOUR);
    expect(await runs()).toEqual([
      ["all", "2026-01-16T00:10:00.000Z", true],
      ["all", "2026-01-15T15:00:00.000Z", true],
    ]);
    await engine.close();
    await pass(48 * HOUR);
    expect(await runs(), "a closed engine rests").toHaveLength(2);
  });

  it("does not repeat a run at start that has finished since it was due", async () => {
    const { engine, settle, runs } = await tended("sample");
    await engine.run({ universe: { name: "all" } });
    engine.start();
    await settle();
    expect(await runs()).toHaveLength(1);
  });

  it("runs at its first start with live prices, then on schedule", async () => {
    const { engine, pass, settle, runs } = await tended("live", { isFirstStart: true });
    expect(await engine.firstRuns()).toEqual([
      { universe: "sp500", members: 1 },
      { universe: "crypto", members: 1 },
    ]);
    engine.start();
    await settle();
    const first = [
      ["sp500", "2026-01-15T15:00:00.000Z", true],
      ["crypto", "2026-01-15T15:00:00.000Z", true],
    ];
    expect(await runs()).toEqual(expect.arrayContaining(first));
    expect(await engine.firstRuns()).toEqual([]);
    await pass(7 * HOUR);
    expect(await runs()).toHaveLength(3);
    expect((await runs())[0]).toEqual(["sp500", "2026-01-15T21:20:00.000Z", true]);
  });

  it("runs stocks at 16:20 New York and coins at 00:10 UTC, and nothing at a later start with live prices", async () => {
    const { engine, pass, settle, runs, requests } = await tended("live");
    engine.start();
    await settle();
    expect([await runs(), requests]).toEqual([[], []]);
    await pass(10 * HOUR);
    expect(await runs()).toEqual([
      ["crypto", "2026-01-16T00:10:00.000Z", true],
      ["sp500", "2026-01-15T21:20:00.000Z", true],
    ]);
    await pass(24 * HOUR * 3);
    const stocks = (await runs()).filter(([universe]) => universe === "sp500").map(([, at]) => at);
    expect(stocks, "Friday's, and none at the weekend").toEqual([
      "2026-01-16T21:20:00.000Z",
      "2026-01-15T21:20:00.000Z",
    ]);
  });

  it("resumes an interrupted run at start, also with live prices", async () => {
    const { engine, repository, settle } = await tended("live");
    const head = runHead({
      run_id: "stopped",
      universe: "sp500",
      members: ["AAPL"],
      universe_hash: hashOf(["AAPL"]),
      as_of: "2026-01-14T21:00:00.000Z",
      started_at: "2026-01-14T21:20:00.000Z",
      model_version: MODEL_VERSION,
    });
    await repository.begin(head);
    engine.start();
    await settle();
    const resumed = (await repository.status(9)).find(({ run_id }) => run_id === "stopped");
    expect(resumed).toMatchObject({ rows: 1, runAt: expect.any(String) });
    expect(await repository.status(9)).toHaveLength(3);
  });

  it("ignores runs from the future, and warns once", async () => {
    const { log, lines } = collectingLog();
    const { engine, repository, pass, settle, runs } = await tended("sample", { log });
    // more than are read at once
    for (let i = 0; i < 25; i++) {
      const at = `2027-03-${`${i + 1}`.padStart(2, "0")}T00:10:00.000Z`;
      await repository.begin(runHead({ run_id: `ahead-${i}`, universe: "all", started_at: at }));
      await repository.finish(`ahead-${i}`, { runAt: at, failures: [], index: null });
    }
    engine.start();
    await settle();
    await pass(48 * HOUR);
    expect((await runs()).filter(([, at]) => `${at}` < "2027")).toEqual([
      ["all", "2026-01-17T00:10:00.000Z", true],
      ["all", "2026-01-16T00:10:00.000Z", true],
      ["all", "2026-01-15T15:00:00.000Z", true],
    ]);
    expect(lines.filter(({ event }) => event === "engine_runs_ahead")).toEqual([
      expect.objectContaining({ level: "warn", fields: { runs: 25, newest: "2027-03-25T00:10:00.000Z" } }),
    ]);
  });

  it("retries a run that failing providers left unfinished", async () => {
    const { ports } = await testEngine({ bars });
    let down = true;
    const history: BarHistory["history"] = (...request) =>
      down ? providerDown() : ports.bars.history(...request);
    const { engine, pass, runs, requests } = await tended("live", { bars: { history } });
    engine.start();
    await pass(6.5 * HOUR);
    expect(await runs()).toEqual([["sp500", "2026-01-15T21:20:00.000Z", false]]);
    down = false;
    await pass(HOUR / 4);
    expect(await runs(), "the same run").toEqual([["sp500", "2026-01-15T21:20:00.000Z", true]]);
    await pass(HOUR);
    expect(await runs()).toHaveLength(1);
    expect(requests).toEqual([]);
  });

  it("gives up after three hours, and starts again when the next run is due", async () => {
    let calls = 0;
    const history: BarHistory["history"] = ({ symbol }) => {
      if (symbol === "SPY") calls++;
      return providerDown();
    };
    const { engine, pass, runs } = await tended("live", { bars: { history } });
    engine.start();
    await pass(6.5 * HOUR);
    expect(calls, "each try asks once more").toBe(2);
    for (let i = 0; i < 20; i++) await pass(HOUR / 4);
    expect(calls).toBe(2 * (1 + 12));
    await pass(19 * HOUR);
    expect((await runs()).filter(([universe]) => universe === "sp500")).toEqual([
      ["sp500", "2026-01-16T21:20:00.000Z", false],
      ["sp500", "2026-01-15T21:20:00.000Z", false],
    ]);
  });

  it("runs at start over changed files", async () => {
    const { engine, repository, settle, runs } = await tended("files", { content: "after" });
    const run = { started_at: "2026-01-15T14:59:00.000Z", model_version: MODEL_VERSION };
    for (const [universe, content] of [
      ["sp500", "before"],
      ["crypto", "after"],
    ] as const) {
      await repository.begin(runHead({ ...run, run_id: universe, universe, content }));
      await repository.finish(universe, { runAt: run.started_at, failures: [], index: null });
    }
    engine.start();
    await settle();
    expect(await runs()).toEqual([
      ["sp500", "2026-01-15T15:00:00.000Z", true],
      ["sp500", run.started_at, true],
      ["crypto", run.started_at, true],
    ]);
  });

  it("does not start a run that another process has begun", async () => {
    const { engine, repository, pass, runs } = await tended("live");
    engine.start();
    await repository.begin(
      runHead({ run_id: "other", universe: "sp500", started_at: "2026-01-15T21:20:00.000Z" }),
    );
    await pass(8 * HOUR);
    expect(await runs()).toEqual([["sp500", "2026-01-15T21:20:00.000Z", false]]);
  });
});

describe("an engine", () => {
  it("serializes runs", async () => {
    const { engine } = await testEngine({ bars });
    const order: string[] = [];
    const run = (name: "sp500" | "crypto") =>
      engine.run({ universe: { name }, progress: () => void order.push(name) });
    await Promise.all([run("sp500"), run("crypto")]);
    expect(order).toEqual(["sp500", "sp500", "sp500", "crypto", "crypto"]);
  });

  it("stops the current run when closed, and starts no other", async () => {
    const { engine, repository } = await testEngine({ bars });
    let closed: Promise<void> | undefined;
    const running = engine.run({
      universe: { name: "all" },
      progress: () => {
        closed ??= engine.close();
      },
    });
    await expect(running).rejects.toMatchObject({ code: "CANCELLED" });
    await closed;
    expect(await repository.status(9)).toMatchObject([{ runAt: null }]);
    await expect(engine.run({ universe: { name: "all" } })).rejects.toMatchObject({ code: "CANCELLED" });
  });
});
