import type { Instrument } from "../../domain/market/market.ts";
import { EVENT_NAMES, marketEvent } from "../../domain/market-events/market-events.ts";
import type { MarketEvents } from "../../domain/market-events/market-events-port.ts";
import type { Clock } from "../../domain/ports.ts";
import { dayAfter } from "../../lib/day-after.ts";
import { isExDate } from "./dividends.ts";

/** Creates the port for events of the simulated market: ex-dividend dates of its stocks and funds, without amounts. */
export function sampleMarketEvents(
  market: string,
  clock: Clock,
  members: readonly Instrument[],
): MarketEvents {
  const payers = members.filter(({ asset_class }) => asset_class !== "crypto");
  return {
    async list({ kind, from, to, instruments }) {
      const origin = {
        source: "sample",
        fetchedAt: clock.now().toISOString(),
        stale: false,
        isComplete: true,
      };
      if (kind !== "dividends")
        return { ...origin, events: [], notes: [`The sample market has no ${EVENT_NAMES[kind]}`] };
      const wanted = instruments === null ? null : new Set(instruments.map(({ symbol }) => symbol));
      const requested = payers.filter(({ symbol }) => wanted === null || wanted.has(symbol));
      const events = [];
      for (let date = from; date <= to; date = dayAfter(date, 1))
        for (const { symbol } of requested)
          if (isExDate(market, symbol, date))
            events.push(
              marketEvent({ date, symbol, detail: "Ex-dividend; get_corporate_actions has the amount" }),
            );
      return { ...origin, events, notes: [] };
    },
  };
}
