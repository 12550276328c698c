import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { factDrivers } from "../../src/analytics/drivers/facts.ts";
import { ORDER } from "../../src/app/providers/prices.ts";
import type { Timeframe } from "../../src/domain/market/bars.ts";
import type { Instrument } from "../../src/domain/market/market.ts";
import { explainSignal } from "../../tools/explain-signal.ts";
import { getHistory } from "../../tools/get-history.ts";
import { getQuote } from "../../tools/get-quote.ts";
import { getSignal } from "../../tools/get-signal.ts";
import type { Installation } from "../support/installation.ts";
import { heard, KEYS, type LiveStage, near, refused, stageAt, told, trueBars } from "../support/live.ts";
import { suiteDir } from "../support/temp-dir.ts";

const LENGTHS = ["1d", "4h", "1h", "15m"] as const;
const SYMBOLS = { us: "AAPL", crypto: "LINK-USD" } as const;
type Side = keyof typeof SYMBOLS;
const SIDES = ["us", "crypto"] as const satisfies readonly Side[];
const ALL: readonly string[] = [...new Set([...ORDER.us, ...ORDER.crypto])];
const without = (name: string) => ALL.filter((other) => other !== name);
const MINUTE = 60_000;
/** A Thursday, 11:03 New York. */
const MOMENT = "2026-11-19T16:03:20Z";
/** How far drivers, -1 to 1, may be apart that rest on bars of different sources: they agree to the last bits. */
const DRIVER = 1e-6;
/** Drivers that news, options, prints and prediction markets tell, each from sources of its own and as time passes. */
const OF_FACTS = new Set<string>(factDrivers({}).map(({ id }) => id));

const suite = suiteDir();
let stage: LiveStage;
let opened = 0;
beforeAll(async () => {
  stage = await stageAt(MOMENT);
});
afterAll(async () => {
  await stage.close();
  suite.remove();
});

/** An installation that remembers nothing, for as long as it is used. */
async function withHouse<T>(
  env: Record<string, string>,
  use: (house: Installation) => Promise<T>,
): Promise<T> {
  const dir = join(suite.dir, String(++opened));
  mkdirSync(dir);
  const house = await stage.open(dir, env);
  try {
    return await use(house);
  } finally {
    await house.stop();
  }
}

const peersOf = ({ app }: Installation, instrument: Instrument) =>
  app.ports.symbols.peers(instrument).map(({ symbol }) => symbol);

/** Everything told of a symbol; of a source that is alone, what a signal reads besides is asked for before it. */
async function allOf(
  house: Installation,
  symbol: string,
  { lengths = LENGTHS, alone = false }: { lengths?: readonly Timeframe[]; alone?: boolean } = {},
) {
  const bars = [];
  for (const timeframe of lengths) {
    bars.push(await told(house, getHistory, { symbol, timeframe, limit: 60, provenance: "full" }));
    // the few calls a minute of a source that nobody shares
    if (alone) stage.clock.move(MINUTE);
  }
  const quote = await told(house, getQuote, { symbol, provenance: "full" });
  const { instrument } = house.app.ports.symbols.resolve(symbol);
  const companions = alone && lengths.includes("1d") ? ["SPY", ...peersOf(house, instrument)] : [];
  for (const one of instrument.asset_class === "crypto" ? [] : companions)
    await told(house, getHistory, { symbol: one, limit: 500 });
  if (!lengths.includes("1d")) return { quote, bars, signal: null, drivers: null };
  const { data: signal } = await told(house, getSignal, { symbol, provenance: "full" });
  const { drivers } = await told(house, explainSignal, { symbol });
  return { quote, bars, signal, drivers: drivers.filter(({ id }) => !OF_FACTS.has(id)) };
}
type Told = Awaited<ReturnType<typeof allOf>>;

const tellers = ({ quote, bars, signal }: Told) => [
  quote.provenance.provider,
  ...bars.map(({ provenance }) => provenance.provider),
  ...(signal === null ? [] : [signal.provenance.bars.provider, signal.provenance.price!.provider]),
];

/** Expects bars as they are in truth, whole and in order; who lags has not seen the newest bar close. */
function expectTrue({ symbol, asset_class, tf, bars, provenance }: Told["bars"][number]): void {
  const truth = trueBars(stage.world, symbol, tf, 62).toReversed();
  const had = bars.map(({ datetime }) => Date.parse(datetime));
  const first = truth.findIndex(({ time }) => time === had[0]);
  expect([0, 1, 2], `${tf} by ${provenance.provider}`).toContain(first);
  const whole = truth.slice(first, first + 60);
  expect(had).toEqual(whole.map(({ time }) => time));
  for (const [i, { close }] of bars.entries())
    expect(near(close, whole[i]!.close, asset_class), `${tf} ${bars[i]!.datetime} ${close}`).toBe(true);
}

/** Expects the same figures as ever, whoever tells them; only how late the price is depends on the source. */
function expectSame(usual: Told, { quote, bars, signal, drivers }: Told): void {
  const { symbol, asset_class: kind } = usual.quote;
  expect([quote.symbol, quote.asset_class]).toEqual([symbol, kind]);
  const late = quote.provenance.delay_minutes!;
  expect(quote.data).toMatchObject({
    price_source: late === 0 ? "live_quote" : "delayed_quote",
    delayed_minutes: late,
    market_state: usual.quote.data.market_state,
  });
  const behind = stage.clock.at() - Date.parse(quote.data.timestamp);
  expect(behind).toBeGreaterThanOrEqual(0);
  expect(behind).toBeLessThan((late + 5) * MINUTE);
  if (late === 0) expect(near(quote.data.price, stage.world.trade(symbol)!.price, kind)).toBe(true);
  for (const series of bars) expectTrue(series);
  if (signal === null || drivers === null) return;
  for (const [i, { id, value }] of usual.drivers!.entries()) {
    const other = drivers[i]!;
    expect([other.id, other.value === null]).toEqual([id, value === null]);
    if (value !== null) expect(Math.abs(other.value! - value), id).toBeLessThanOrEqual(DRIVER);
  }
  expect(signal.price === null).toBe(late > 0);
  expect(signal.price_source).toBe(quote.data.price_source);
}

/** What is told with all sources on. */
let usual: Readonly<Record<Side, Told>>;
beforeAll(async () => {
  usual = await withHouse(KEYS, async (house) => ({
    us: await allOf(house, SYMBOLS.us),
    crypto: await allOf(house, SYMBOLS.crypto),
  }));
  for (const { drivers } of Object.values(usual))
    expect(drivers!.filter(({ value }) => value !== null).length).toBeGreaterThan(15);
}, 60_000);

describe("with a key of every vendor", () => {
  it("the sources are asked in their order", () => {
    expect(new Set(tellers(usual.us))).toEqual(new Set(["finnhub", "alpaca", "yahoo"]));
    expect(usual.us.quote.provenance.provider).toBe("finnhub");
    expect(new Set(tellers(usual.crypto))).toEqual(new Set(["coinbase", "binance"]));
  });

  it.each(ALL)("%s may be switched off or be out of reach, and only who tells it changes", async (name) => {
    const sides = SIDES.filter((side) => (ORDER[side] as readonly string[]).includes(name));
    const all = async (house: Installation) => {
      const found = [];
      for (const side of sides)
        found.push([side, await allOf(house, SYMBOLS[side], { lengths: ["1d", "4h", "1h"] })] as const);
      return found;
    };
    const off = await withHouse({ ...KEYS, PROVIDERS_OFF: name }, all);
    const calls = heard(stage.replay)[name]!;
    stage.replay.set({ off: new Set([name]) });
    const gone = await withHouse(KEYS, all);
    stage.replay.set({});
    for (const [side, one] of [...off, ...gone]) {
      expect(tellers(one)).not.toContain(name);
      expectSame(usual[side], one);
    }
    // what is out of reach is named among those that had no answer, where it was asked and waited for
    const before = gone.some(([, { quote, bars }]) =>
      [quote, ...bars].some(({ provenance }) => provenance.fallback_from.includes(name)),
    );
    if (before) expect(heard(stage.replay)[name]!).toBeGreaterThan(calls);
    if (name === ORDER.us[0] || name === ORDER.crypto[0]) expect(before).toBe(true);
  });
});

/** What each source tells where it is the only one: its lag in minutes, and the bars it has or that can be made of its own. */
const ALONE: readonly (readonly [
  name: string,
  side: Side,
  late: number | null,
  lengths: readonly Timeframe[],
])[] = [
  ["finnhub", "us", 0, []],
  ["alpaca", "us", 0, LENGTHS],
  ["massive", "us", 0, ["1h", "15m"]],
  ["tiingo", "us", 0, LENGTHS],
  ["yahoo", "us", 0, LENGTHS],
  ["cboe", "us", 15, ["1d"]],
  ["nasdaq", "us", 15, ["1d"]],
  ["coinbase", "crypto", 0, LENGTHS],
  ["binance", "crypto", 0, LENGTHS],
  ["kraken", "crypto", 0, LENGTHS],
  ["okx", "crypto", 0, LENGTHS],
  ["coingecko", "crypto", 1, []],
  ["yahoo", "crypto", 0, LENGTHS],
];

describe("with one source alone", () => {
  it.each(ALONE)("%s tells of %s what it has, and of nothing else", async (name, side, late, lengths) => {
    stage.to(MOMENT);
    await withHouse({ ...KEYS, PROVIDERS_OFF: without(name).join(",") }, async (house) => {
      const symbol = SYMBOLS[side];
      const all = await allOf(house, symbol, { lengths, alone: true });
      expect(new Set(tellers(all))).toEqual(new Set([name]));
      expect(all.quote.provenance.delay_minutes).toBe(late);
      expectSame(usual[side], all);
      const missing = lengths.length < 2 ? LENGTHS.filter((length) => !lengths.includes(length)) : [];
      for (const timeframe of missing)
        expect(await refused(house, getHistory, { symbol, timeframe })).toEqual({
          code: "UPSTREAM_UNAVAILABLE",
          symbol,
          tried: [],
        });
      const other = SYMBOLS[side === "us" ? "crypto" : "us"];
      if (name !== "yahoo")
        expect(await refused(house, getQuote, { symbol: other })).toMatchObject({
          code: "UPSTREAM_UNAVAILABLE",
          symbol: other,
          price: null,
          tried: [],
        });
    });
  });
});
