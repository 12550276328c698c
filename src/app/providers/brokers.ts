import type { Market } from "../../domain/market/market.ts";
import type { BarHistory, Clock, Log, Quotes, Symbols } from "../../domain/ports.ts";
import type { PaperRepository } from "../../domain/trading/paper-repository-port.ts";
import type { Amount, BrokerName } from "../../domain/trading/trading.ts";
import type { Broker, Brokers } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { alpacaBroker } from "../../providers/alpaca/broker/broker.ts";
import { paperExchange } from "../../providers/paper/exchange.ts";
import type { LiveProviders } from "../../transports/cli/host.ts";
import type { Config } from "../config.ts";

export interface BrokersOptions {
  readonly market: Pick<Market, "mode">;
  readonly symbols: Pick<Symbols, "find">;
  readonly quotes: Quotes;
  readonly bars: BarHistory;
  readonly clock: Clock;
  readonly book: PaperRepository;
  /** True if orders of live accounts may be sent. */
  readonly live: boolean;
  /** Percent of equity that trades without a requested size risk. Default: null, they have no size. */
  readonly riskPct?: Amount | null;
  /** Opening cash of a paper account without a chosen one, US dollars. Default: 100,000. */
  readonly paperEquity?: Amount;
  /** Settings that replace the URL of a broker. */
  readonly config?: Pick<Config, "PROVIDER_URL_ALPACA_TRADING">;
  readonly liveMarket?: Pick<LiveProviders, "providers" | "priceProviders"> | null;
  readonly log?: Log;
  readonly fetch?: typeof globalThis.fetch;
}

type OpenBroker = (...request: Parameters<Brokers["open"]>) => Broker;

interface BrokerConnector {
  readonly title: string;
  /** True if it trades at real prices, so that it is unavailable in a simulated or replaced market. */
  readonly needsRealPrices: boolean;
  /** Setting that replaces its URL; null if there is none. */
  readonly urlSetting: "PROVIDER_URL_ALPACA_TRADING" | null;
  readonly connect: (
    options: BrokersOptions,
    setup: { readonly fetch: typeof globalThis.fetch; readonly baseUrl: string | undefined },
  ) => OpenBroker;
}

export const BROKER_CONNECTORS: Readonly<Record<BrokerName, BrokerConnector>> = {
  paper: {
    title: "The paper exchange",
    needsRealPrices: false,
    urlSetting: null,
    connect:
      ({ symbols, quotes, bars, clock, book, paperEquity }) =>
      ({ account, connection, type, fills, equity = paperEquity }) => {
        if (type !== "paper")
          throw new ToolError("INVALID_INPUT", "The paper exchange has no live accounts", {
            hint: "Use account_type paper.",
          });
        const market = { symbols, quotes, bars, clock };
        return paperExchange({ account, connection, ...market, repository: book, fills, equity });
      },
  },
  alpaca: {
    title: "Alpaca",
    needsRealPrices: true,
    urlSetting: "PROVIDER_URL_ALPACA_TRADING",
    connect({ symbols, clock }, setup) {
      const open = alpacaBroker({ ...setup, symbols, clock });
      return ({ type }, credentials) => open(type, credentials);
    },
  },
};

/** Returns the brokers of the running market: the paper exchange in every market, the others only if prices are real. */
export function brokersOf(options: BrokersOptions): Brokers {
  const { live, riskPct = null, config, log, fetch = globalThis.fetch } = options;
  const connected = Object.entries(BROKER_CONNECTORS).map(
    ([name, { title, needsRealPrices, urlSetting, connect }]) => {
      const baseUrl = urlSetting === null ? undefined : config?.[urlSetting];
      const open = connect(options, { fetch, baseUrl });
      const requireAvailable = () => {
        const reason = needsRealPrices ? unavailableReason(title, baseUrl, options) : null;
        if (reason !== null)
          throw new ToolError("REFUSED", reason, {
            hint: 'Connect the broker "paper" with account_type "paper": it trades at the prices of this server.',
          });
      };
      const openAvailable: OpenBroker = (request, credentials) => {
        requireAvailable();
        if (request.type === "live" && baseUrl !== undefined)
          log?.warn(`a live account is opened at a replacement URL, not at ${title}`, {
            url: baseUrl,
            connection: request.connection,
          });
        return open(request, credentials);
      };
      return [name, { open: openAvailable, requireAvailable }] as const;
    },
  );
  const brokers = Object.fromEntries(connected) as Readonly<
    Record<BrokerName, { readonly open: OpenBroker; requireAvailable(): void }>
  >;
  return {
    live,
    riskPct,
    requireAvailable: (broker) => brokers[broker].requireAvailable(),
    open: (request, credentials) => brokers[request.broker].open(request, credentials),
  };
}

/** Returns the reason why this market reaches no broker with real prices; null if it does. */
function unavailableReason(
  title: string,
  baseUrl: string | undefined,
  { market: { mode }, liveMarket }: BrokersOptions,
): string | null {
  if (mode !== "live")
    return `${title} trades at real prices, but this server uses ${mode === "sample" ? "simulated ones" : "files"} (MARKET_DATA=${mode})`;
  if (baseUrl !== undefined || !liveMarket) return null;
  const { us, crypto } = liveMarket.priceProviders;
  const isReplaced = liveMarket.providers.some(
    ({ name, replacementUrl }) => replacementUrl !== null && (us.includes(name) || crypto.includes(name)),
  );
  return isReplaced
    ? `${title} trades at real prices, but a price provider is replaced here (PROVIDER_URL_*)`
    : null;
}

/** Returns warnings for the operator at start: URLs that receive orders and keys instead of the broker. */
export const brokerNotes = (config: Config): readonly string[] =>
  Object.values(BROKER_CONNECTORS).flatMap(({ title, urlSetting }) => {
    const url = urlSetting === null ? undefined : config[urlSetting];
    return url === undefined
      ? []
      : [`orders and keys of ${title} accounts, live ones too, go to ${url}, not to ${title}`];
  });
