import type { z } from "zod";
import type { Instrument } from "../../domain/market/market.ts";
import { type FailureKind, ProviderFailure } from "../../domain/providers/price-provider.ts";
import { tickerOf } from "../../market/symbols/listings.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";
import { Envelope } from "./wire.ts";

const BASE_URL = "https://api.kraken.com/0/public";

/** A pair as it is asked for, and the keys under which it may be answered. */
export interface Pair {
  readonly name: string;
  readonly keys: readonly string[];
}

/** Asks one path for what it holds of a pair, in one shape. Rejects with ProviderFailure alone. */
export type ApiGet = <T>(
  path: string,
  shape: z.ZodType<T>,
  asked: {
    readonly pair: Pair;
    readonly signal: AbortSignal;
    readonly query?: Readonly<Record<string, string | number>>;
  },
) => Promise<T>;

/** Its public API: whatever it says, refusals too, it says with a status of 200. */
export function createClient(setup: ProviderSetup): ApiGet {
  const wire = createHttpClient({ ...setup, baseUrl: setup.baseUrl ?? BASE_URL });
  return async (path, shape, { pair, signal, query }) => {
    const { body } = await wire
      .json(path, { query: { pair: pair.name, ...query }, signal })
      .catch(rethrowAuthAsBlocked);
    const envelope = Envelope.safeParse(body);
    if (!envelope.success) throw malformed(envelope.error);
    const { error, result = {} } = envelope.data;
    if (error.length > 0) throw new ProviderFailure(kindOf(error), "it refused");
    // beside the pair lies where the next page would begin
    const keys = Object.keys(result).filter((key) => key !== "last");
    const [key] = keys;
    if (key === undefined || keys.length > 1 || !pair.keys.includes(key))
      throw new ProviderFailure("malformed", "an answer about another pair");
    const read = shape.safeParse(result[key]);
    if (!read.success) throw malformed(read.error);
    return read.data;
  };
}

/** Tokens that it trades under another name than everybody else, and names that mean another token there. */
const PROVIDER_TICKERS: ReadonlyMap<string, string> = new Map([
  ["BTC", "XBT"],
  ["DOGE", "XDG"],
  ["LUNA", "LUNA2"],
  ["LUNC", "LUNA"],
]);

/**
 * A token against the dollar: `XBTUSD`. Its oldest pairs are answered under a longer name, `XXBTZUSD` or `USDTZUSD`.
 * Throws ProviderFailure "unsupported" for anything else.
 */
export function pairOf(instrument: Instrument): Pair {
  const base = tickerOf(instrument);
  if (instrument.asset_class !== "crypto" || base === "USD" || !/^[A-Z0-9]{1,15}$/.test(base))
    throw new ProviderFailure("unsupported", "it prices tokens in US dollars alone");
  const its = PROVIDER_TICKERS.get(base) ?? base;
  // the longer names exist for names of three letters and for USDT: XTZUSD is a pair of its own, not T's
  const longer = its.length === 3 ? [`X${its}ZUSD`] : its === "USDT" ? ["USDTZUSD"] : [];
  return { name: `${its}USD`, keys: [`${its}USD`, ...longer] };
}

/** @see https://docs.kraken.com/api/docs/guides/spot-errors */
const KINDS: readonly (readonly [RegExp, FailureKind])[] = [
  [/^EQuery:Unknown asset/, "unknown_symbol"],
  [/^EAPI:Rate limit|^EGeneral:(Too many requests|Temporary lockout)|^EService: ?Throttled/, "rate_limited"],
  [/^EService:|^EGeneral:Internal/, "down"],
];

function kindOf(errors: readonly string[]): FailureKind {
  const kinds = errors.map((said) => KINDS.find(([pattern]) => pattern.test(said))?.[1]);
  return kinds.find((kind) => kind !== undefined) ?? "malformed";
}

const malformed = (cause: unknown) =>
  new ProviderFailure("malformed", "another answer than documented", { cause });

/** It wants no key, so a 401 or 403 is its firewall's. */
function rethrowAuthAsBlocked(cause: unknown): never {
  if (cause instanceof ProviderFailure && cause.kind === "auth")
    throw new ProviderFailure("blocked", "its firewall refuses us", { cause });
  throw cause;
}
