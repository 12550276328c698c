import { describe, expect, it } from "vitest";
import type { LoggedOdds, OddsBar } from "../../../src/domain/track-record/track-port.ts";
import { oddsLog } from "../../../src/store/track-record/odds-log.ts";
import { trackRepository } from "../../../src/store/track-record/track-repository.ts";
import { collectingLog, stoppedClock } from "../../support/context.ts";
import { climbingBars } from "../../support/market.ts";
import { testStore } from "../../support/store.ts";
import { loggedOdds, oddsForecast } from "../../support/track.ts";

const forecast = oddsForecast({ plan: null });
const bars = climbingBars();
const servedOdds = (over: Partial<OddsBar> = {}): OddsBar => {
  const { forecast: _, ...bar } = loggedOdds();
  return { ...bar, bars, ...over };
};

describe("the log of served odds", () => {
  it("writes the forecast of each bar once, when it is closed", async () => {
    const { db } = await testStore();
    const requested: OddsBar[] = [];
    const log = oddsLog({
      repository: trackRepository({ db, market: "test", clock: stoppedClock() }),
      forecastOf: async (odds) => {
        requested.push(odds);
        return forecast;
      },
      log: collectingLog().log,
    });
    const bar = { decided_at: "2025-10-02T20:00:00.000Z" };
    for (const odds of [servedOdds(), servedOdds(), servedOdds(bar), servedOdds({ timeframe: "4h" })])
      log.record(odds);
    const stored = () =>
      db.selectFrom("odds_answers").innerJoin("odds_forecasts as forecast", "forecast.id", "odds_answers.id");
    const rows = () => stored().selectAll("odds_answers").select("version").orderBy("decided_at").execute();
    expect(await rows()).toEqual([]);
    await log.close();
    const found = await rows();
    expect(found.map(({ timeframe, decided_at }) => [timeframe, decided_at.slice(0, 10)]).sort()).toEqual([
      ["1d", "2025-10-01"],
      ["1d", "2025-10-02"],
      ["4h", "2025-10-01"],
    ]);
    expect(found[0]).toMatchObject({
      symbol: "AAPL",
      asset_class: "equity",
      market: "test",
      version: "odds-1.0.0",
      logged_at: "2026-01-15T15:00:00.000Z",
    });
    expect(requested.map((odds) => odds.bars)).toEqual([bars, bars, bars]);
    log.record(servedOdds());
    await log.close();
    expect(requested).toHaveLength(3);
  });

  it("logs failed forecasts and failed writes, and continues", async () => {
    const { log: lines, lines: stored } = collectingLog();
    const written: LoggedOdds[] = [];
    let broken = true;
    const repository = {
      logOdds: async (odds: readonly LoggedOdds[]) => {
        if (broken) throw new Error("disk full");
        written.push(...odds);
      },
    };
    const forecastOf = async ({ symbol }: OddsBar) => {
      if (symbol === "MSFT") throw new Error("thread ended");
      return forecast;
    };
    const log = oddsLog({ repository, forecastOf, log: lines });
    log.record(servedOdds());
    await log.close();
    expect(stored).toMatchObject([{ level: "warn", event: "odds_not_logged", fields: { odds: 1 } }]);
    broken = false;
    log.record(servedOdds());
    log.record(servedOdds({ symbol: "MSFT" }));
    await log.close();
    expect(written).toEqual([loggedOdds()]);
    expect(stored[1]).toMatchObject({ event: "forecast_not_logged", fields: { symbol: "MSFT" } });
  });
});
