import type { Config } from "./config.ts";
import { urlSettingOf } from "./config.ts";
import { type Guardable, type Guarded, guard, type Lent } from "./market/live/guard.ts";
import { liveOffExchange } from "./market/live/off-exchange.ts";
import { livePrints } from "./market/live/prints.ts";
import { noOffExchange, noPrints } from "./market/no-prints.ts";
import type { Clock, OffExchange, Prints, Symbols } from "./ports/index.ts";
import { alpacaPrints } from "./providers/alpaca/prints.ts";
import { finraDaily } from "./providers/finra/daily.ts";
import { finraWeekly } from "./providers/finra/weekly.ts";
import { massivePrints } from "./providers/massive/prints.ts";
import { unusualWhalesPrices } from "./providers/unusualwhales/price-levels.ts";
import { unusualWhalesMarket, unusualWhalesPrints } from "./providers/unusualwhales/prints.ts";
import type { SourceSetup } from "./providers/wire.ts";
import type { VendorName } from "./vendors.ts";

/** Files of a day, and pages of trades, are larger than a quote. */
const TIMEOUT_MS = 8_000;
/** How long a question waits for a place within the budget. */
const PATIENCE_MS = 5_000;

/** Calendar days that hold the 60 sessions a short share is compared with. */
const LOOK_BACK_MS = 120 * 86_400_000;

interface DarkPoolLent {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly symbols: Symbols;
}

/** What trades off exchange. */
export interface DarkPoolPorts {
  readonly prints: Prints;
  readonly offExchange: OffExchange;
  /** Fetches the days that a signal looks back over, so that nobody waits for them. */
  readonly warm: () => Promise<unknown>;
}

/** What trades off exchange, from the sources that the settings switch on: with quotes of the moment first, then what costs least. */
export function darkPoolPorts(config: Config, { fetch, clock, symbols }: DarkPoolLent): DarkPoolPorts {
  const {
    UNUSUAL_WHALES_TOKEN: token,
    ALPACA_KEY_ID: keyId,
    ALPACA_SECRET_KEY: secret,
    MASSIVE_KEY: key,
  } = config;
  const now = () => clock.now().getTime();
  /** One source behind its guard; none where it is switched off or lacks its key. */
  function on<S extends Guardable>(
    name: VendorName,
    make: ((setup: SourceSetup) => S) | null,
  ): readonly Guarded<S>[] {
    if (make === null || config.PROVIDERS_OFF.includes(name)) return [];
    const baseUrl = config[urlSettingOf(name)];
    const build = (lent: Lent) => make({ fetch: lent.fetch, heard: lent.heard, baseUrl });
    return [guard(build, { fetch, clock, timeoutMs: TIMEOUT_MS, patienceMs: PATIENCE_MS })];
  }
  const whales = token === undefined ? null : token;
  const tape = [
    ...on(
      "unusualwhales",
      whales === null ? null : (setup) => unusualWhalesPrints({ ...setup, token: whales }),
    ),
    ...on("massive", key === undefined ? null : (setup) => massivePrints({ ...setup, key })),
    ...on(
      "alpaca",
      keyId === undefined || secret === undefined
        ? null
        : (setup) => alpacaPrints({ ...setup, keyId, secret, now }),
    ),
  ];
  const market = on(
    "unusualwhales",
    whales === null ? null : (setup) => unusualWhalesMarket({ ...setup, token: whales }),
  );
  const daily = on("finra", finraDaily);
  const prices = on(
    "unusualwhales",
    whales === null ? null : (setup) => unusualWhalesPrices({ ...setup, token: whales }),
  );
  const unless = (connected: number, missing: string | null) => (connected > 0 ? null : missing);
  const { missing: untaped } = noPrints;
  const { missing: untold } = noOffExchange;
  const offExchange = liveOffExchange({
    ...{ daily, weekly: on("finra", finraWeekly), prices, clock },
    missing: {
      days: unless(daily.length, untold.days),
      weeks: unless(daily.length, untold.weeks),
      byPrice: unless(prices.length, untold.byPrice),
    },
  });
  return {
    warm: () =>
      offExchange.days(symbols.resolve("SPY").instrument, { from: now() - LOOK_BACK_MS, until: now() }),
    offExchange,
    prints: livePrints({
      ...{ tape, market, clock, symbolOf: symbolIn(symbols) },
      missing: { tape: unless(tape.length, untaped.tape), market: unless(market.length, untaped.market) },
    }),
  };
}

/** The stock or fund that a ticker of the tape names, by canonical symbol; the ticker where nobody lists it. */
const symbolIn =
  (symbols: Symbols) =>
  (ticker: string): string => {
    const readings = [symbols.find(`${ticker}.US`), symbols.find(ticker)].flatMap((found) =>
      found === null ? [] : [found.instrument, ...found.alternatives],
    );
    return readings.find(({ asset_class }) => asset_class !== "crypto")?.symbol ?? ticker;
  };
