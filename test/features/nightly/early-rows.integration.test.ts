import { describe, expect, it } from "vitest";
import type { MarketIndexValue } from "../../../src/domain/nightly/engine.ts";
import type { Ports } from "../../../src/domain/ports.ts";
import { createEngine } from "../../../src/features/nightly/engine.ts";
import { screenRuns } from "../../../src/features/nightly/screen.ts";
import { largestFirst } from "../../../src/features/nightly/universe.ts";
import { invoke } from "../../../src/kernel/invoke.ts";
import { engineRuns } from "../../../src/store/nightly/engine-runs.ts";
import { getHealth } from "../../../tools/get-health.ts";
import { getServiceIndex } from "../../../tools/get-service-index.ts";
import { getSignalIndex } from "../../../tools/get-signal-index.ts";
import { screenUniverse } from "../../../tools/screen-universe.ts";
import { anonymous } from "../../support/context.ts";
import { testEngine } from "../../support/engine.ts";
import { climbingBars } from "../../support/market.ts";

const NAMES = [
  ...["AAPL", "MSFT", "NVDA", "AVGO", "ORCL", "CRM", "AMD", "CSCO", "ADBE", "INTC", "QCOM", "IBM"],
  ...["AMZN", "TSLA", "HD", "MCD", "NKE", "LOW", "JPM", "V", "MA", "BAC", "WFC", "GS", "MS", "XOM"],
  ...["CVX", "COP", "LLY", "JNJ", "UNH", "ABBV", "MRK", "PFE", "PG", "KO", "PEP", "COST", "WMT"],
];
const bars = Object.fromEntries(
  [...NAMES, "SPY"].map((name, i) => [name, climbingBars({ step: 0.01 * (i + 1), count: 400 })]),
);
const market = { mode: "live", id: "test" } as const;
const INDEX: MarketIndexValue = { value: 40, band: "fear", parts: [], as_of: "2026-01-14T21:00:00.000Z" };

/** A live market whose first run waits before it reads any more series, once `SPY` and 32 others were read. */
async function duringFirstRun() {
  let release = () => {};
  const released = new Promise<void>((go) => (release = go));
  let reached = () => {};
  const waiting = new Promise<void>((go) => (reached = go));
  const indexed: number[] = [];
  const { ports, db, repository, jobs } = await testEngine({ bars });
  // read one symbol per call, and without peers
  const symbols = { ...ports.symbols, peers: () => [], universe: () => [] };
  const index = async ({ rows }: { readonly rows: readonly unknown[] }) => {
    indexed.push(rows.length);
    return INDEX;
  };
  const engine = createEngine({ ...ports, market, symbols, repository, jobs, index });
  const history = ports.bars.history;
  const first = new Set(
    largestFirst(ports.symbols.members().filter(({ symbol }) => symbol !== "SPY"))
      .slice(0, 32)
      .map(({ symbol }) => symbol),
  );
  ports.bars.history = async (instrument, request) => {
    if (!first.has(instrument.symbol) && instrument.symbol !== "SPY" && indexed.length > 0) {
      reached();
      await released;
    }
    return history(instrument, request);
  };
  const runs = engineRuns({ db, market: ports.market.id, clock: ports.clock });
  const live = {
    ...(ports as unknown as Ports),
    market,
    symbols,
    engineRuns: runs,
    runProgress: runs,
    signal: new AbortController().signal,
  };
  return { live, engine, repository, waiting, release: () => release(), indexed, first };
}
const call = (ports: Ports) => ({
  ports,
  principal: { account: "a", plan: "enterprise", scopes: ["read"] } as const,
  transport: "test",
});

describe("while the first run over live prices is in progress", () => {
  it("the screener, the indices and health answer from the rows computed so far, and say how many", async () => {
    const { live, engine, waiting, release, first } = await duringFirstRun();
    const before = await screenRuns({ filters: {}, sort: "score", limit: 5 }, live).catch((cause) => cause);
    expect(before).toMatchObject({
      code: "NOT_ENOUGH_DATA",
      data: { retry_at: "2026-01-15T21:20:00.000Z" },
    });
    const running = engine.run({ universe: { name: "sp500" }, early: true });
    await waiting;
    const page = await invoke(screenUniverse, { limit: 100 }, call(live));
    expect(new Set(page.results.map(({ symbol }) => symbol))).toEqual(first);
    expect(page.runs).toMatchObject([{ runAt: null, members: NAMES.length, computed: 32, stale: false }]);
    expect(page.notes[0]).toBe(
      `The first run over sp500 is not finished: results of 32 of ${NAMES.length} symbols, largest first; scores change slightly once all are read and ranked`,
    );
    expect(await invoke(getSignalIndex, {}, call(live))).toMatchObject({ value: 40, run: { computed: 32 } });
    expect((await invoke(getServiceIndex, {}, call(live))).quotes).toMatchObject({ members: 32 });
    const { nightly_runs } = await invoke(getHealth, {}, { ...call(live), principal: anonymous });
    expect(nightly_runs).toEqual([
      {
        universe: "sp500",
        started_at: "2026-01-15T15:00:00.000Z",
        finished_at: null,
        computed: 32,
        members: NAMES.length,
      },
    ]);
    release();
    const { rows } = await running;
    expect(rows).toHaveLength(NAMES.length);
    expect(rows.some(({ early }) => early === true)).toBe(false);
    const after = await invoke(screenUniverse, { limit: 100 }, call(live));
    expect(after).toMatchObject({ total: NAMES.length, runs: [{ runAt: "2026-01-15T15:00:00.000Z" }] });
    expect(after.notes.join(" ")).not.toContain("not finished");
  });

  it("an interrupted first run computes its early rows again when it is resumed", async () => {
    const { engine, repository, waiting, release, live } = await duringFirstRun();
    const stop = new AbortController();
    const running = engine.run({ universe: { name: "sp500" }, early: true, signal: stop.signal });
    await waiting;
    stop.abort();
    release();
    await expect(running).rejects.toMatchObject({ code: "CANCELLED" });
    const { run_id } = (await repository.status(1))[0]!;
    expect([...(await repository.computedSymbols(run_id))]).toEqual([]);
    const failure = await screenRuns(
      { filters: { asset_class: ["crypto"] }, sort: "score", limit: 5 },
      live,
    ).catch((cause) => cause);
    expect(failure).toMatchObject({
      message: `No nightly run over crypto has finished yet; the run over sp500 has results of 32 of ${NAMES.length} symbols`,
      data: { retry_at: "2026-01-15T15:01:00.000Z" },
    });
    const resumed = await engine.run({ universe: { name: "sp500" }, early: true, resume: true });
    expect(resumed).toMatchObject({ resumed: true, head: { run_id } });
    expect(resumed.rows).toHaveLength(NAMES.length);
  });

  it("the smaller universe runs first", async () => {
    const { engine } = await testEngine(
      { bars: { ...bars, "BTC-USD": climbingBars({ zone: "UTC" }) } },
      { market },
    );
    expect(await engine.firstRuns()).toEqual([
      { universe: "crypto", members: 1 },
      { universe: "sp500", members: NAMES.length },
    ]);
  });
});
