import { describe, expect, it } from "vitest";
import type { BacktestRequest } from "../../../src/features/backtest/plan.ts";
import { executeBacktest } from "../../../src/features/backtest/run.ts";
import { marketOf } from "../../support/market.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";
import { backtestRequest } from "./request.ts";

const BARS = 300;
const SYMBOLS = [
  ...["AAPL", "ABBV", "ADBE", "AMD", "AMZN", "BA", "BAC", "CAT", "COST", "CRM"],
  ...["CSCO", "CVX", "DIS", "GE", "GS", "HD", "IBM", "INTC", "JNJ", "JPM"],
];
const { ports } = marketOf({
  bars: Object.fromEntries(SYMBOLS.map((symbol, i) => [symbol, syntheticBars(i + 1, BARS)])),
});

/** Runs and records each progress step with the number of turns of the event loop until then. */
async function followed(
  over: Partial<BacktestRequest>,
  { stop = new AbortController(), after = Number.POSITIVE_INFINITY } = {},
) {
  await new Promise((done) => setImmediate(done));
  const steps: (Parameters<BacktestRequest["progress"]>[0] & { readonly turns: number })[] = [];
  let turns = 0;
  let running = true;
  const turn = () => {
    turns += 1;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  const run = executeBacktest(
    backtestRequest({
      strategy: "sma_cross",
      params: { fast: 5, slow: 20 },
      signal: stop.signal,
      progress: (step) => {
        steps.push({ ...step, turns });
        if (steps.length === after) stop.abort(new Error("enough"));
      },
      ...over,
    }),
    ports,
  );
  const outcome = await run.then(
    ({ ledger }) => ledger.time.length,
    (error: Error) => error.message,
  );
  running = false;
  return { outcome, steps };
}

const SIGNAL: Partial<BacktestRequest> = { symbols: SYMBOLS, strategy: "signal", params: {} };
const SWEEP: Partial<BacktestRequest> = { sweep: { fast: "2..19", slow: "20..24" } };

describe("a run of twenty symbols", () => {
  it("yields to the event loop and reports progress every 25 bars", async () => {
    const { outcome, steps: all } = await followed(SIGNAL);
    expect(outcome).toBe(BARS);
    const [first, ...steps] = all;
    expect(first).toMatchObject({ done: 0, total: 1, message: "reading bars" });
    expect(steps.map(({ done, total, message }) => `${done}/${total} ${message}`)).toEqual(
      Array.from({ length: (20 * BARS) / 25 }, (_, i) => `${25 * (i + 1)}/6000 signals replayed`),
    );
    const gaps = steps.slice(1).map(({ turns }, i) => turns - steps[i]!.turns);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1);
  });
});

describe("a sweep and shuffled runs", () => {
  it("report progress and yield between steps", async () => {
    const sweep = (await followed(SWEEP)).steps.slice(1);
    expect(sweep.map(({ done, total }) => `${done}/${total}`)).toEqual(["20/90", "40/90", "60/90", "80/90"]);
    const shuffled = (await followed({ draws: 5 })).steps.slice(1);
    expect(shuffled.map(({ done, total, message }) => `${done}/${total} ${message}`)).toEqual(
      [0, 1, 2, 3, 4].map((done) => `${done}/5 shuffled runs`),
    );
    for (const steps of [sweep, shuffled])
      for (const [i, { turns }] of steps.slice(1).entries()) expect(turns).toBeGreaterThan(steps[i]!.turns);
  });
});

describe("a run that is cancelled", () => {
  it.each([
    ["reading bars", SIGNAL, 1],
    ["signals replayed", SIGNAL, 7],
    ["combinations tried", SWEEP, 3],
    ["folds walked", { ...SWEEP, folds: 2 }, 7],
    ["shuffled runs", { draws: 50 }, 4],
  ])("stops at the next step with the abort reason: %s", async (message, over, after) => {
    const { outcome, steps } = await followed(over, { after });
    expect(outcome).toBe("enough");
    expect(steps).toHaveLength(after);
    expect(steps.at(-1)).toMatchObject({ message });
  });

  it("reads nothing when cancelled before it began", async () => {
    const stop = new AbortController();
    stop.abort(new Error("never mind"));
    expect(await followed(SIGNAL, { stop })).toMatchObject({ outcome: "never mind" });
  });
});
