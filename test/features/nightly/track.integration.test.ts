import { describe, expect, it } from "vitest";
import { atr } from "../../../src/analytics/indicators/atr.ts";
import { ODDS_VERSION } from "../../../src/analytics/odds/odds.ts";
import { baseResult } from "../../../src/analytics/track/base.ts";
import { sliceBars } from "../../../src/domain/market/bars.ts";
import type { RunUniverse } from "../../../src/domain/nightly/engine-port.ts";
import type { BarHistory } from "../../../src/domain/ports.ts";
import type { PublishedRecord } from "../../../src/domain/track-record/track.ts";
import { createTrack } from "../../../src/features/nightly/track.ts";
import { pictureOf } from "../../../src/features/signal/picture.ts";
import { callRepository } from "../../../src/store/track-record/calls.ts";
import { trackRecord } from "../../../src/store/track-record/track-record.ts";
import { trackRepository } from "../../../src/store/track-record/track-repository.ts";
import { testPorts } from "../../support/context.ts";
import { testEngine } from "../../support/engine.ts";
import { testJobs } from "../../support/jobs.ts";
import { testHash } from "../../support/keyed-hash.ts";
import { climbingBars, marketOf, wavingBars, YESTERDAY } from "../../support/market.ts";
import { movingClock, testStore } from "../../support/store.ts";
import { loggedOdds, loggedSignal } from "../../support/track.ts";

const DAY = 86_400_000;
const signal = new AbortController().signal;

const bars = {
  AAPL: wavingBars(),
  MSFT: wavingBars({ shift: 30 }),
  SPY: wavingBars({ shift: 9 }),
  "BTC-USD": wavingBars({ zone: "UTC", count: 400 }),
};

const keyedHash = testHash(1);

async function world(over: Parameters<typeof marketOf>[0] = { bars }) {
  const clock = movingClock();
  const { ports, requests } = marketOf({ clock, ...over });
  const { db } = await testStore();
  const repository = trackRepository({ db, market: "test", clock });
  const calls = callRepository({ db, market: "test", clock, keyedHash });
  const jobs = testJobs({ ...ports, db });
  const track = createTrack({ ...testPorts({ clock }), ...ports, repository, calls, jobs });
  const signals = () =>
    db.selectFrom("signals").selectAll().orderBy("decided_at").orderBy("symbol").execute();
  const outcomes = () =>
    db.selectFrom("signal_outcomes").selectAll().orderBy("id").orderBy("horizon").execute();
  return { ports, requests, db, repository, calls, jobs, track, signals, outcomes, clock };
}

describe("a replay", () => {
  it("computes each past signal as of its close, including ranks", async () => {
    const { track, ports, signals } = await world();
    const report = await track.replay({ universe: "all", every: 20 });
    const rows = await signals();
    expect(report).toMatchObject({ universe: "all", symbols: 4, signals: rows.length, failures: [] });
    expect(new Set(rows.map(({ symbol }) => symbol)).size).toBe(4);
    expect(new Set(rows.map(({ direction }) => direction)).size).toBeGreaterThan(1);
    for (const row of rows) {
      const requests = { symbol: row.symbol, timeframe: "1d", as_of: row.decided_at, signal } as const;
      const { consensus, inputsHash: hash, decidedAt } = await pictureOf(requests, ports);
      expect(row).toMatchObject({
        decided_at: decidedAt,
        inputs_hash: hash,
        direction: consensus.direction,
        grade: consensus.grade,
        score: consensus.score,
        stop: consensus.levels.stop,
        target: consensus.levels.targets[0],
        close: consensus.close,
        origin: "replay",
        run_id: report.run_id,
        timeframe: "1d",
      });
    }
  });

  it("is independent of later bars", async () => {
    const whole = await world();
    await whole.track.replay({ universe: "all", every: 7 });
    const cut = Object.fromEntries(
      Object.entries(bars).map(([symbol, one]) => {
        const count = one.time.filter((time) => time < YESTERDAY - 40 * DAY).length;
        return [symbol, sliceBars(one, 0, count)];
      }),
    );
    const short = await world({ bars: cut });
    await short.track.replay({ universe: "all", every: 7 });
    const before = await short.signals();
    const ids = new Set((await whole.signals()).map(({ id }) => id));
    expect(before.length).toBeGreaterThan(10);
    expect(before.filter(({ id }) => !ids.has(id))).toEqual([]);
  });

  it("returns the outcome of each signal from the bars after it, if there are enough", async () => {
    const { track, signals, outcomes } = await world({ bars: { AAPL: bars.AAPL } });
    const { record } = await track.replay({ universe: "all" });
    const logged = await signals();
    // 330 bars from the 252nd on: 79 closes, 74, 59 and 19 of them with enough later bars
    expect(logged).toHaveLength(79);
    const found = await outcomes();
    const count = (horizon: number) => found.filter((one) => one.horizon === horizon).length;
    expect([count(5), count(20), count(60)]).toEqual([74, 59, 19]);
    const { close, time } = bars.AAPL;
    const one = found.find(({ id, horizon }) => id === logged[0]!.id && horizon === 20)!;
    expect(one.change).toBeCloseTo(close[271]! / close[251]! - 1, 12);
    expect(one.known_at.slice(0, 10)).toBe(new Date(time[271]!).toISOString().slice(0, 10));
    expect(record).toMatchObject({ signals: 74, computed_at: "2026-01-15T15:00:00.000Z" });
    expect(record!.rows.filter(({ horizon }) => horizon === 5).reduce((sum, { n }) => sum + n, 0)).toBe(74);
  });

  it("compares R with the same plan at every replayed close", async () => {
    const { track, db } = await world({ bars: { AAPL: bars.AAPL } });
    const { record } = await track.replay({ universe: "all" });
    const { high, low, close } = bars.AAPL;
    const range = atr(high, low, close, 14);
    const based = Array.from({ length: 59 }, (_, i) => baseResult(bars.AAPL, 251 + i, range).long!);
    const mean = based.reduce((sum, r) => sum + r, 0) / based.length;
    const long = record!.r_over_base!.find(
      ({ direction, asset_class, grade }) => direction === "LONG" && asset_class === null && grade === null,
    );
    expect(long!.base_r).toBeCloseTo(mean, 12);
    expect(long!.over_base).toBeCloseTo(long!.mean_r! - mean, 12);
    expect(await db.selectFrom("base_results").selectAll().execute()).toHaveLength(59);
  });

  it("adds the base to outcomes of an earlier version", async () => {
    const { track, db } = await world({ bars: { AAPL: bars.AAPL } });
    const { record } = await track.replay({ universe: "all" });
    await db.deleteFrom("base_results").execute();
    const again = await track.replay({ universe: "all" });
    expect(again.outcomes).toBe(0);
    expect(again.record!.r_over_base).toEqual(record!.r_over_base);
  });

  it("adds nothing a second time", async () => {
    const { track, signals, outcomes } = await world();
    const first = await track.replay({ universe: "all", every: 20 });
    const before = [await signals(), await outcomes()];
    const second = await track.replay({ universe: "all", every: 20 });
    expect([await signals(), await outcomes()]).toEqual(before);
    expect([first.outcomes > 0, second.outcomes]).toEqual([true, 0]);
    expect(second.record!.rows).toEqual(first.record!.rows);
  });

  it("begins at the requested time, over the requested universe", async () => {
    const { track, signals } = await world();
    const from = YESTERDAY - 10 * DAY;
    await track.replay({ universe: "crypto", from });
    const rows = await signals();
    expect(new Set(rows.map(({ symbol }) => symbol))).toEqual(new Set(["BTC-USD"]));
    // each midnight from the 4th to the 15th
    expect(rows.map(({ decided_at }) => decided_at.slice(8, 10)).join(" ")).toBe(
      "04 05 06 07 08 09 10 11 12 13 14 15",
    );
  });

  it("reports a series that cannot be read as a failure", async () => {
    const { ports, repository, calls, jobs } = await world();
    const history: BarHistory["history"] = async (instrument, request) => {
      if (instrument.symbol === "MSFT") throw new Error("a secret path");
      return ports.bars.history(instrument, request);
    };
    const track = createTrack({ ...testPorts(), ...ports, repository, calls, jobs, bars: { history } });
    const { failures, symbols } = await track.replay({ universe: "all", every: 20 });
    expect(symbols).toBe(3);
    expect(failures.map(({ symbol }) => symbol)).toEqual(["MSFT"]);
    expect(JSON.stringify(failures)).not.toContain("secret");
  });

  it("refuses a universe without members or with too short a past", async () => {
    const { track } = await world({ bars: { AAPL: climbingBars({ count: 251 }) } });
    await expect(track.replay({ universe: "crypto" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(track.replay({ universe: "all" })).rejects.toMatchObject({ code: "NOT_ENOUGH_DATA" });
  });

  it("samples stocks and coins equally, each by its own closes", async () => {
    const { track, signals } = await world({ bars: { AAPL: bars.AAPL, "BTC-USD": bars["BTC-USD"] } });
    await track.replay({ universe: "all", every: 4 });
    const count = async (symbol: string) => (await signals()).filter((one) => one.symbol === symbol).length;
    // of 330 and 400 bars the 252nd and every fourth after it
    expect([await count("AAPL"), await count("BTC-USD")]).toEqual([20, 38]);
  });

  it("names the newest close when none is after the requested start", async () => {
    const { track } = await world();
    await expect(track.replay({ universe: "all", from: Date.UTC(2099, 0, 1) })).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
      message:
        "No bar of all has closed since 2099-01-01T00:00:00.000Z; the newest close is 2026-01-15T00:00:00.000Z",
    });
  });

  it("stops when it is aborted, with a message", async () => {
    const { track } = await world();
    const stop = new AbortController();
    const replay = track.replay({
      universe: "all",
      signal: stop.signal,
      progress: ({ message, done }) => {
        if (message === "closes replayed" && done === 3) stop.abort();
      },
    });
    await expect(replay).rejects.toMatchObject({ code: "CANCELLED" });
  });
});

describe("a nightly run", () => {
  async function night(universe: RunUniverse) {
    const one = await world();
    const ports = { onComputed: one.track.logForecasts, onFound: one.track.afterRun };
    const { engine } = await testEngine({ bars }, ports);
    return { ...one, run: () => engine.run({ universe }) };
  }

  it("logs its signals, including WAIT, once per close", async () => {
    const { run, signals } = await night({ name: "all" });
    const { rows, head } = await run();
    const logged = await signals();
    expect(logged.map(({ symbol }) => symbol).sort()).toEqual(["AAPL", "BTC-USD", "MSFT", "SPY"]);
    for (const one of logged) {
      const row = rows.find(({ symbol }) => symbol === one.symbol)!;
      expect(one).toMatchObject({
        origin: "scheduled",
        run_id: head.run_id,
        decided_at: row.as_of,
        inputs_hash: row.inputs_hash,
        direction: row.direction,
        grade: row.grade,
        stop: row.stop,
        target: row.targets[0],
        entry: row.entry,
      });
    }
    await run();
    expect(await signals()).toEqual(logged);
  });

  it("counts a file universe as served", async () => {
    const { run, signals } = await night({ name: "file:mine.txt", symbols: ["AAPL"] });
    await run();
    expect(await signals()).toMatchObject([{ symbol: "AAPL", origin: "served" }]);
  });

  it("scores every due signal, and records only those of fixed universes", async () => {
    const { run, repository, outcomes, db } = await night({ name: "all" });
    const { time, close, open } = bars.AAPL;
    const decided_at = `${new Date(time[300]!).toISOString().slice(0, 10)}T21:00:00.000Z`;
    const plan = { decided_at, close: close[300]!, stop: 1, target: 1_000, direction: "LONG" } as const;
    const [mine, theirs, unknown] = await repository.log([
      loggedSignal({ ...plan, origin: "scheduled" }),
      loggedSignal({ ...plan, origin: "served", inputs_hash: "9" }),
      loggedSignal({ ...plan, symbol: "GONE" }),
    ]);
    await run();
    const found = await outcomes();
    expect(found.filter(({ id }) => id === unknown)).toEqual([]);
    const own = found.filter(({ id }) => id === mine);
    expect(own.map(({ horizon }) => horizon)).toEqual([5, 20]);
    expect(own[1]!.change).toBeCloseTo(close[320]! / close[300]! - 1, 12);
    expect(own[1]!.r).toBeCloseTo((close[320]! - open[301]!) / (open[301]! - 1), 12);
    expect(found.filter(({ id }) => id === theirs)).toHaveLength(2);
    const { json } = await db.selectFrom("track_records").selectAll().executeTakeFirstOrThrow();
    const { rows } = JSON.parse(json) as PublishedRecord;
    expect(rows.map(({ horizon, n }) => [horizon, n])).toEqual([
      [5, 1],
      [20, 1],
    ]);
  });

  it("scales the prices of a signal after a split", async () => {
    const { run, repository, outcomes } = await night({ name: "all" });
    const { time, close, open } = bars.AAPL;
    const decided_at = `${new Date(time[300]!).toISOString().slice(0, 10)}T21:00:00.000Z`;
    const [id] = await repository.log([
      loggedSignal({ decided_at, close: 2 * close[300]!, stop: 2 * 60, target: 2 * 1_000 }),
    ]);
    await run();
    const r = (await outcomes()).find((one) => one.id === id && one.horizon === 20)!.r;
    expect(r).toBeCloseTo((close[320]! - open[301]!) / (open[301]! - 60), 12);
  });

  it("succeeds even when logging fails", async () => {
    const onFound = () => Promise.reject(new Error("disk full"));
    const { engine, repository } = await testEngine({ bars }, { onFound });
    const { rows, runAt } = await engine.run({ universe: { name: "all" } });
    expect(rows).toHaveLength(4);
    expect((await repository.status(1))[0]!.runAt).toBe(runAt);
  });
});

describe("the odds of signals", () => {
  /** Runs as of the day after bar `at` of AAPL, with the bars known then, in one store. */
  async function nights() {
    const clock = movingClock();
    const { db } = await testStore();
    const repository = trackRepository({ db, market: "test", clock });
    const calls = callRepository({ db, market: "test", clock, keyedHash });
    const forecasts = () => db.selectFrom("odds_forecasts").selectAll().orderBy("id").execute();
    const record = () => trackRecord({ db, market: "test", model: "any" }).odds();
    async function run(later: number, universe: RunUniverse = { name: "all" }) {
      clock.pass(later * DAY);
      const known = Object.fromEntries(
        Object.entries(bars).map(([symbol, one]) => {
          const count = one.time.filter((time) => time < clock.now().getTime() - DAY).length;
          return [symbol, sliceBars(one, 0, count)];
        }),
      );
      const { ports } = marketOf({ clock, bars: known });
      const jobs = testJobs({ ...ports, db });
      const track = createTrack({ ...testPorts({ clock }), ...ports, repository, calls, jobs });
      const hooks = { clock, onComputed: track.logForecasts, onFound: track.afterRun };
      const { engine } = await testEngine({ clock, bars: known }, hooks);
      return engine.run({ universe });
    }
    return { run, forecasts, record, db, repository };
  }

  it("are stored at the decision, scored when their bars exist, published, and never changed", async () => {
    const { run, forecasts, record, db } = await nights();
    const { rows } = await run(-60);
    const stored = await forecasts();
    expect(stored).toHaveLength(4);
    expect(await record()).toBeNull();
    await run(4);
    expect(await record(), "no signal is five bars old").toBeNull();
    await run(6);
    const outcomes = await db.selectFrom("signal_outcomes").selectAll().where("horizon", "=", 5).execute();
    const signals = await db.selectFrom("signals").selectAll().execute();
    const idOf = new Map(signals.map(({ id, symbol, decided_at }) => [`${symbol}|${decided_at}`, id]));
    const first = rows.map((row) => idOf.get(`${row.symbol}|${row.as_of}`)!);
    const known = first.map((id) => outcomes.find((one) => one.id === id)!);
    const texts = new Map(stored.map(({ id, json }) => [id, json]));
    // by hand: within the 80% range, the second and the sixth quantile
    const within = first.map((id, i) => {
      const [[quantiles]] = JSON.parse(texts.get(id)!) as [[number[]]];
      const close = 1e5 * Math.log(1 + known[i]!.change);
      return quantiles[1]! <= close && close <= quantiles[5]!;
    });
    const published = (await record())!;
    // the coin has closed more bars than the stocks, and has forecasts of its own
    for (const kind of ["equity", "etf"] as const) {
      const own = within.filter((_, i) => rows[i]!.asset_class === kind);
      const row = published.rows.find((one) => one.period === "all" && one.asset_class === kind);
      if (own.length === 0) expect(row).toBeUndefined();
      else expect(row).toMatchObject({ horizon: 5, n: own.length, replayed: 0, version: ODDS_VERSION });
      if (own.length > 0) expect(row!.cover_80).toBeCloseTo(own.filter(Boolean).length / own.length, 4);
    }
    expect(published.forecasts).toBe(await countOf(db, 5));
    await run(60);
    expect((await forecasts()).filter(({ id }) => texts.has(id))).toEqual(stored);
    const all = (await record())!.rows.filter(
      ({ period, asset_class }) => period === "all" && asset_class === null,
    );
    expect(new Set(all.map(({ horizon }) => horizon))).toEqual(new Set([5, 20, 60]));
    expect(all.find(({ horizon }) => horizon === 20)!.plan!.n).toBeGreaterThan(0);
    expect(all.find(({ horizon }) => horizon === 60)!.plan).toBeNull();
  });

  it("are those of the run alone, whatever bars come later", async () => {
    const [one, other] = [await nights(), await nights()];
    await one.run(-60);
    await other.run(-60);
    await other.run(30);
    const textsOf = async ({ forecasts }: typeof one) =>
      new Map((await forecasts()).map((row) => [row.id, row.json]));
    const [early, late] = [await textsOf(one), await textsOf(other)];
    expect(early.size).toBe(4);
    for (const [id, text] of early) expect(late.get(id)).toBe(text);
  });

  it("count a bar once, and signals that callers requested too", async () => {
    const { run, record } = await nights();
    await run(-60);
    await run(0, { name: "file:mine.txt", symbols: ["AAPL", "MSFT"] });
    await run(12);
    const count = async () =>
      (await record())!.rows.find(({ period, asset_class }) => period === "all" && asset_class === "equity")!
        .n;
    expect(await count()).toBe(2);
  });

  it("count those served without a signal, scored at each horizon", async () => {
    const { run, record, repository, db } = await nights();
    const { time, close, high, low } = bars.AAPL;
    const decided_at = `${new Date(time[260]!).toISOString().slice(0, 10)}T20:00:00.000Z`;
    await repository.logOdds([loggedOdds({ decided_at })]);
    await run(0, { name: "file:mine.txt", symbols: ["MSFT"] });
    const outcomes = await db.selectFrom("signal_outcomes").selectAll().orderBy("horizon").execute();
    expect(outcomes.map(({ horizon, r, plan_end }) => [horizon, r, plan_end])).toEqual([
      [5, null, null],
      [20, null, null],
      [60, null, null],
    ]);
    for (const { horizon, change, highest, lowest } of outcomes) {
      const later = (prices: Float64Array) => prices.slice(261, 261 + horizon);
      expect(change).toBeCloseTo(close[260 + horizon]! / close[260]! - 1, 12);
      expect(highest).toBeCloseTo(Math.log(Math.max(...later(high)) / close[260]!), 12);
      expect(lowest).toBeCloseTo(Math.log(Math.min(...later(low)) / close[260]!), 12);
    }
    expect(await db.selectFrom("base_results").selectAll().execute()).toEqual([]);
    const all = (await record())!.rows.filter(
      ({ period, asset_class }) => period === "all" && asset_class === null,
    );
    expect(all.map(({ horizon, n, plan }) => [horizon, n, plan])).toEqual([
      [5, 1, null],
      [20, 1, null],
      [60, 1, null],
    ]);
  });

  it("of replayed history are marked as computed later, and made at every fifth close", async () => {
    const { track, db } = await world();
    await track.replay({ universe: "all" });
    const record = (await trackRecord({ db, market: "test", model: "any" }).odds())!;
    const rowOf = (asset_class: string) =>
      record.rows.find(
        (row) => row.period === "all" && row.asset_class === asset_class && row.horizon === 20,
      )!;
    // every fifth of closes 252 to 310 of two stocks, and of closes 252 to 380 of the coin
    expect(rowOf("equity")).toMatchObject({ n: 24, replayed: 24, version: ODDS_VERSION });
    expect(rowOf("crypto")).toMatchObject({ n: 26, replayed: 26, version: ODDS_VERSION });
  });

  it("are added to outcomes of an earlier version when history is replayed again", async () => {
    const { track, db } = await world({ bars: { AAPL: bars.AAPL } });
    const read = async () => (await trackRecord({ db, market: "test", model: "any" }).odds())!.rows;
    await track.replay({ universe: "all", every: 9 });
    const rows = await read();
    await db.updateTable("signal_outcomes").set({ highest: null, lowest: null, plan_end: null }).execute();
    await db.deleteFrom("odds_forecasts").execute();
    await track.replay({ universe: "all", every: 9 });
    expect(await read()).toEqual(rows);
  });
});

const countOf = async (db: Awaited<ReturnType<typeof testStore>>["db"], horizon: 5) =>
  (await db.selectFrom("signal_outcomes").select("id").where("horizon", "=", horizon).execute()).length;
