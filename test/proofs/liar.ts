import { readConfig } from "../../src/app/config.ts";
import { openLive } from "../../src/app/providers/live.ts";
import type { Instrument, Quote } from "../../src/domain/market/market.ts";
import { replayInProcess } from "../replay/replay.ts";
import { createWorld } from "../replay/shared-world.ts";
import type { Vendor } from "../replay/vendor.ts";
import { VENDORS } from "../replay/vendors.ts";
import type { World } from "../replay/world.ts";
import { collectingLog } from "../support/context.ts";
import { KEYS } from "../support/live.ts";
import { settableClock } from "../support/providers.ts";
import { openMemoryStore } from "../support/store.ts";
import { suiteDir } from "../support/temp-dir.ts";
import type { Proof, Scale } from "./proof.ts";

/** Deviation from the truth above which a price that is called live is wrong, percent. */
const WRONG_PERCENT = 4;
/** Maximum share of true quotes of stocks that are not called live. */
const MAX_DOUBTED = 0.02;
/** Factors of a lie; an opposite move of the market hides a small one near the last close. */
const LIES: readonly Lie[] = [
  { factor: 1.1 },
  { factor: 0.9 },
  { factor: 0.5 },
  { factor: 4 },
  { factor: 1.06, isPriceOnly: true },
  { factor: 0.94, isPriceOnly: true },
];
const TRUTH: Lie = { factor: 1 };
/** Times of the quotes: in a session, before an open and near a close, November 2026. */
const DAYS: Readonly<Record<Scale, readonly string[]>> = {
  quick: ["2026-11-16T20:50:00Z"],
  full: ["2026-11-19T16:00:00Z", "2026-11-18T13:00:00Z", "2026-11-16T20:50:00Z"],
};
const US: Readonly<Record<Scale, readonly string[]>> = {
  quick: ["AAPL", "TSLA", "SPY", "KO"],
  full: "AAPL MSFT NVDA TSLA SPY QQQ AMZN GOOGL META JPM BRK.B KO XOM WMT".split(" "),
};
const CRYPTO: Readonly<Record<Scale, readonly string[]>> = {
  quick: ["BTC-USD", "SOL-USD"],
  full: "BTC-USD ETH-USD SOL-USD XRP-USD DOGE-USD ADA-USD LTC-USD LINK-USD".split(" "),
};
const DAY = 86_400_000;
/** Pauses between the quotes of a symbol, ms: one from the cache's end, one after every cached doubt. */
const PAUSES_MS = [0, 6_000, 61_000];

interface Lie {
  readonly factor: number;
  /** true: the previous close and the bars are true. */
  readonly isPriceOnly?: true;
}
interface Liar {
  readonly name: string;
  /** Settings with which its quotes come first. */
  readonly env: Readonly<Record<string, string>>;
  readonly crypto?: true;
}
const LIARS: readonly Liar[] = [
  { name: "yahoo", env: {} },
  { name: "finnhub", env: { FINNHUB_TOKEN: KEYS.FINNHUB_TOKEN! } },
  {
    name: "alpaca",
    env: { ALPACA_KEY_ID: KEYS.ALPACA_KEY_ID!, ALPACA_SECRET_KEY: KEYS.ALPACA_SECRET_KEY! },
  },
  { name: "coinbase", env: {}, crypto: true },
  { name: "kraken", env: { PROVIDERS_OFF: "coinbase,binance" }, crypto: true },
];

/** One provider multiplies every price it serves, also the previous close, its bars and the dollar price of USDT. */
export const liar: Proof = {
  name: "liar",
  claim: "No price that one provider made up is called live, and true prices are",

  async run({ scale, report }) {
    const broken: string[] = [];
    let [lies, told, stocks, doubted, coins, coinsDoubted] = [0, 0, 0, 0, 0, 0];
    for (const one of LIARS)
      for (const moment of DAYS[scale])
        for (const isUsed of [false, true]) {
          for (const lie of [...LIES, TRUTH])
            for (const { quote, truth, symbol } of await quotesUnder(one, {
              lie,
              moment,
              isUsed,
              scale,
            })) {
              const isLive = quote.price_source === "live_quote";
              const off = 100 * Math.abs(quote.price / truth - 1);
              if (lie !== TRUTH) lies++;
              if (lie !== TRUTH && quote.source === one.name) told++;
              if (isLive && off > WRONG_PERCENT)
                broken.push(
                  `${symbol} of ${one.name} x${lie.factor}, ${isUsed ? "used" : "new"}, ${moment}: ${quote.price} of ${quote.source} is live, in truth ${truth}; ${JSON.stringify(quote.origin?.check)}`,
                );
              if (lie !== TRUTH || !["live_quote", "unconfirmed_quote"].includes(quote.price_source))
                continue;
              if (one.crypto === true) coins++;
              else stocks++;
              if (isLive) continue;
              if (one.crypto === true) coinsDoubted++;
              else doubted++;
            }
          report(`${one.name}, ${moment}, ${isUsed ? "used" : "new"}: ${broken.length} wrong so far`);
        }
    if (doubted > MAX_DOUBTED * stocks)
      broken.push(`${doubted} of ${stocks} true quotes of stocks are doubted`);
    if (stocks === 0 || coins === 0) broken.push("no true quote was live or doubted");
    if (told === 0) broken.push("the liar was never called");
    return {
      figure: `${lies} quotes while one provider lies, ${told} of them from the liar: ${broken.length} live and wrong beyond ${WRONG_PERCENT} %; of true quotes doubted: ${doubted} of ${stocks} of stocks, ${coinsDoubted} of ${coins} of tokens`,
      broken,
    };
  },
};

interface Found {
  readonly symbol: string;
  readonly quote: Quote;
  /** Price in the simulated market. */
  readonly truth: number;
}

/** Quotes of a new installation, or of one used the day before, while a provider multiplies its prices. */
async function quotesUnder(
  { name, env, crypto = undefined }: Liar,
  {
    lie,
    moment,
    isUsed,
    scale,
  }: { readonly lie: Lie; readonly moment: string; readonly isUsed: boolean; readonly scale: Scale },
): Promise<readonly Found[]> {
  const clock = settableClock(moment);
  const world = createWorld({ now: clock.at });
  let told = TRUTH;
  const vendors = VENDORS.map((vendor) => (vendor.name === name ? lying(vendor, () => told) : vendor));
  const replay = replayInProcess({ world, vendors });
  const { dir, remove } = suiteDir();
  const config = readConfig({
    DATA_DIR: dir,
    MARKET_DATA: "live",
    LOG_LEVEL: "silent",
    ...replay.env,
    ...env,
  });
  const store = await openMemoryStore();
  const { log } = collectingLog();
  const live = await openLive({
    config,
    db: store.db,
    backgroundDb: store.db,
    clock,
    log,
    fetch: replay.fetch,
  });
  const { symbols, quotes, bars } = live.ports;
  const instruments = (crypto === true ? CRYPTO : US)[scale].map(
    (symbol) => symbols.resolve(symbol).instrument,
  );
  try {
    if (isUsed) {
      clock.move(-DAY);
      for (const instrument of instruments) {
        await quotes.latest(instrument);
        await bars.history(instrument, { timeframe: "1d", limit: 30 });
      }
      clock.move(DAY);
    }
    told = lie;
    const found: Found[] = [];
    for (const pause of PAUSES_MS) {
      clock.move(pause);
      for (const instrument of instruments) found.push(await quoted(instrument));
    }
    return found;
  } finally {
    await live.close();
    await store.close();
    remove();
  }

  async function quoted(instrument: Instrument): Promise<Found> {
    const quote = await quotes.latest(instrument);
    return { symbol: instrument.symbol, quote, truth: world.trade(instrument.symbol)!.price };
  }
}

/** A vendor that serves the world with every price, or only the newest one, times a factor. */
const lying = (vendor: Vendor, lie: () => Lie): Vendor => ({
  ...vendor,
  answer: (request, world) => vendor.answer(request, multiplied(world, lie())),
});

function multiplied(world: World, { factor, isPriceOnly = undefined }: Lie): World {
  const ofPast = isPriceOnly ? 1 : factor;
  const scaled = <T extends { readonly open: number; readonly high: number; readonly low: number }>(
    row: T,
    times: number,
  ): T => ({
    ...row,
    open: row.open * times,
    high: row.high * times,
    low: row.low * times,
  });
  return {
    ...world,
    bars: (...args) =>
      world.bars(...args).map((bar) => ({ ...scaled(bar, ofPast), close: bar.close * ofPast })),
    trade(symbol) {
      const trade = world.trade(symbol);
      return trade === null
        ? null
        : {
            ...scaled(trade, factor),
            price: trade.price * factor,
            previousClose: trade.previousClose * ofPast,
          };
    },
  };
}
