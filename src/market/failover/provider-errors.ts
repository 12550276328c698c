import type { BarTimeframe } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { ProviderAttempt } from "../../domain/market/provenance.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { Guarded } from "./guard.ts";

/** Outcomes caused only by a call limit. */
export const BUDGET_OUTCOMES: ReadonlySet<string> = new Set(["over_budget", "paused", "rate_limited"]);
/** Outcomes after which another provider or a later time is needed whatever the call limits are. */
const SETTLED_OUTCOMES: ReadonlySet<string> = new Set(["unsupported", "unknown_symbol", "auth"]);

/** Creates the error for a symbol that no responding provider lists. */
export const noPriceError = ({ symbol }: Instrument): ToolError =>
  new ToolError("NO_PRICE", `No connected provider has a price for ${symbol}`, {
    hint: "The symbol may be delisted or too small. resolve_symbol shows other instruments with that name.",
    data: { symbol, price: null, data: { price: null } },
  });

export interface OutageContext {
  readonly tried: readonly ProviderAttempt[];
  /** The providers of the request. */
  readonly guards: readonly Guarded[];
  /** Epoch ms. */
  readonly now: number;
  /** Bar length of requested bars. Default: a quote was requested. */
  readonly timeframe?: BarTimeframe;
  /** True if bars with extended hours were requested. Default: false. */
  readonly extendedHours?: boolean;
  /** How the operator gets another provider of this data; null if there are several. */
  readonly advice?: string | null;
}

/**
 * Creates the error for a request to which no provider responded and for which nothing recent enough is cached. Names the
 * providers whose call limit is used up; if only call limits prevent a response, `retry_after` is the time until the
 * first of them allows a call, in seconds.
 */
export function noProviderError(
  { symbol }: Instrument,
  { tried, guards, now, timeframe, extendedHours = false, advice = null }: OutageContext,
): ToolError {
  const limited = limitedProviders(tried, guards, now);
  const onlyLimits =
    limited.length > 0 &&
    tried.every(({ outcome }) => BUDGET_OUTCOMES.has(outcome) || SETTLED_OUTCOMES.has(outcome));
  const until = Math.min(...limited.map((provider) => provider.until));
  return new ToolError(
    "UPSTREAM_UNAVAILABLE",
    messageOf(symbol, { tried, timeframe, extendedHours, limited }),
    {
      hint: [
        onlyLimits ? `Retry at ${iso(until)}.` : hintOf(tried),
        ...(advice === null ? [] : [advice]),
      ].join(" "),
      ...(onlyLimits ? {} : { command: "market-signal doctor" }),
      data: {
        symbol,
        ...(timeframe === undefined && { price: null }),
        tried: tried.map(({ provider, outcome }) => ({ provider, outcome })),
        ...(limited.length > 0 && {
          limits: limited.map((provider) => ({ provider: provider.name, until: iso(provider.until) })),
        }),
        ...(onlyLimits && { retry_after: Math.max(1, Math.ceil((until - now) / 1_000)) }),
      },
    },
  );
}

interface LimitedProvider {
  readonly name: string;
  /** Time at which a call is allowed again, epoch ms. */
  readonly until: number;
}

function limitedProviders(
  tried: readonly ProviderAttempt[],
  guards: readonly Guarded[],
  now: number,
): readonly LimitedProvider[] {
  const limited = new Set(
    tried.flatMap(({ provider, outcome }) => (BUDGET_OUTCOMES.has(outcome) ? provider : [])),
  );
  return guards
    .filter(({ provider }) => limited.has(provider.name))
    .map(({ provider: { name }, state }) => ({ name, until: now + state().waitMs }));
}

function messageOf(
  symbol: string,
  {
    tried,
    timeframe,
    extendedHours,
    limited,
  }: Pick<OutageContext, "tried"> & {
    readonly timeframe: BarTimeframe | undefined;
    readonly extendedHours: boolean;
    readonly limited: readonly LimitedProvider[];
  },
): string {
  const bars = `${timeframe} bars${extendedHours ? " with extended hours" : ""}`;
  const what = timeframe === undefined ? "prices" : bars;
  if (tried.length === 0) return `No provider of ${what} for ${symbol} is connected`;
  const reasons = limited.map(
    ({ name, until }) => `the call limit of ${name} is used up until ${iso(until)}`,
  );
  return `No provider answered for ${symbol}${reasons.length === 0 ? "" : `: ${reasons.join("; ")}`}`;
}

function hintOf(tried: readonly ProviderAttempt[]): string {
  if (tried.length === 0) return "The owner of the server connects a provider with a setting.";
  return tried.every(({ outcome }) => outcome === "down")
    ? "No provider can be reached: the owner of the server checks the network of its machine."
    : "Retry in a few seconds. get_health shows which providers respond.";
}

/** Formats a time, rounded up to a second, as ISO 8601. */
const iso = (at: number): string =>
  new Date(Math.ceil(at / 1_000) * 1_000).toISOString().replace(".000Z", "Z");
