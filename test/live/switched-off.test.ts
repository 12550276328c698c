import { beforeAll, describe, expect, it } from "vitest";
import { factDrivers } from "../../src/analytics/drivers/facts.ts";
import { ORDER } from "../../src/app/providers/prices.ts";
import type { Timeframe } from "../../src/domain/market/bars.ts";
import type { Instrument } from "../../src/domain/market/market.ts";
import { explainSignal } from "../../tools/explain-signal.ts";
import { getHistory } from "../../tools/get-history.ts";
import { getQuote } from "../../tools/get-quote.ts";
import { getSignal } from "../../tools/get-signal.ts";
import type { Installation } from "../support/installation.ts";
import { call, KEYS, liveStage, near, refusalOf, requestCounts, trueBars } from "../support/live.ts";

const LENGTHS = ["1d", "4h", "1h", "15m"] as const;
const SYMBOLS = { us: "AAPL", crypto: "LINK-USD" } as const;
type Side = keyof typeof SYMBOLS;
const SIDES = ["us", "crypto"] as const satisfies readonly Side[];
const ALL: readonly string[] = [...new Set([...ORDER.us, ...ORDER.crypto])];
const without = (name: string) => ALL.filter((other) => other !== name);
const MINUTE = 60_000;
/** A Thursday, 11:03 New York. */
const MOMENT = "2026-11-19T16:03:20Z";
/** Maximum difference of a driver (-1 to 1) computed on bars of different providers. */
const DRIVER = 1e-6;
/** Drivers on news, options, prints and prediction markets, which have other providers and change with time. */
const OF_FACTS = new Set<string>(factDrivers({}).map(({ id }) => id));

const suite = liveStage(MOMENT);
const { withInstallation } = suite;

const peersOf = ({ app }: Installation, instrument: Instrument) =>
  app.ports.symbols.peers(instrument).map(({ symbol }) => symbol);

/** Quote, bars and signal of a symbol. For a lone provider, the other bars that a signal reads are requested first. */
async function allOf(
  installation: Installation,
  symbol: string,
  { lengths = LENGTHS, alone = false }: { lengths?: readonly Timeframe[]; alone?: boolean } = {},
) {
  const bars = [];
  for (const timeframe of lengths) {
    bars.push(await call(installation, getHistory, { symbol, timeframe, limit: 60, provenance: "full" }));
    // Renews the small request budget per minute of a lone provider.
    if (alone) suite.stage.clock.move(MINUTE);
  }
  const quote = await call(installation, getQuote, { symbol, provenance: "full" });
  const { instrument } = installation.app.ports.symbols.resolve(symbol);
  const companions = alone && lengths.includes("1d") ? ["SPY", ...peersOf(installation, instrument)] : [];
  for (const one of instrument.asset_class === "crypto" ? [] : companions)
    await call(installation, getHistory, { symbol: one, limit: 500 });
  if (!lengths.includes("1d")) return { quote, bars, signal: null, drivers: null };
  const { data: signal } = await call(installation, getSignal, { symbol, provenance: "full" });
  const { drivers } = await call(installation, explainSignal, { symbol });
  return { quote, bars, signal, drivers: drivers.filter(({ id }) => !OF_FACTS.has(id)) };
}
type Answers = Awaited<ReturnType<typeof allOf>>;

const providersOf = ({ quote, bars, signal }: Answers) => [
  quote.provenance.provider,
  ...bars.map(({ provenance }) => provenance.provider),
  ...(signal === null ? [] : [signal.provenance.bars.provider, signal.provenance.price!.provider]),
];

/** Expects the true bars, complete and in order, except that a delayed provider lacks the newest ones. */
function expectTrue({ symbol, asset_class, tf, bars, provenance }: Answers["bars"][number]): void {
  const truth = trueBars(suite.stage.world, symbol, tf as Timeframe, 62).toReversed();
  const had = bars.map(({ datetime }) => Date.parse(datetime));
  const first = truth.findIndex(({ time }) => time === had[0]);
  expect([0, 1, 2], `${tf} by ${provenance.provider}`).toContain(first);
  const whole = truth.slice(first, first + 60);
  expect(had).toEqual(whole.map(({ time }) => time));
  for (const [i, { close }] of bars.entries())
    expect(near(close, whole[i]!.close, asset_class), `${tf} ${bars[i]!.datetime} ${close}`).toBe(true);
}

/** Expects the usual figures from any provider; only the delay of the price depends on it. */
function expectSame(
  usual: Answers,
  { quote, bars, signal, drivers }: Answers,
  live: "live_quote" | "unconfirmed_quote" = "live_quote",
): void {
  const { symbol, asset_class: kind } = usual.quote;
  expect([quote.symbol, quote.asset_class]).toEqual([symbol, kind]);
  const late = quote.provenance.delay_minutes!;
  expect(quote.data).toMatchObject({
    price_source: late === 0 ? live : "delayed_quote",
    delayed_minutes: late,
    market_state: usual.quote.data.market_state,
  });
  const behind = suite.stage.clock.at() - Date.parse(quote.data.timestamp);
  expect(behind).toBeGreaterThanOrEqual(0);
  expect(behind).toBeLessThan((late + 5) * MINUTE);
  const rate = quote.provenance.converted?.rate ?? 1;
  if (rate !== 1) expect(near(rate, suite.stage.world.trade("USDT-USD")!.price, "crypto")).toBe(true);
  if (late === 0)
    expect(near(quote.data.price, suite.stage.world.trade(symbol)!.price * rate, kind)).toBe(true);
  for (const series of bars) expectTrue(series);
  if (signal === null || drivers === null) return;
  for (const [i, { id, value }] of usual.drivers!.entries()) {
    const other = drivers[i]!;
    expect([other.id, other.value === null]).toEqual([id, value === null]);
    if (value !== null) expect(Math.abs(other.value! - value), id).toBeLessThanOrEqual(DRIVER);
  }
  const isUsable = late === 0 && quote.data.currency === "USD" && live === "live_quote";
  expect(signal.price === null).toBe(!isUsable);
  expect(signal.price_source).toBe(quote.data.price_source);
}

/** The responses with all providers on. */
let usual: Readonly<Record<Side, Answers>>;
beforeAll(async () => {
  usual = await withInstallation(KEYS, async (installation) => ({
    us: await allOf(installation, SYMBOLS.us),
    crypto: await allOf(installation, SYMBOLS.crypto),
  }));
  for (const { drivers } of Object.values(usual))
    expect(drivers!.filter(({ value }) => value !== null).length).toBeGreaterThan(15);
}, 60_000);

describe("with a key for every provider", () => {
  it("providers are called in order", () => {
    expect(new Set(providersOf(usual.us))).toEqual(new Set(["finnhub", "alpaca", "yahoo"]));
    expect(usual.us.quote.provenance.provider).toBe("finnhub");
    // Coinbase has no four-hour bars; Kraken has them in dollars
    // recorded answers of Coinbase are shorter than the bars that odds read, those of Yahoo are not
    expect(new Set(providersOf(usual.crypto))).toEqual(new Set(["coinbase", "kraken", "yahoo"]));
  });

  it.each(ALL)("%s switched off or unreachable changes the provider named, not the figures", async (name) => {
    const sides = SIDES.filter((side) => (ORDER[side] as readonly string[]).includes(name));
    const all = async (installation: Installation) => {
      const found = [];
      for (const side of sides)
        found.push([
          side,
          await allOf(installation, SYMBOLS[side], { lengths: ["1d", "4h", "1h"] }),
        ] as const);
      return found;
    };
    const off = await withInstallation({ ...KEYS, PROVIDERS_OFF: name }, all);
    const calls = requestCounts(suite.stage.replay)[name]!;
    suite.stage.replay.set({ off: new Set([name]) });
    const gone = await withInstallation(KEYS, all);
    suite.stage.replay.set({});
    for (const [side, one] of [...off, ...gone]) {
      expect(providersOf(one)).not.toContain(name);
      expectSame(usual[side], one);
    }
    // An unreachable provider is listed among the failed ones if it was called.
    const before = gone.some(([, { quote, bars }]) =>
      [quote, ...bars].some(({ provenance }) => provenance.fallback_from.includes(name)),
    );
    if (before) expect(requestCounts(suite.stage.replay)[name]!).toBeGreaterThan(calls);
    if (name === ORDER.us[0] || name === ORDER.crypto[0]) expect(before).toBe(true);
  });
});

/** Each provider alone: its delay in minutes and the timeframes it has or that can be aggregated from its own. */
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
  // 15 minutes late, unless the quote says that it is in real time
  ["nasdaq", "us", 0, ["1d"]],
  ["coinbase", "crypto", 0, LENGTHS],
  ["binance", "crypto", 0, LENGTHS],
  ["kraken", "crypto", 0, LENGTHS],
  ["okx", "crypto", 0, LENGTHS],
  ["coingecko", "crypto", 1, []],
  ["yahoo", "crypto", 0, LENGTHS],
];

describe("with only one provider", () => {
  it.each(ALONE)("%s serves the data it has for %s, and nothing else", async (name, side, late, lengths) => {
    suite.stage.to(MOMENT);
    await withInstallation({ ...KEYS, PROVIDERS_OFF: without(name).join(",") }, async (installation) => {
      const symbol = SYMBOLS[side];
      const all = await allOf(installation, symbol, { lengths, alone: true });
      expect(new Set(providersOf(all))).toEqual(new Set([name]));
      expect(all.quote.provenance.delay_minutes).toBe(late);
      // a lone provider of tokens has no witness; CNBC is one for stocks
      expectSame(usual[side], all, side === "crypto" ? "unconfirmed_quote" : "live_quote");
      const missing = lengths.length < 2 ? LENGTHS.filter((length) => !lengths.includes(length)) : [];
      for (const timeframe of missing)
        expect(await refusalOf(installation, getHistory, { symbol, timeframe })).toEqual({
          code: "UPSTREAM_UNAVAILABLE",
          symbol,
          tried: [],
        });
      const other = SYMBOLS[side === "us" ? "crypto" : "us"];
      if (name !== "yahoo")
        expect(await refusalOf(installation, getQuote, { symbol: other })).toMatchObject({
          code: "UPSTREAM_UNAVAILABLE",
          symbol: other,
          price: null,
          tried: [],
        });
    });
  });
});
