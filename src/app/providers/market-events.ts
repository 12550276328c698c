import type { EventKind } from "../../domain/market-events/market-events.ts";
import type { MarketEvents } from "../../domain/market-events/market-events-port.ts";
import type {
  EventDayProvider,
  EventMonthProvider,
  StockEventProvider,
} from "../../domain/market-events/provider.ts";
import { liveMarketEvents } from "../../features/market-events/live/market-events.ts";
import {
  nasdaqDividendDays,
  nasdaqIpoMonths,
  nasdaqSplitDays,
  nasdaqStockDividends,
} from "../../providers/nasdaq/events.ts";
import { nasdaqtraderHalts } from "../../providers/nasdaqtrader/halts.ts";
import { noEventsOf } from "./not-connected.ts";
import { lastSession, PROBE_STOCK } from "./probe-stock.ts";
import type { ProviderFactory, ProviderOptions } from "./provider-factory.ts";

const LIMITS = { timeoutMs: 5_000, maxWaitMs: 10_000 } as const;

/** Creates the port for events: Nasdaq.com's calendars and Nasdaq Trader's halts, both without a key. */
export function marketEventsPort({ create, now, clock }: ProviderFactory): MarketEvents {
  const ofDays = (content: EventKind): ProviderOptions<EventDayProvider> => ({
    content,
    ...LIMITS,
    check: (provider, signal) => provider.call({ date: lastSession(now()) }, { signal }),
  });
  const ofMonths: ProviderOptions<EventMonthProvider> = {
    content: "ipos",
    ...LIMITS,
    check: (provider, signal) => provider.call({ month: lastSession(now()).slice(0, 7) }, { signal }),
  };
  const ofOneStock: ProviderOptions<StockEventProvider> = {
    content: "dividends of a stock",
    ...LIMITS,
    check: (provider, signal) => provider.call({ instrument: PROBE_STOCK }, { signal }),
  };
  return liveMarketEvents({
    dividendDays: create("nasdaq", nasdaqDividendDays, ofDays("dividends")),
    stockDividends: create("nasdaq", nasdaqStockDividends, ofOneStock),
    splitDays: create("nasdaq", nasdaqSplitDays, ofDays("splits")),
    ipoMonths: create("nasdaq", nasdaqIpoMonths, ofMonths),
    haltDays: create("nasdaqtrader", nasdaqtraderHalts, ofDays("halts")),
    clock,
    missing: noEventsOf,
  });
}
