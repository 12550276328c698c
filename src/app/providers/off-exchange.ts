import type { PrintProvider } from "../../domain/off-exchange/provider.ts";
import type { OffExchange, Prints, Symbols } from "../../domain/ports.ts";
import { liveOffExchange } from "../../features/off-exchange/live/off-exchange.ts";
import { livePrints } from "../../features/off-exchange/live/prints.ts";
import { alpacaPrints } from "../../providers/alpaca/prints.ts";
import { finraDaily } from "../../providers/finra/daily.ts";
import { finraWeekly } from "../../providers/finra/weekly.ts";
import { massivePrints } from "../../providers/massive/prints.ts";
import { unusualWhalesPrices } from "../../providers/unusualwhales/price-levels.ts";
import { unusualWhalesMarket, unusualWhalesPrints } from "../../providers/unusualwhales/prints.ts";
import { noOffExchange, noPrints } from "./absent/no-off-exchange-trades.ts";
import { KEY_SETTINGS } from "./key-settings.ts";
import { lastSession, PROBE_STOCK } from "./probe-stock.ts";
import { type ProviderFactory, type ProviderOptions, withKey, withPair } from "./provider-factory.ts";

/** Files of a day, and pages of trades, are larger than a quote; so long a question waits for its place. */
const PACE = { timeoutMs: 8_000, maxWaitMs: 5_000 } as const;
/** Calendar days that hold the 60 sessions a short share is compared with. */
const LOOK_BACK_MS = 120 * 86_400_000;
/** Minimum value of prints, in US dollars, requested by a provider check. */
const LARGE = 1_000_000;

/** Off-exchange trading. */
export interface OffExchangePorts {
  readonly prints: Prints;
  readonly offExchange: OffExchange;
  /** Prefetches the days that a signal looks back over, so that no request waits for them. */
  readonly warm: () => Promise<unknown>;
}

/** Off-exchange trading from the enabled providers: those with live quotes first, then the cheapest. */
export function offExchangePorts(
  { config, create: on, now, clock }: ProviderFactory,
  { symbols }: { readonly symbols: Symbols },
): OffExchangePorts {
  const { UNUSUAL_WHALES_TOKEN, ALPACA_KEY_ID, ALPACA_SECRET_KEY, MASSIVE_KEY } = config;
  const date = () => lastSession(now());
  const printed: ProviderOptions<PrintProvider> = {
    content: "prints",
    ...PACE,
    check: (source, signal) =>
      source.call({ instrument: PROBE_STOCK, date: date(), minNotional: LARGE }, { signal }),
  };
  const tape = [
    ...on(
      "unusualwhales",
      withKey(UNUSUAL_WHALES_TOKEN, (token, setup) => unusualWhalesPrints({ ...setup, token })),
      printed,
    ),
    ...on(
      "massive",
      withKey(MASSIVE_KEY, (key, setup) => massivePrints({ ...setup, key })),
      printed,
    ),
    ...on(
      "alpaca",
      withPair([ALPACA_KEY_ID, ALPACA_SECRET_KEY], (keyId, secret, setup) =>
        alpacaPrints({ ...setup, keyId, secret, now }),
      ),
      printed,
    ),
  ];
  const market = on(
    "unusualwhales",
    withKey(UNUSUAL_WHALES_TOKEN, (token, setup) => unusualWhalesMarket({ ...setup, token })),
    { content: "prints of all", ...PACE },
  );
  const daily = on("finra", finraDaily, {
    content: "daily volume",
    ...PACE,
    check: (source, signal) => source.call({ date: date() }, { signal }),
  });
  const weekly = on("finra", finraWeekly, {
    content: "weekly volume",
    ...PACE,
    check: (source, signal) => source.call({ instrument: PROBE_STOCK }, { signal }),
  });
  const prices = on(
    "unusualwhales",
    withKey(UNUSUAL_WHALES_TOKEN, (token, setup) => unusualWhalesPrices({ ...setup, token })),
    {
      content: "volume by price",
      ...PACE,
      check: (source, signal) => source.call({ instrument: PROBE_STOCK, date: date() }, { signal }),
    },
  );
  const unless = (connected: number, missing: string | null) => (connected > 0 ? null : missing);
  const { missing: untaped } = noPrints;
  const { missing: untold } = noOffExchange;
  const offExchange = liveOffExchange({
    daily,
    weekly,
    prices,
    clock,
    settings: KEY_SETTINGS,
    missing: {
      days: unless(daily.length, untold.days),
      weeks: unless(weekly.length, untold.weeks),
      byPrice: unless(prices.length, untold.byPrice),
    },
  });
  return {
    warm: () =>
      offExchange.days(symbols.resolve("SPY").instrument, { from: now() - LOOK_BACK_MS, until: now() }),
    offExchange,
    prints: livePrints({
      tape,
      market,
      clock,
      symbolOf: symbolIn(symbols),
      settings: KEY_SETTINGS,
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
