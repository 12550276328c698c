import type { Instrument } from "../../../src/domain/market/market.ts";
import { dailyPath } from "../../../src/providers/sample/daily.ts";
import { bell, draw, exp, keyOf, unit } from "../../../src/providers/sample/draws.ts";
import { CRYPTO, LISTINGS, type Listing } from "../../../src/providers/sample/listing.ts";
import { type Shocks, shocks } from "../../../src/providers/sample/shocks.ts";
import { COIN_PARTS, type Days } from "./candle.ts";

const SEED = "replay";
const STABLE = new Set(["USDT-USD", "USDC-USD", "DAI-USD", "PYUSD-USD", "USDE-USD"]);
/** Coins of which a dollar buys thousands: their prices have more zeros than a careless program prints. */
const TINY: Readonly<Record<string, number>> = {
  "SHIB-USD": 0.0000085,
  "PEPE-USD": 0.0000046,
  "BONK-USD": 0.000011,
};

/** Made-up days of any instrument: those of the sample market's kind, all moved by one market and its sectors. */
export function simulation(): (instrument: Instrument) => Days {
  const market = shocks(keyOf(SEED, "market"), 0.16, 252);
  const groups = new Map<string, Shocks>();
  function groupOf(name: string | null): Shocks | null {
    if (name === null) return null;
    const spread = name === CRYPTO ? 0.48 : 0.09;
    const made = groups.get(name) ?? shocks(keyOf(SEED, "group", name), spread, name === CRYPTO ? 365 : 252);
    groups.set(name, made);
    return made;
  }
  return (instrument) => {
    if (STABLE.has(instrument.symbol)) return steady(keyOf(SEED, "symbol", instrument.symbol));
    const listing = LISTINGS.find((one) => one.instrument.symbol === instrument.symbol) ?? invent(instrument);
    const key = keyOf(SEED, "symbol", instrument.symbol);
    const own = shocks(keyOf(key, "own"), listing.own, instrument.asset_class === "crypto" ? 365 : 252);
    const { candle, parts } = dailyPath(listing, { market, group: groupOf(listing.group), own }, key);
    return (number) => (number < 0 ? null : { ...candle(number), scale: listing.scale, parts });
  };
}

/** A coin held at a dollar: ten-thousandths of one are all that moves. */
function steady(key: number): Days {
  const scale = 10_000;
  const level = (number: number) => scale + Math.round(2 * bell(draw(key, number)));
  const reach = (number: number, side: number) => 1 + ((draw(keyOf(key, side), number) >>> 1) % 4);
  return (number) => {
    if (number < 0) return null;
    const [open, close] = [level(number - 1), level(number)];
    return {
      open,
      close,
      high: Math.max(open, close) + reach(number, 1),
      low: Math.min(open, close) - reach(number, 2),
      volume: 4e8 * COIN_PARTS + (draw(key, number) >>> 2),
      spread: 2,
      scale,
      parts: COIN_PARTS,
    };
  };
}

/** What an instrument's path is drawn from, where only its name is known. */
function invent(instrument: Instrument): Listing {
  const { symbol, asset_class, sector } = instrument;
  const key = keyOf(SEED, "listing", symbol);
  const drawn = (index: number) => unit(draw(key, index));
  const [level, swing, mood, trade] = [drawn(0), drawn(1), drawn(2), drawn(3)];
  if (asset_class === "crypto") {
    const price = TINY[symbol] ?? 0.05 * exp(3.9 * level) * exp(2 * level);
    const scale = 10 ** Math.min(8, Math.max(2, 4 - Math.floor(Math.log10(price))));
    const volume = (5e6 * exp(3 * trade)) / price;
    return {
      instrument,
      price,
      beta: 0.6,
      group: CRYPTO,
      load: 0.8 + 0.4 * swing,
      own: 0.3 + 0.4 * mood,
      volume,
      scale,
    };
  }
  const fund = asset_class === "etf";
  return {
    instrument,
    price: 12 * exp(3.5 * level),
    beta: 0.4 + 1.1 * swing,
    group: sector,
    load: 1,
    own: fund ? 0.03 + 0.1 * mood : 0.12 + 0.3 * mood,
    volume: Math.round(3e5 * exp(4 * trade)),
    scale: 100,
  };
}
