import type { Market } from "../../domain/market/market.ts";
import type { BarHistory, Clock, Log, Quotes, Symbols } from "../../domain/ports.ts";
import type { PaperRepository } from "../../domain/trading/paper-repository-port.ts";
import type { Brokers } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { alpacaBroker } from "../../providers/alpaca/broker/broker.ts";
import { paperExchange } from "../../providers/paper/exchange.ts";
import type { Config } from "../config.ts";
import type { LiveMarket } from "./live.ts";

export interface BrokersOptions {
  readonly market: Pick<Market, "mode">;
  readonly symbols: Pick<Symbols, "find">;
  readonly quotes: Quotes;
  readonly bars: BarHistory;
  readonly clock: Clock;
  readonly book: PaperRepository;
  /** True if orders of live accounts may be sent. */
  readonly live: boolean;
  /** Where something else stands in the place of brokers, and of sources of prices. */
  readonly config?: Pick<Config, "PROVIDER_URL_ALPACA_TRADING">;
  readonly liveMarket?: Pick<LiveMarket, "providers" | "chains"> | null;
  readonly log?: Log;
  readonly fetch?: typeof globalThis.fetch;
}

/** Brokers of the running market: the paper exchange on its prices, whatever the credentials, and Alpaca where they are real. */
export function brokersOf(options: BrokersOptions): Brokers {
  const { symbols, quotes, bars, clock, book, live, config, log } = options;
  const standIn = config?.PROVIDER_URL_ALPACA_TRADING;
  const alpaca = alpacaBroker({
    fetch: options.fetch ?? globalThis.fetch,
    baseUrl: standIn,
    symbols,
    clock,
  });
  return {
    live,
    open({ account, connection, broker, type, fills }, credentials) {
      if (broker === "alpaca") {
        const closed = closedTo(options);
        if (closed !== null)
          throw new ToolError("INVALID_INPUT", closed, {
            hint: 'Connect the broker paper, whose account_type is "paper": it trades on the prices of this server.',
          });
        if (type === "live" && standIn !== undefined)
          log?.warn("a live account is opened at a stand-in, not at Alpaca", { url: standIn, connection });
        return alpaca(type, credentials);
      }
      if (type !== "paper")
        throw new ToolError("INVALID_INPUT", "The paper exchange has no live accounts", {
          hint: "Ask for account_type paper.",
        });
      return paperExchange({ account, connection, symbols, quotes, bars, clock, book, fills });
    },
  };
}

/** Why no broker outside this server is reached from this market; null where one is. */
function closedTo({ market: { mode }, config, liveMarket }: BrokersOptions): string | null {
  if (mode !== "live")
    return `Alpaca trades at real prices, and this server runs on ${mode === "sample" ? "simulated ones" : "files"} (MARKET_DATA=${mode})`;
  if (config?.PROVIDER_URL_ALPACA_TRADING !== undefined || !liveMarket) return null;
  const asked = new Set([...liveMarket.chains.us, ...liveMarket.chains.crypto]);
  const replaced = liveMarket.providers.some(
    ({ name, replacementUrl }) => replacementUrl !== null && asked.has(name),
  );
  return replaced
    ? "Alpaca trades at real prices, and here something stands in the place of a source of prices (PROVIDER_URL_*)"
    : null;
}
