import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Timeframe } from "../../src/domain/market/bars.ts";
import type { AssetClass, Instrument } from "../../src/domain/market/market.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { getHistory } from "../../tools/get-history.ts";
import { getQuote } from "../../tools/get-quote.ts";
import { type Replay, startReplay } from "../replay/server.ts";
import { createWorld } from "../replay/shared-world.ts";
import { VENDORS } from "../replay/vendors.ts";
import type { World } from "../replay/world.ts";
import { type Installation, install } from "../support/installation.ts";
import { settableClock } from "../support/providers.ts";
import { suiteDir } from "../support/temp-dir.ts";
import type { Proof } from "./proof.ts";

const CALLS = { quick: 240, full: 10_000 } as const;
const CONCURRENT_CALLS = 16;
/** A Thursday, 11:00 New York. */
const START = "2026-11-19T16:00:00Z";
/** Time between two batches of calls on the replay clock, which does not move during a call. */
const STEP_MS = 20_000;
const US = "AAPL MSFT NVDA TSLA SPY QQQ AMZN GOOGL META JPM BRK.B KO XOM WMT NFLX LINK".split(" ");
const CRYPTO = "BTC-USD ETH-USD SOL-USD XRP-USD DOGE-USD ADA-USD LTC-USD LINK-USD".split(" ");
const LENGTHS = ["1d", "1h", "4h", "15m"] as const;
/** Relative difference explained by a provider's own rounding. */
const ROUNDING = 2e-5;
const P99_MS = 2_000;
/** Rate limits that providers publish or that were measured: calls per window. */
const PUBLISHED: Readonly<Record<string, readonly [calls: number, perMs: number]>> = {
  cboe: [45, 60_000],
  binance: [6_000, 60_000],
  coinbase: [600, 60_000],
  kraken: [60, 60_000],
  okx: [20, 2_000],
  coingecko: [30, 60_000],
};

/** Real adapters, chains and tools on providers of which three in ten responses fail, in every known way. */
export const failover: Proof = {
  name: "failover",
  claim: "Whatever goes wrong at the providers, no number is wrong and no stale answer is unlabelled",

  async run({ scale, seed, report }) {
    const { dir, remove } = suiteDir();
    const clock = settableClock(START);
    const world = createWorld({ now: clock.at });
    const truth = truthOf(clock);
    const replay = await startReplay({
      world,
      vendors: VENDORS,
      faults: { rate: 0.3 },
      seed,
      slowMs: 1_000,
      holdMs: 10_000,
    });
    const server = await install(dir, "live", { ...replay.env }, { clock });
    const stalls = monitorEventLoopDelay({ resolution: 5 });
    stalls.enable();
    const broken: string[] = [];
    const took: number[] = [];
    const counts = { quotes: 0, bars: 0, stale: 0, fallback: 0, refused: 0 };
    try {
      const ask = async (call: number) => {
        const instrument = drawn(call, seed, server);
        const started = performance.now();
        const found = await (call % 2 === 0
          ? quoted(server, instrument, truth)
          : charted(server, instrument, LENGTHS[(call >> 1) % LENGTHS.length]!, truth));
        took.push(performance.now() - started);
        broken.push(...found.wrong.map((what) => `${instrument.symbol}: ${what}`));
        counts[call % 2 === 0 ? "quotes" : "bars"]++;
        if (found.stale) counts.stale++;
        if (found.fallback) counts.fallback++;
        if (found.refused !== null) counts.refused++;
        if (found.refused) broken.push(`${instrument.symbol}: ${found.refused}`);
      };
      for (let call = 0; call < CALLS[scale]; call += CONCURRENT_CALLS) {
        await Promise.all(Array.from({ length: CONCURRENT_CALLS }, (_, i) => ask(call + i)));
        clock.move(STEP_MS);
        if (call % 1_600 === 0) report(`${call} calls`);
      }
      const p99 = took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)]!;
      broken.push(...overBudget(server, replay, stalls.max / 1e6));
      // A busy machine is slow, which is no fault of the program.
      if (scale === "full" && p99 >= P99_MS) broken.push(`p99 is ${Math.round(p99)} ms`);
      const calls = Object.values(replay.calls()).flat();
      const faults = calls.filter(({ fault }) => fault !== null).length;
      return {
        figure: `${counts.quotes} quotes and ${counts.bars} series, ${calls.length} provider calls of which ${faults} failed: ${broken.length} wrong or unlabelled; ${counts.fallback} from another provider, ${counts.stale} labelled stale, ${counts.refused} refused; p99 ${Math.round(p99)} ms`,
        broken,
      };
    } finally {
      stalls.disable();
      await server.stop();
      await replay.close();
      remove();
    }
  },
};

interface Found {
  readonly wrong: readonly string[];
  readonly stale: boolean;
  readonly fallback: boolean;
  /** Null for an answer; for an error, why it was wrong, or empty if it was right. */
  readonly refused: string | null;
}
interface Truth {
  readonly now: () => number;
  /** The same market at another time. */
  readonly at: (moment: number) => World;
}

function truthOf(clock: { at(): number }): Truth {
  let moment = clock.at();
  const world = createWorld({ now: () => moment });
  return {
    now: clock.at,
    at: (at) => {
      moment = at;
      return world;
    },
  };
}

function drawn(call: number, seed: number, { app }: Installation): Instrument {
  const names = call % 3 === 0 ? CRYPTO : US;
  const name = names[(Math.imul(call + seed, 40_503) >>> 3) % names.length]!;
  return app.ports.symbols.resolve(name).instrument;
}

const called = async <T>(work: () => Promise<T>): Promise<T | ToolError> => {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ToolError) return cause;
    throw cause;
  }
};

/** An error is right if every provider was called or paused, and none answered. */
function refusal(error: ToolError): Found {
  const right = error.code === "UPSTREAM_UNAVAILABLE";

  return {
    wrong: [],
    stale: false,
    fallback: false,
    refused: right ? "" : `${error.code} ${error.message}`,
  };
}

async function quoted(
  { app }: Installation,
  { symbol, asset_class }: Instrument,
  truth: Truth,
): Promise<Found> {
  const before = truth.now();
  const answer = await called(() =>
    invoke(
      getQuote,
      { symbol, provenance: "full" },
      { ports: app.ports, principal: app.owner, transport: "proof", nested: true },
    ),
  );
  if (answer instanceof ToolError) return refusal(answer);
  const { data, provenance } = answer;
  const wrong: string[] = [];
  const traded = Date.parse(data.timestamp);
  const fetched = Date.parse(provenance.fetched_at);
  const prices = truePrices(truth, symbol, traded);
  // a price in a dollar token is the price of the world times that token's
  const { rate, as_of } = provenance.converted ?? { rate: 1, as_of: null };
  if (
    as_of !== null &&
    !truePrices(truth, "USDT-USD", Date.parse(as_of)).some((price) => near(price, rate, "crypto"))
  )
    wrong.push(`converted at ${rate} of ${as_of}`);
  if (!prices.some((price) => near(price * rate, data.price, asset_class)))
    wrong.push(`${data.price} by ${data.source} at ${data.timestamp}, in truth ${prices[0]}`);
  const age = before - fetched;
  if (!provenance.stale && age > 60_000) wrong.push(`fetched ${age} ms ago and not labelled stale`);
  if (provenance.stale && data.price_source === "live_quote") wrong.push("stale and live at once");
  if (data.price_source === "live_quote" && before - traded > 130_000)
    wrong.push(`live, though it traded ${before - traded} ms ago`);
  return { wrong, stale: provenance.stale, fallback: provenance.fallback_from.length > 0, refused: null };
}

async function charted(
  { app }: Installation,
  { symbol, asset_class }: Instrument,
  timeframe: Timeframe,
  truth: Truth,
): Promise<Found> {
  const before = truth.now();
  const answer = await called(() =>
    invoke(
      getHistory,
      { symbol, timeframe, limit: 60, provenance: "full" },
      { ports: app.ports, principal: app.owner, transport: "proof", nested: true },
    ),
  );
  if (answer instanceof ToolError) return refusal(answer);
  const { bars, provenance } = answer;
  const times = bars.map(({ datetime }) => Date.parse(datetime));
  const range = { from: Math.min(...times), until: Math.max(...times) };
  const real = new Map(
    truth
      .at(before)
      .bars(symbol, timeframe, range)
      .map((bar) => [bar.time, bar]),
  );
  const wrong = bars.flatMap((bar, i) => {
    const one = real.get(times[i]!);
    const same =
      one !== undefined &&
      (["open", "high", "low", "close"] as const).every((field) => near(bar[field], one[field], asset_class));
    return same
      ? []
      : [`${timeframe} by ${provenance.provider}: ${JSON.stringify(bar)}, in truth ${JSON.stringify(one)}`];
  });
  const fetched = Date.parse(provenance.fetched_at);
  if (!provenance.stale && before - fetched > 15 * 60_000) wrong.push("old bars that are not labelled stale");
  if (!times.every((time, i) => i === 0 || time < times[i - 1]!)) wrong.push("bars out of order");
  return {
    wrong: wrong.slice(0, 2),
    stale: provenance.stale,
    fallback: provenance.fallback_from.length > 0,
    refused: null,
  };
}

/**
 * Prices of the newest trade at a time and within the following minute, because some providers report whole minutes.
 */
function truePrices(truth: Truth, symbol: string, at: number): readonly number[] {
  const prices: number[] = [];
  for (let ms = 0; ms <= 60_000; ms += 5_000) {
    const trade = truth.at(at + ms).trade(symbol);
    if (trade !== null) prices.push(trade.price);
  }
  return prices;
}

/** Some providers round stock prices to the cent. */
const near = (a: number, b: number, assetClass: AssetClass): boolean =>
  Math.abs(a - b) <= ROUNDING * Math.max(a, b) + (assetClass === "crypto" ? 0 : 0.0051);

/** Providers that received more calls in some window than their own budget or the published limit allows. */
/**
 * Exceeded budgets. After this process was suspended for up to `stalledMs`, requests sent apart may arrive together.
 */
function overBudget({ app }: Installation, replay: Replay, stalledMs: number): readonly string[] {
  const budgets = app.live?.budgets ?? [];
  return Object.entries(replay.calls()).flatMap(([vendor, calls]) => {
    const own = budgets.filter(({ name }) => name === vendor);
    const limits = [PUBLISHED[vendor], ...own.map(({ calls, perMs }) => [calls, perMs] as const)];
    return limits.flatMap((limit) => {
      if (limit === undefined) return [];
      const [most, perMs] = limit;
      const times = calls.map(({ at }) => at).sort((a, b) => a - b);
      const over = times.filter(
        (at, i) => (times[i + most] ?? Number.POSITIVE_INFINITY) - at < perMs - stalledMs,
      );
      return over.length === 0
        ? []
        : [`${vendor}: more than ${most} calls in ${perMs} ms, ${over.length} times`];
    });
  });
}
