import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DRIVERS } from "../../../src/analytics/drivers/table.ts";
import { consensus as consensusOf } from "../../../src/analytics/score/consensus.ts";
import { gradeAt } from "../../../src/analytics/score/tape-columns.ts";
import { createApp } from "../../../src/app/app.ts";
import { readConfig } from "../../../src/app/config.ts";
import type { App } from "../../../src/app/installation.ts";
import { readHistories } from "../../../src/features/backtest/histories.ts";
import { computeTapes, readCompanions, type SignalTapes } from "../../../src/features/backtest/tapes.ts";
import { pictureOf } from "../../../src/features/signal/picture.ts";
import { barCloseMs } from "../../../src/market/calendar/calendar.ts";
import { collectingLog, stoppedClock } from "../../support/context.ts";
import { suiteDir } from "../../support/temp-dir.ts";
import { describeWithData } from "../../support/test-data.ts";

const IDS = DRIVERS.map(({ id }) => id);
const DIRECTIONS = { LONG: 1, WAIT: 0, SHORT: -1 } as const;
const { signal } = new AbortController();

/** An installation over a market, and the tapes of some of its symbols. */
function tapesIn(marketData: string, now: string, symbols: readonly string[]) {
  const suite = suiteDir();
  let app: App;
  let all: Awaited<ReturnType<typeof readHistories>>;
  let tapes: SignalTapes;
  const told: (readonly [number, number])[] = [];
  beforeAll(async () => {
    const settings = { DATA_DIR: suite.dir, MARKET_DATA: marketData, LOG_LEVEL: "silent" };
    app = await createApp(readConfig({ CACHE_MB: "2048", ...settings }), {
      log: collectingLog().log,
      clock: stoppedClock(new Date(now)),
    });
    all = await readHistories({ symbols, timeframe: "1d", signal }, app.ports);
    tapes = await computeTapes({
      read: all.read,
      companions: await readCompanions(all.read, { signal }, app.ports),
      needs: { signal: true, drivers: IDS, phase: true },
      signal,
      progress: (done, total) => void told.push([done, total]),
    });
  }, 120_000);
  afterAll(async () => {
    await app.close();
    suite.remove();
  });

  /** Returns the tape's values at a bar this far from the newest, and the signal as of its close. */
  return {
    told,
    async both(symbol: string, back: number) {
      const { series } = all.read.find(({ instrument }) => instrument.symbol === symbol)!;
      const { time, zone } = series.bars;
      const at = time.length - 1 - back;
      const as_of = new Date(barCloseMs(time[at]!, "1d", zone)).toISOString();
      const tape = tapes.of(symbol)!;
      const { input, structure, decidedAt } = await pictureOf(
        { symbol, timeframe: "1d", as_of, signal },
        app.ports,
      );
      expect(decidedAt).toBe(as_of);
      // a tape is computed from bars only: other facts of the past are not recorded
      const consensus = consensusOf({ ...input, facts: {} });
      const { phase } = structure.wyckoff;
      return {
        tape: {
          score: tape.score[at],
          grade: gradeAt(tape.grade[at]!),
          direction: tape.direction[at],
          phase: tape.phase![at],
          drivers: IDS.map((id) => [id, tape.drivers![id]![at]]),
        },
        signal: {
          score: consensus.score ?? Number.NaN,
          grade: consensus.grade,
          direction: DIRECTIONS[consensus.direction],
          phase: phase === "Undetermined" ? null : phase,
          drivers: consensus.drivers.map(({ id, value }) => [id, value ?? Number.NaN]),
        },
      };
    },
  };
}

const rankOf = (drivers: readonly (readonly (string | number | undefined)[])[]) =>
  drivers.find(([id]) => id === "r_rank")![1];

describe("tapes of the simulated market", () => {
  const { both, told } = tapesIn("sample", "2026-01-15T15:00:00.000Z", ["AAPL", "SPY", "ETH-USD"]);

  it.each([
    ["AAPL", [0, 1, 250, 999]],
    ["SPY", [0, 333]],
    ["ETH-USD", [0, 77]],
  ])("equal the signal of %s as of those closes exactly", async (symbol, backs) => {
    for (const back of backs) {
      const { tape, signal } = await both(symbol, back);
      expect(tape, `${back} bars ago`).toEqual(signal);
      expect(tape.score, `${back} bars ago`).not.toBeNaN();
      if (symbol === "AAPL") expect(rankOf(tape.drivers), `${back} bars ago`).not.toBeNaN();
    }
  });

  it("report progress to the last bar, never backwards", () => {
    const done = told.map(([count]) => count);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(told.at(-1)![0]).toBe(told.at(-1)![1]);
  });
});

describeWithData("tapes of a folder of real days", ["ohlcv", "us_daily"], (folder) => {
  const { both } = tapesIn(`files:${folder}`, "2026-11-01T00:00:00.000Z", ["MSFT", "JNJ"]);

  it.each([
    ["MSFT", [0, 1, 400, 800]],
    ["JNJ", [0, 123]],
  ])("equal the signal of %s as of those closes exactly", async (symbol, backs) => {
    for (const back of backs) {
      const { tape, signal } = await both(symbol, back);
      expect(tape, `${back} bars ago`).toEqual(signal);
      expect(rankOf(tape.drivers), `${back} bars ago`).not.toBeNaN();
    }
  });
});
