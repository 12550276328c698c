import { describe, expect, it } from "vitest";
import type { Horizon } from "../../../src/domain/track-record/track.ts";
import type {
  ForecastSignal,
  LoggedOdds,
  ObservedForecast,
} from "../../../src/domain/track-record/track-port.ts";
import { trackRecord } from "../../../src/store/track-record/track-record.ts";
import { trackRepository } from "../../../src/store/track-record/track-repository.ts";
import { movingClock, testStore } from "../../support/store.ts";
import { loggedOdds, loggedSignal, oddsForecast } from "../../support/track.ts";

const DAY = 86_400_000;
const decided = Date.parse(loggedSignal().decided_at);
const outcome = (horizon: Horizon, known = decided + 30 * DAY) => ({
  horizon,
  known_at: new Date(known).toISOString(),
  change: 0.05,
  r: null,
  highest: 0.06,
  lowest: -0.01,
  plan_end: horizon === 20 ? ("target" as const) : null,
});

async function openFixture() {
  const { db } = await testStore();
  const clock = movingClock(new Date(decided));
  const repository = trackRepository({ db, market: "test", clock });
  const pages = async (timeframe: "1d" | "4h" = "1d") => {
    const found: (readonly ObservedForecast[])[] = [];
    for await (const page of repository.observedForecasts(timeframe)) found.push(page);
    return found;
  };
  return {
    db,
    clock,
    repository,
    all: async (timeframe?: "1d" | "4h") => (await pages(timeframe)).flat(),
    pages,
    async record(signals: readonly ForecastSignal[], horizons: readonly Horizon[] = [20]) {
      const ids = await repository.log(signals);
      await repository.score(ids.flatMap((id) => horizons.map((horizon) => ({ id, ...outcome(horizon) }))));
      return ids;
    },
    /** Stores odds without a signal, with what happened after 20 bars. */
    async logOdds(odds: readonly LoggedOdds[]) {
      await repository.logOdds(odds);
      const answers = await db.selectFrom("odds_answers").select("id").execute();
      await repository.score(answers.map(({ id }) => ({ id, ...outcome(20), plan_end: null })));
    },
  };
}

const forecast = oddsForecast();
const other = oddsForecast({ plan: null });

describe("stored forecasts", () => {
  it("are returned with what happened at each horizon", async () => {
    const { record, all } = await openFixture();
    await record([loggedSignal({ forecast })], [5, 20]);
    const happened = { close: Math.log1p(0.05), high: 0.06, low: -0.01, replayed: false };
    expect(await all()).toEqual([
      {
        symbol: "AAPL",
        at: decided,
        asset_class: "equity",
        forecast,
        outcomes: [
          { bars: 5, ...happened, planEnd: null, planSide: "LONG" },
          { bars: 20, ...happened, planEnd: "target", planSide: "LONG" },
        ],
      },
    ]);
    expect(await all("4h")).toEqual([]);
  });

  it("are not returned without an outcome, or without a forecast", async () => {
    const { record, repository, all } = await openFixture();
    await repository.log([loggedSignal({ forecast })]);
    await record([loggedSignal({ symbol: "MSFT", forecast: null }), loggedSignal({ symbol: "SPY" })]);
    expect(await all()).toEqual([]);
  });

  it("are never changed: a second one of the same signal is ignored", async () => {
    const { record, repository, all, db } = await openFixture();
    await record([loggedSignal({ forecast })]);
    await repository.log([loggedSignal({ forecast: other })]);
    await repository.logForecasts([loggedSignal({ forecast: other })]);
    expect(await db.selectFrom("odds_forecasts").select("id").execute()).toHaveLength(1);
    expect((await all()).map((one) => one.forecast)).toEqual([forecast]);
  });

  it("count a bar once, the first one stored, but each method on its own", async () => {
    const { record, clock, all } = await openFixture();
    await record([loggedSignal({ origin: "scheduled", forecast, inputs_hash: "b" })]);
    clock.pass(1);
    await record([
      loggedSignal({ origin: "served", forecast: other, inputs_hash: "a" }),
      loggedSignal({ origin: "served", forecast: other, inputs_hash: "c" }),
      loggedSignal({ origin: "replay", forecast: { ...other, version: "odds-closed-form-1.0.0" } }),
      loggedSignal({ symbol: "MSFT", forecast: other }),
    ]);
    const found = (await all()).map((one) => [one.forecast.version, one.forecast.plan !== null]);
    expect(found.toSorted()).toEqual([
      ["odds-1.0.0", false],
      ["odds-1.0.0", true],
      ["odds-closed-form-1.0.0", false],
    ]);
  });

  it("can be stored before their signals", async () => {
    const { repository, record, all } = await openFixture();
    await repository.logForecasts([loggedSignal({ forecast })]);
    await record([loggedSignal()]);
    expect((await all()).map((one) => one.forecast)).toEqual([forecast]);
  });

  it("are marked as replayed if they were stored after the outcome was known", async () => {
    const { repository, clock, all } = await openFixture();
    clock.pass(10 * DAY);
    const [id] = await repository.log([loggedSignal({ forecast })]);
    await repository.score([
      { id: id!, ...outcome(5, decided + 10 * DAY) },
      { id: id!, ...outcome(20, decided + 10 * DAY + 1) },
    ]);
    const [{ outcomes }] = (await all()) as [ObservedForecast];
    expect(outcomes.map(({ bars, replayed }) => [bars, replayed])).toEqual([
      [5, true],
      [20, false],
    ]);
  });

  it("of odds without a signal are returned in the same way, once per bar and method", async () => {
    const { repository, clock, all, db } = await openFixture();
    await repository.logOdds([loggedOdds(), loggedOdds()]);
    clock.pass(10 * DAY);
    const later = oddsForecast({ plan: null, horizons: [] });
    await repository.logOdds([loggedOdds({ forecast: later }), loggedOdds({ symbol: "MSFT" })]);
    const answers = await db.selectFrom("odds_answers").selectAll().orderBy("symbol").execute();
    expect(answers).toMatchObject([
      { symbol: "AAPL", market: "test", logged_at: "2025-10-01T20:00:00.000Z" },
      { symbol: "MSFT", market: "test", logged_at: "2025-10-11T20:00:00.000Z" },
    ]);
    expect(await all(), "without an outcome").toEqual([]);
    const scored = { ...outcome(20, decided + 10 * DAY), plan_end: null };
    await repository.score(answers.map(({ id }) => ({ id, ...scored })));
    const happened = {
      bars: 20,
      close: Math.log1p(0.05),
      high: 0.06,
      low: -0.01,
      planEnd: null,
      planSide: null,
    };
    const expected = {
      symbol: expect.stringMatching(/AAPL|MSFT/),
      at: decided,
      asset_class: "equity",
      forecast: other,
    };
    const found = await all();
    expect(found).toHaveLength(2);
    for (const replayed of [false, true])
      expect(found).toContainEqual({ ...expected, outcomes: [{ ...happened, replayed }] });
    expect(await all("4h")).toEqual([]);
  });

  it.each(["odds", "signal"] as const)("count a bar once, here the %s stored first", async (first) => {
    const { record, logOdds, clock, all } = await openFixture();
    const store = {
      odds: () => logOdds([loggedOdds()]),
      signal: () => record([loggedSignal({ origin: "served", forecast })]),
    };
    await store[first]();
    clock.pass(1);
    await store[first === "odds" ? "signal" : "odds"]();
    await logOdds([loggedOdds({ forecast: { ...other, version: "odds-2.0.0" } })]);
    const found = (await all()).map((one) => [one.forecast.version, one.forecast.plan !== null]);
    expect(found.toSorted()).toEqual([
      ["odds-1.0.0", first === "signal"],
      ["odds-2.0.0", false],
    ]);
  });

  it("are read in the order of decision over page boundaries, each bar once", async () => {
    const { record, logOdds, pages } = await openFixture();
    const signals = Array.from({ length: 1_300 }, (_, i) =>
      loggedSignal({
        symbol: `S${i % 26}`,
        decided_at: new Date(decided + Math.floor(i / 52) * DAY).toISOString(),
        inputs_hash: String(i),
        forecast,
      }),
    );
    await record(signals, [5]);
    await logOdds(signals.map(({ symbol, decided_at }) => loggedOdds({ symbol, decided_at })));
    const found = await pages();
    expect(found.length).toBeGreaterThan(1);
    const times = found.flat().map(({ at }) => at);
    // 25 days of 26 symbols, each with two signals and one answer of odds
    expect(times).toEqual(Array.from({ length: 650 }, (_, i) => decided + Math.floor(i / 26) * DAY));
  });
});

it("publishes the newest record of odds, to its market only", async () => {
  const { repository, db } = await openFixture();
  const read = trackRecord({ db, market: "test", model: "any" });
  expect(await read.odds()).toBeNull();
  const record = {
    computed_at: "2026-01-15T00:00:00.000Z",
    forecasts: 1,
    from: "2025-10-01T20:00:00.000Z",
    until: "2025-10-01T20:00:00.000Z",
    rows: [],
  };
  await repository.publishOdds(record);
  expect(await read.odds()).toEqual(record);
  await repository.publishOdds({ ...record, computed_at: "2026-01-16T00:00:00.000Z", forecasts: 2 });
  expect(await read.odds()).toMatchObject({ forecasts: 2 });
  expect(await trackRecord({ db, market: "another", model: "any" }).odds()).toBeNull();
});
