import type { Instrument } from "../market/market.ts";
import type { Provider } from "../providers/provider.ts";
import type { MarketEvent } from "./market-events.ts";

export interface ProviderEvents {
  readonly events: readonly MarketEvent[];
}

/** Events of one day, `YYYY-MM-DD`; without a date the newest ones. */
export type EventDayProvider = Provider<{ readonly date: string | null }, ProviderEvents>;
/** Events of one month, `YYYY-MM`. */
export type EventMonthProvider = Provider<{ readonly month: string }, ProviderEvents>;
/** Events of one stock or fund over some years. */
export type StockEventProvider = Provider<{ readonly instrument: Instrument }, ProviderEvents>;
