import { expect, it } from "vitest";
import { pathForecast } from "../../../src/analytics/odds/forecast.ts";
import { ODDS_VERSION } from "../../../src/analytics/odds/odds.ts";
import { ODDS_BARS } from "../../../src/analytics/odds/range-model.ts";
import { createApp } from "../../../src/app/app.ts";
import { readConfig } from "../../../src/app/config.ts";
import { forecastText } from "../../../src/store/track-record/forecast-text.ts";
import { trackRecord } from "../../../src/store/track-record/track-record.ts";
import { getOdds } from "../../../tools/get-odds.ts";
import { getSignal } from "../../../tools/get-signal.ts";
import { collectingLog } from "../../support/context.ts";
import { movingClock } from "../../support/store.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { callerOf } from "../../support/tool-call.ts";

const DAY = 86_400_000;
const signal = new AbortController().signal;

/** One installation that is restarted for each `visit`, so that its logs are written. */
function installation() {
  const clock = movingClock(new Date("2026-06-10T15:00:00.000Z"));
  const settings = { DATA_DIR: tempDir(), MARKET_DATA: "sample", LOG_LEVEL: "silent" };
  const { log, lines } = collectingLog();
  async function open() {
    const app = await createApp(readConfig({ CACHE_MB: "2048", ...settings }), { clock, log });
    const { db } = app.store;
    return {
      app,
      db,
      odds: callerOf(getOdds, app.ports, app.owner),
      signal: callerOf(getSignal, app.ports, app.owner),
      stored: () =>
        db
          .selectFrom("odds_answers as answer")
          .innerJoin("odds_forecasts as forecast", "forecast.id", "answer.id")
          .selectAll("answer")
          .select(["forecast.version", "forecast.json"])
          .execute(),
      /** Runs over another symbol, which scores what is due. */
      score: () => app.engine.run({ universe: { name: "file:mine.txt", symbols: ["MSFT"] } }),
      /** Rows of this installation of all years and asset classes; the simulated market comes with a record of its own. */
      async record() {
        const own = trackRecord({ db, market: app.ports.market.id, model: "any" });
        const rows = (await own.odds())?.rows ?? [];
        return rows.filter(
          ({ period, asset_class, version }) =>
            period === "all" && asset_class === null && version === ODDS_VERSION,
        );
      },
    };
  }
  async function visit<T>(work: (visitor: Awaited<ReturnType<typeof open>>) => Promise<T>): Promise<T> {
    const visitor = await open();
    try {
      return await work(visitor);
    } finally {
      await visitor.app.close();
    }
  }
  return { clock, lines, visit };
}

it("stores the odds of an answer once per bar, scores them when their bars arrive and counts them", async () => {
  const { clock, visit } = installation();
  const asked = await visit(async ({ odds }) => {
    const answer = await odds({ symbol: "AAPL", levels: ["5%"], stop: "-4%", target: "+6%" });
    await odds({ symbol: "AAPL", horizon: 10 });
    await odds({ symbol: "MSFT", as_of: "2026-06-01" });
    return answer;
  });
  const first = await visit(async ({ odds, stored }) => {
    await odds({ symbol: "AAPL" });
    return stored();
  });
  expect(first).toMatchObject([
    {
      symbol: "AAPL",
      asset_class: "equity",
      timeframe: "1d",
      decided_at: asked.data_as_of,
      version: ODDS_VERSION,
    },
  ]);

  clock.pass(120 * DAY);
  await visit(async ({ app, db, score, stored, record }) => {
    await score();
    expect(await stored()).toEqual(first);
    const instrument = app.ports.symbols.resolve("AAPL").instrument;
    const asOf = Date.parse(asked.data_as_of);
    const past = await app.ports.bars.history(instrument, {
      timeframe: "1d",
      limit: ODDS_BARS,
      asOf,
      signal,
    });
    const forecast = pathForecast({ bars: past.bars, symbol: "AAPL", assetClass: "equity", plan: null })!;
    expect(first[0]!.json).toBe(forecastText(forecast));
    const now = await app.ports.bars.history(instrument, { timeframe: "1d", limit: 200, signal });
    const at = now.bars.time.indexOf(past.bars.time.at(-1)!);
    const outcomes = await db
      .selectFrom("signal_outcomes")
      .selectAll()
      .where("id", "=", first[0]!.id)
      .orderBy("horizon")
      .execute();
    expect(outcomes.map(({ horizon }) => horizon)).toEqual([5, 20, 60]);
    const close = now.bars.close;
    for (const { horizon, change } of outcomes)
      expect(change).toBeCloseTo(close[at + horizon]! / close[at]! - 1, 12);
    // by hand: within the 80% range, the second and the sixth quantile
    const within = forecast.horizons.map(({ bars, quantiles }) => {
      const moved = Math.log(close[at + bars]! / close[at]!);
      return quantiles[1]! <= moved && moved <= quantiles[5]! ? 1 : 0;
    });
    const rows = await record();
    expect(rows.map(({ horizon, n, replayed, cover_80 }) => [horizon, n, replayed, cover_80])).toEqual([
      [5, 1, 0, within[0]],
      [20, 1, 0, within[1]],
      [60, 1, 0, within[2]],
    ]);
    expect(rows.map(({ plan }) => plan)).toEqual([null, null, null]);
  });
});

it("counts a get_signal and a get_odds of the same bar once", async () => {
  const { clock, visit } = installation();
  await visit(({ odds }) => odds({ symbol: "AAPL" }));
  clock.pass(60_000);
  await visit(({ signal }) => signal({ symbol: "AAPL" }));
  clock.pass(30 * DAY);
  await visit(async ({ db, score, record }) => {
    await score();
    const scored = await db
      .selectFrom("signal_outcomes")
      .innerJoin("odds_forecasts as forecast", "forecast.id", "signal_outcomes.id")
      .select("version")
      .where("horizon", "=", 20)
      .execute();
    expect(scored).toEqual([{ version: ODDS_VERSION }, { version: ODDS_VERSION }]);
    expect((await record()).map(({ horizon, n }) => [horizon, n])).toEqual([
      [5, 1],
      [20, 1],
    ]);
  });
});

it("answers when the odds cannot be stored, and logs it", async () => {
  const { lines, visit } = installation();
  await visit(async ({ db, odds }) => {
    await db.schema.dropTable("odds_answers").execute();
    expect((await odds({ symbol: "AAPL" })).ranges.length).toBeGreaterThan(0);
  });
  expect(lines).toContainEqual({
    level: "warn",
    event: "odds_not_logged",
    fields: { odds: 1, cause: expect.anything() },
  });
});
