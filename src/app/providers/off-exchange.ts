import type { PrintRepository } from "../../domain/off-exchange/print-repository-port.ts";
import type { PrintProvider } from "../../domain/off-exchange/provider.ts";
import type { Symbols } from "../../domain/ports.ts";
import { liveOffExchange } from "../../features/off-exchange/live/off-exchange.ts";
import { livePrints } from "../../features/off-exchange/live/prints.ts";
import { alpacaPrints } from "../../providers/alpaca/prints.ts";
import { finraDaily } from "../../providers/finra/daily.ts";
import { finraWeekly } from "../../providers/finra/weekly.ts";
import { massivePrints } from "../../providers/massive/prints.ts";
import { unusualWhalesPrices } from "../../providers/unusualwhales/price-levels.ts";
import { unusualWhalesMarket, unusualWhalesPrints } from "../../providers/unusualwhales/prints.ts";
import { noOffExchange, noPrints } from "./not-connected.ts";
import { lastSession, PROBE_STOCK } from "./probe-stock.ts";
import type { ProviderFactory, ProviderOptions } from "./provider-factory.ts";
import { KEY_SETTINGS } from "./provider-terms.ts";

/** Daily files and pages of trades are larger than a quote. */
const LIMITS = { timeoutMs: 8_000, maxWaitMs: 5_000 } as const;
/** Period that contains the 60 sessions with which a short share is compared, ms. */
const LOOK_BACK_MS = 120 * 86_400_000;
/** Minimum value of prints, in US dollars, requested by a provider check. */
const MIN_CHECK_NOTIONAL = 1_000_000;

/** Off-exchange trading from the enabled providers: those with live quotes first, then the cheapest. */
export function offExchangePorts(
  { create, now, clock }: ProviderFactory,
  { symbols, prints }: { readonly symbols: Symbols; readonly prints: PrintRepository },
) {
  const date = () => lastSession(now());
  const printOptions: ProviderOptions<PrintProvider> = {
    content: "prints",
    ...LIMITS,
    check: (provider, signal) =>
      provider.call({ instrument: PROBE_STOCK, date: date(), minNotional: MIN_CHECK_NOTIONAL }, { signal }),
  };
  const tape = [
    ...create("unusualwhales", unusualWhalesPrints, printOptions),
    ...create("massive", massivePrints, printOptions),
    ...create("alpaca", alpacaPrints, printOptions),
  ];
  const market = create("unusualwhales", unusualWhalesMarket, { content: "prints of all", ...LIMITS });
  const daily = create("finra", finraDaily, {
    content: "daily volume",
    ...LIMITS,
    check: (provider, signal) => provider.call({ date: date() }, { signal }),
  });
  const weekly = create("finra", finraWeekly, {
    content: "weekly volume",
    ...LIMITS,
    check: (provider, signal) => provider.call({ instrument: PROBE_STOCK }, { signal }),
  });
  const prices = create("unusualwhales", unusualWhalesPrices, {
    content: "volume by price",
    ...LIMITS,
    check: (provider, signal) => provider.call({ instrument: PROBE_STOCK, date: date() }, { signal }),
  });
  const ifNone = (providers: readonly unknown[], missing: string | null) =>
    providers.length > 0 ? null : missing;
  const offExchange = liveOffExchange({
    daily,
    weekly,
    prices,
    clock,
    settings: KEY_SETTINGS,
    missing: {
      days: ifNone(daily, noOffExchange.missing.days),
      weeks: ifNone(weekly, noOffExchange.missing.weeks),
      byPrice: ifNone(prices, noOffExchange.missing.byPrice),
    },
  });
  return {
    /** Prefetches the days that a signal needs, so that no request waits for them. */
    warm: () =>
      offExchange.days(symbols.resolve("SPY").instrument, { from: now() - LOOK_BACK_MS, until: now() }),
    offExchange,
    prints: livePrints({
      tape,
      market,
      clock,
      repository: prints,
      symbolOf: (ticker) => symbolOfTicker(ticker, symbols),
      settings: KEY_SETTINGS,
      missing: {
        tape: ifNone(tape, noPrints.missing.tape),
        market: ifNone(market, noPrints.missing.market),
      },
    }),
  };
}

/** Returns the canonical symbol of the stock or fund with a ticker; the ticker itself if it is not listed. */
function symbolOfTicker(ticker: string, symbols: Symbols): string {
  const candidates = [symbols.find(`${ticker}.US`), symbols.find(ticker)].flatMap((found) =>
    found === null ? [] : [found.instrument, ...found.alternatives],
  );
  return candidates.find(({ asset_class }) => asset_class !== "crypto")?.symbol ?? ticker;
}
