import { describe, expect, it } from "vitest";
import type { LoggedSignal } from "../../../src/domain/track-record/track.ts";
import type { ForecastSignal, ServedSignal } from "../../../src/domain/track-record/track-port.ts";
import { signalLog } from "../../../src/store/track-record/signal-log.ts";
import { trackRepository } from "../../../src/store/track-record/track-repository.ts";
import { collectingLog, stoppedClock } from "../../support/context.ts";
import { climbingBars } from "../../support/market.ts";
import { testStore } from "../../support/store.ts";
import { loggedSignal, oddsForecast } from "../../support/track.ts";

/** A repository that only counts. */
const counting = (written: number[]) => ({
  async log(all: readonly LoggedSignal[]) {
    written.push(all.length);
    return [];
  },
});

describe("the log of served signals", () => {
  it("writes pending signals when it is closed, each once", async () => {
    const { db } = await testStore();
    const repository = trackRepository({ db, market: "test", clock: stoppedClock() });
    const count = async () => (await db.selectFrom("signals").select("id").execute()).length;
    const log = signalLog({ repository, market: "test", log: collectingLog().log });
    for (let i = 0; i < 1_000; i++) log.record(loggedSignal({ origin: "served" }));
    log.record(loggedSignal({ origin: "served", symbol: "MSFT" }));
    expect(await count()).toBe(0);
    await log.close();
    expect(await count()).toBe(2);
    log.record(loggedSignal({ origin: "served" }));
    await log.close();
    expect(await count()).toBe(2);
  });

  it("writes a thousand equal signals once", async () => {
    const written: number[] = [];
    const repository = counting(written);
    const log = signalLog({ repository, market: "test", log: collectingLog().log });
    for (let i = 0; i < 1_000; i++) log.record(loggedSignal());
    await log.close();
    log.record(loggedSignal());
    await log.close();
    expect(written).toEqual([1]);
  });

  it("writes without delay when many signals are pending", async () => {
    const written: number[] = [];
    const repository = counting(written);
    const log = signalLog({ repository, market: "test", log: collectingLog().log });
    for (let i = 0; i < 2_500; i++) log.record(loggedSignal({ symbol: `S${i}` }));
    await log.close();
    expect(written).toEqual([1_000, 1_000, 500]);
  });

  it("logs and drops failed writes, and continues", async () => {
    const { log: lines, lines: stored } = collectingLog();
    let broken = true;
    const written: number[] = [];
    const repository = {
      log: async (all: readonly unknown[]) => {
        if (broken) throw new Error("disk full");
        written.push(all.length);
        return [];
      },
    };
    const log = signalLog({ repository, market: "test", log: lines });
    log.record(loggedSignal());
    await log.close();
    expect(stored).toMatchObject([{ level: "warn", event: "signals_not_logged", fields: { signals: 1 } }]);
    broken = false;
    log.record(loggedSignal());
    log.record(loggedSignal({ symbol: "MSFT" }));
    await log.close();
    expect(written, "what was lost is written when it is served again").toEqual([2]);
  });

  it("computes the forecast of each signal once, and writes the signal also when that fails", async () => {
    const { log: lines, lines: stored } = collectingLog();
    const written: ForecastSignal[] = [];
    const requested: ServedSignal[] = [];
    const repository = {
      log: async (all: readonly ForecastSignal[]) => {
        written.push(...all);
        return [];
      },
    };
    const forecastOf = async (signal: ServedSignal) => {
      requested.push(signal);
      if (signal.symbol === "MSFT") throw new Error("thread ended");
      return oddsForecast();
    };
    const log = signalLog({ repository, forecastOf, market: "test", log: lines });
    const bars = climbingBars();
    for (const symbol of ["AAPL", "AAPL", "MSFT"])
      log.record({ ...loggedSignal({ symbol }), bars, odds: null });
    await log.close();
    expect(requested.map(({ symbol }) => symbol)).toEqual(["AAPL", "MSFT"]);
    expect(requested[0]!.bars).toBe(bars);
    expect(written).toEqual([
      { ...loggedSignal(), forecast: oddsForecast() },
      { ...loggedSignal({ symbol: "MSFT" }), forecast: null },
    ]);
    expect(stored).toMatchObject([
      { level: "warn", event: "forecast_not_logged", fields: { symbol: "MSFT" } },
    ]);
  });

  it("computes at most 50 forecasts while it is closed, and writes every signal", async () => {
    let computed = 0;
    const written: number[] = [];
    const forecastOf = async () => {
      computed++;
      return null;
    };
    const options = { repository: counting(written), forecastOf, market: "test" };
    const log = signalLog({ ...options, log: collectingLog().log });
    for (let i = 0; i < 60; i++) log.record(loggedSignal({ symbol: `S${i}` }));
    await log.close();
    expect([computed, written]).toEqual([50, [60]]);
  });
});
