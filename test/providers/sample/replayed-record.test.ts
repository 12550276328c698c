import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { atr } from "../../../src/analytics/indicators/atr.ts";
import { pathForecast } from "../../../src/analytics/odds/forecast.ts";
import { ODDS_VERSION } from "../../../src/analytics/odds/odds.ts";
import { ODDS_BARS } from "../../../src/analytics/odds/range-model.ts";
import { MODEL_VERSION } from "../../../src/analytics/score/consensus.ts";
import { sliceBars } from "../../../src/domain/market/bars.ts";
import { OddsRecord } from "../../../src/domain/odds/odds-record.ts";
import { HORIZONS, PublishedRecord } from "../../../src/domain/track-record/track.ts";
import { FORECAST_DAYS } from "../../../src/features/nightly/replay-run.ts";
import { gather } from "../../../src/features/signal/gather.ts";
import { digestOnce } from "../../../src/features/signal/inputs-hash.ts";
import { replayedSignal } from "../../../src/features/signal/logged.ts";
import { outcomesOf } from "../../../src/features/track-record/outcomes.ts";
import { createCache } from "../../../src/market/cache.ts";
import { createDirectory } from "../../../src/market/symbols/directory.ts";
import { LISTINGS } from "../../../src/providers/sample/listing.ts";
import { sampleMarket, sampleMarketId } from "../../../src/providers/sample/market.ts";
import { replayedOdds, replayedRecord } from "../../../src/providers/sample/replayed-record.ts";
import { dayAt, startOf } from "../../../src/providers/sample/time.ts";
import { getSignal } from "../../../tools/get-signal.ts";
import { getTrackRecord } from "../../../tools/get-track-record.ts";
import { proposeTrade } from "../../../tools/propose-trade.ts";
import { draws } from "../../support/draws.ts";
import { noRuns } from "../../support/engine-runs.ts";
import { type Installation, install } from "../../support/installation.ts";
import { suiteDir } from "../../support/temp-dir.ts";
import { callerOf } from "../../support/tool-call.ts";
import { openTransportClients, type TransportClient } from "../../support/transport-clients.ts";
import { DAY, listed, STOCKS } from "./fixture.ts";
import { oddsTotals, type ReplayedForecast, readOddsTotals, replayedForecast } from "./replayed-odds.ts";
import {
  COMPUTED_AT,
  FIRST_DECISION,
  type ReplayedSignal,
  readReplayedSignals,
  recordOfSignals,
  roundedR,
} from "./replayed-signals.ts";

const current = { market: sampleMarketId(), model: MODEL_VERSION, now: COMPUTED_AT };
const signals = readReplayedSignals();

/** Returns a value with every number replaced by its type. */
const shapeOf = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, part) => (typeof part === "number" ? "number" : part)));

describe("the record that comes with the sample market", () => {
  it("covers every close of every listing with an outcome", () => {
    // the newest decision is five bars before the last close
    const closes = dayAt(COMPUTED_AT) - 5 - (dayAt(FIRST_DECISION) - 1);
    expect(signals.length).toBe(LISTINGS.length * closes);
    // figures are rounded where they are published
    expect(shapeOf(PublishedRecord.parse(replayedRecord(current)))).toEqual(shapeOf(replayedRecord(current)));
    expect(replayedRecord(current)).toMatchObject({
      signals: signals.length,
      from: new Date(FIRST_DECISION).toISOString(),
      until: new Date(COMPUTED_AT - 5 * DAY).toISOString(),
    });
  });

  it("is the record of its signals: `npm run bench -- sample-record --write` computes both", async () => {
    expect(replayedRecord(current)).toEqual(await recordOfSignals(signals));
  });

  it("consists of the signals that a replay computes today", async () => {
    const clock = { now: () => new Date(COMPUTED_AT) };
    const { members, ...sample } = sampleMarket({ clock });
    const ports = {
      ...sample,
      symbols: createDirectory({ members }),
      cache: createCache(clock),
      engineRuns: noRuns,
    };
    const signal = new AbortController().signal;
    const again = async ({ symbol, day }: ReplayedSignal): Promise<ReplayedSignal> => {
      const instrument = listed(symbol);
      const asOf = startOf(day + 1);
      const gathered = await gather(instrument, { timeframe: "1d", asOf, signal }, ports);
      const logged = replayedSignal(instrument, gathered, { origin: "replay", run_id: null }, digestOnce())!;
      expect(Date.parse(logged.decided_at)).toBe(asOf);
      const { bars } = await sample.bars.history(instrument, { timeframe: "1d", limit: 6_500 });
      const request = { bars, at: day, horizons: [20], closedAt: String } as const;
      const [outcome] = outcomesOf(logged, { ...request, atr: atr(bars.high, bars.low, bars.close, 14) });
      const { direction, grade } = logged;
      return { symbol, day, direction, grade, r: roundedR(outcome?.r ?? null) };
    };
    const trades = signals.filter(({ direction }) => direction !== "WAIT");
    await fc.assert(
      fc.asyncProperty(fc.nat(signals.length - 1), fc.nat(trades.length - 1), async (any, trade) => {
        expect(await again(signals[any]!)).toEqual(signals[any]);
        expect(await again(trades[trade]!)).toEqual(trades[trade]);
      }),
      { numRuns: draws(60) },
    );
  });

  it("is omitted before its last outcome, for another model, and in another market", () => {
    expect(replayedRecord({ ...current, now: COMPUTED_AT - 1 })).toBeNull();
    expect(replayedRecord({ ...current, model: `${MODEL_VERSION}-next` })).toBeNull();
    expect(replayedRecord({ ...current, market: sampleMarketId("mine") })).toBeNull();
  });
});

describe("the odds that come with the sample market", () => {
  const record = replayedOdds(current)!;
  const totals = readOddsTotals();
  const isCoin = (name: string) => listed(name.split(" ")[0]!).asset_class === "crypto";

  it("are a record of odds", () => {
    expect(shapeOf(OddsRecord.parse(record))).toEqual(shapeOf(record));
    expect(new Set(record.rows.map(({ version }) => version))).toEqual(new Set([ODDS_VERSION]));
    expect(record).toMatchObject({
      from: new Date(FIRST_DECISION).toISOString(),
      until: new Date(COMPUTED_AT - 5 * DAY).toISOString(),
    });
    for (const row of record.rows) expect(row).toMatchObject({ timeframe: "1d", replayed: row.n });
  });

  it("add up the totals of each listing", () => {
    for (const horizon of HORIZONS) {
      const own = Object.entries(totals).filter(([name]) => name.split(" ")[1] === String(horizon));
      const [n, inside, score, base] = [0, 1, 2, 3].map((i) =>
        own.reduce((sum, [, total]) => sum + total[i]!, 0),
      ) as [number, number, number, number];
      const row = record.rows.find(
        (one) => one.period === "all" && one.asset_class === null && one.horizon === horizon,
      )!;
      expect(row.n).toBe(n);
      expect(row.cover_80).toBeCloseTo(inside / n, 12);
      expect(row.crps_skill).toBeCloseTo(1 - score / base, 9);
    }
  });

  it("are those that a replay computes today", async () => {
    const { bars } = sampleMarket({ clock: { now: () => new Date(COMPUTED_AT) } });
    const compute = async (symbol: string) => {
      const instrument = listed(symbol);
      const { asset_class } = instrument;
      const series = await bars.history(instrument, { timeframe: "1d", limit: 6_500 });
      const subject = { symbol, assetClass: asset_class, plan: null };
      const forecasts: ReplayedForecast[] = [];
      const first = dayAt(FIRST_DECISION) - 1;
      for (let day = first; day < dayAt(COMPUTED_AT); day += FORECAST_DAYS) {
        const known = sliceBars(series.bars, Math.max(0, day + 1 - ODDS_BARS), day + 1);
        const forecast = pathForecast({ ...subject, bars: known });
        const decided_at = new Date(startOf(day + 1)).toISOString();
        const plan = { direction: "WAIT", stop: 0, target: 0, close: 1 } as const;
        const request = { bars: series.bars, at: day, horizons: HORIZONS, closedAt: String };
        const outcomes = outcomesOf(plan, request);
        if (outcomes.length > 0)
          forecasts.push(
            ...replayedForecast({ symbol, asset_class, decided_at, forecast, stop: 0, target: 0 }, outcomes),
          );
      }
      return oddsTotals(forecasts);
    };
    const stocks = [...new Set(Object.keys(totals).filter((name) => !isCoin(name)))].map(
      (name) => name.split(" ")[0]!,
    );
    const coin = Object.keys(totals).find(isCoin)!.split(" ")[0]!;
    const [drawn] = fc.sample(fc.constantFrom(...stocks), 1);
    for (const symbol of [coin, drawn!])
      for (const [name, [n, inside, score, base]] of Object.entries(await compute(symbol))) {
        expect([name, n, inside]).toEqual([name, ...totals[name]!.slice(0, 2)]);
        expect(score).toBeCloseTo(totals[name]![2], 6);
        expect(base).toBeCloseTo(totals[name]![3], 6);
      }
  });

  it("are omitted before their last outcome, for another model, and in another market", () => {
    expect(replayedOdds({ ...current, now: COMPUTED_AT - 1 })).toBeNull();
    expect(replayedOdds({ ...current, model: `${MODEL_VERSION}-next` })).toBeNull();
    expect(replayedOdds({ ...current, market: sampleMarketId("mine") })).toBeNull();
  });
});

describe("a new installation in sample mode", () => {
  const { dir, remove } = suiteDir();
  const clock = { now: () => new Date(COMPUTED_AT + DAY) };
  let installation: Installation;
  let clients: readonly TransportClient[];
  beforeAll(async () => {
    installation = await install(dir, "sample", {}, { clock });
    clients = await openTransportClients(installation);
  });
  afterAll(async () => {
    for (const client of clients ?? []) await client.close();
    await installation?.stop();
    remove();
  });

  it("has a track record over every transport, labelled as sample", async () => {
    expect(clients.length).toBeGreaterThan(6);
    for (const client of clients) {
      const answer = await client.call(getTrackRecord, { detail: "concise" });
      expect({ transport: client.name, answer }).toMatchObject({
        answer: {
          data: {
            market: "sample",
            source: "sample",
            signals: signals.length,
            model_version: MODEL_VERSION,
            reason: null,
            notes: expect.arrayContaining([expect.stringContaining("simulated market")]),
            odds: { forecasts: replayedOdds(current)!.forecasts, reason: null },
          },
        },
      });
    }
  });

  it("gives signals odds as confidence and the record of their group as evidence, and trades a size", async () => {
    const { app } = installation;
    await app.paper();
    const stocks = STOCKS.slice(0, 20).map(({ symbol }) => symbol);
    const signals = [];
    for (const symbol of stocks)
      signals.push((await callerOf(getSignal, app.ports, app.owner)({ symbol })).data.signal);
    for (const { direction, confidence_basis, evidence } of signals) {
      expect(confidence_basis).toBe("odds");
      if (direction === "WAIT") expect(evidence).toBeNull();
    }
    expect(signals.filter(({ evidence }) => evidence !== null).length).toBeGreaterThan(0);
    const { proposals } = await callerOf(proposeTrade, app.ports, app.owner)({ symbols: stocks });
    const traded = proposals.filter(({ direction }) => direction !== "WAIT");
    const sized = traded.filter(({ ticket }) => ticket !== null);
    expect(sized.length).toBeGreaterThan(0);
    expect(await app.ports.trackRecord.published("1h")).toBeNull();
  });
});
