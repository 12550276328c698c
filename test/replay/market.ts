import type { Instrument } from "../../src/domain/market/market.ts";
import { embeddedListings } from "../../src/market/symbols/listings.ts";
import { draw, exp, keyOf, unit } from "../../src/providers/sample/draws.ts";
import { CRYPTO, LISTINGS, type Listing } from "../../src/providers/sample/listing.ts";
import { recordingsOf } from "../../src/providers/sample/recordings.ts";

/** The simulated market that the replayed vendors report: the sample market's simulator under another id. */
export const MARKET_ID = "replay";

const STABLE = new Set(["USDT-USD", "USDC-USD", "DAI-USD", "PYUSD-USD", "USDE-USD"]);
const STABLE_COIN = {
  price: 1,
  beta: 0,
  group: null,
  load: 0,
  own: 0.002,
  volume: 4e8,
  scale: 10_000,
  growth: 0,
};
/** Token prices with many leading zeros, which naive number formatting gets wrong. */
const TINY: Readonly<Record<string, number>> = {
  "SHIB-USD": 0.0000085,
  "PEPE-USD": 0.0000046,
  "BONK-USD": 0.000011,
};

/** Every instrument of the embedded directory by canonical symbol. */
export const instruments: ReadonlyMap<string, Instrument> = (() => {
  const { us, tokens } = embeddedListings();
  return new Map(
    [...us.values(), ...tokens.values()].map(({ instrument }) => [instrument.symbol, instrument]),
  );
})();

/** Listings of the sample market by symbol. */
export const sampleListings = new Map(LISTINGS.map((listing) => [listing.instrument.symbol, listing]));

/** Price recordings of all instruments in the directory. */
export const recordings = recordingsOf(
  MARKET_ID,
  [...instruments.values()].map((instrument) => listingOf(instrument)),
);

/** The sample market's listing of an instrument, or one generated from its symbol. */
function listingOf(instrument: Instrument): Listing {
  const { symbol, asset_class, sector } = instrument;
  const known = sampleListings.get(symbol);
  if (known !== undefined) return { ...known, instrument };
  if (STABLE.has(symbol)) return { instrument, ...STABLE_COIN };
  const key = keyOf(MARKET_ID, "listing", symbol);
  const share = (index: number) => unit(draw(key, index));
  if (asset_class === "crypto") {
    const price = TINY[symbol] ?? 0.05 * exp(3.9 * share(0)) * exp(2 * share(0));
    return {
      instrument,
      price,
      beta: 0.6,
      group: CRYPTO,
      load: 0.8 + 0.4 * share(1),
      own: 0.3 + 0.4 * share(2),
      volume: (5e6 * exp(3 * share(3))) / price,
      scale: 10 ** Math.min(8, Math.max(2, 4 - Math.floor(Math.log10(price)))),
    };
  }
  return {
    instrument,
    price: 12 * exp(3.5 * share(0)),
    beta: 0.4 + 1.1 * share(1),
    group: sector,
    load: 1,
    own: asset_class === "etf" ? 0.03 + 0.1 * share(2) : 0.12 + 0.3 * share(2),
    volume: Math.round(3e5 * exp(4 * share(3))),
    scale: 100,
  };
}
