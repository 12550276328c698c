import type { Ccxt } from "../../../src/providers/ccxt/exchange.ts";

/** Data and responses of a fake exchange. */
export interface Said {
  readonly markets?: Readonly<Record<string, unknown>>;
  readonly has?: Readonly<Record<string, unknown>>;
  readonly timeframes?: Readonly<Record<string, string>>;
  readonly page?: number;
  readonly options?: Record<string, unknown>;
  readonly ticker?: (symbol: string) => unknown;
  readonly trades?: (symbol: string) => unknown;
  readonly rows?: (timeframe: string, since: number, limit: number) => unknown;
  readonly loadMarkets?: () => unknown;
}

const LENGTHS = { "1d": "1d", "4h": "4h", "1h": "1h", "30m": "30m", "15m": "15m", "5m": "5m" };
export const spot = (symbol: string) => ({ symbol, spot: true, active: true });

/** The package with one exchange, `testex`, and its calls. */
export function fakeCcxt(said: Said) {
  const requests: string[] = [];
  const made: {
    options: Record<string, unknown>;
    has: Record<string, unknown>;
    fetchImplementation: typeof fetch;
  }[] = [];
  class Testex {
    readonly has: Record<string, unknown> = { fetchOHLCV: true, fetchCurrencies: true, ...said.has };
    readonly timeframes = said.timeframes ?? LENGTHS;
    readonly features = { spot: { fetchOHLCV: { limit: said.page } } };
    readonly options = { ...said.options };
    markets: Readonly<Record<string, unknown>> | undefined;
    fetchImplementation = fetch;
    constructor({ timeout }: { readonly timeout: number }) {
      requests.push(`new ${timeout}`);
      made.push(this);
    }
    async loadMarkets(): Promise<void> {
      requests.push("markets");
      await said.loadMarkets?.();
      this.markets = said.markets ?? { "BTC/USD": spot("BTC/USD") };
    }
    async fetchTicker(symbol: string): Promise<unknown> {
      requests.push(`ticker ${symbol}`);
      return said.ticker?.(symbol);
    }
    async fetchTrades(symbol: string, since: undefined, limit: number): Promise<unknown> {
      requests.push(`trades ${symbol} ${since} ${limit}`);
      return said.trades?.(symbol);
    }
    async fetchOHLCV(symbol: string, timeframe: string, since: number, limit: number): Promise<unknown> {
      requests.push(`bars ${symbol} ${timeframe} ${since} ${limit}`);
      return said.rows?.(timeframe, since, limit);
    }
  }
  let loads = 0;
  const load = async (): Promise<Ccxt> => {
    loads += 1;
    return { default: { exchanges: ["testex"], testex: Testex, BadSymbol } };
  };
  return { load, requests, made, loads: () => loads };
}

class BaseError extends Error {}
class ExchangeError extends BaseError {}
class BadRequest extends ExchangeError {}
class BadSymbol extends BadRequest {}
class AuthenticationError extends ExchangeError {}
class PermissionDenied extends AuthenticationError {}
class AccountNotEnabled extends PermissionDenied {}
class OperationRejected extends ExchangeError {}
class RestrictedLocation extends OperationRejected {}
class NotSupported extends ExchangeError {}
class OperationFailed extends BaseError {}
class NetworkError extends OperationFailed {}
class DDoSProtection extends NetworkError {}
class RateLimitExceeded extends NetworkError {}
class ExchangeNotAvailable extends NetworkError {}
class OnMaintenance extends ExchangeNotAvailable {}
class InvalidNonce extends NetworkError {}
class RequestTimeout extends NetworkError {}
class BadResponse extends OperationFailed {}

/** The package's error classes, with their real inheritance. */
export const ERRORS = {
  BaseError,
  ExchangeError,
  BadRequest,
  BadSymbol,
  AuthenticationError,
  PermissionDenied,
  AccountNotEnabled,
  RestrictedLocation,
  NotSupported,
  NetworkError,
  DDoSProtection,
  RateLimitExceeded,
  ExchangeNotAvailable,
  OnMaintenance,
  InvalidNonce,
  RequestTimeout,
  BadResponse,
};
