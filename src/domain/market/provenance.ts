import { z } from "zod";
import { Percent, Price } from "../figures.ts";
import { PriceCurrency } from "./currency.ts";

const Iso = z.iso.datetime();

/** Part of the day in which a price traded; `24h` on markets that never close. */
export const Session = z.enum(["pre", "regular", "post", "24h"]).describe("Session of the trade");
export type Session = z.infer<typeof Session>;

const AttemptRow = z.object({ provider: z.string(), outcome: z.string(), ms: z.number() });
/** Outcome of calling one provider. */
export type ProviderAttempt = Readonly<z.infer<typeof AttemptRow>>;

export const ComparisonRow = z.object({
  provider: z.string(),
  price: Price,
  as_of: Iso,
  difference_percent: Percent,
  limit_percent: Percent,
  verdict: z.enum(["agree", "apart", "incomparable"]),
});
/**
 * Comparison of two providers' answers to the same request: `apart`: the difference exceeds the limit; `incomparable`:
 * the prices are from different times.
 */
export type Comparison = Readonly<z.infer<typeof ComparisonRow>>;

const PriceCheckRow = z.object({
  reason: z
    .enum([
      "near_close",
      "same_day",
      "far_from_close",
      "other_close",
      "other_price",
      "split_day",
      "volatile",
      "no_close",
    ])
    .describe("near_close, same_day: no second provider was needed"),
  close: Price.nullable().describe("Official close, or confirmed price of the day"),
  close_as_of: Iso.nullable(),
  witness: z.string().nullable().describe("Provider that confirms the price"),
  deviation_percent: Percent.nullable(),
  limit_percent: Percent.describe("4 to 5 %"),
  confirmed: z.boolean().describe("false: not called live"),
});
/**
 * What a price was checked against before it is called live. `near_close`: near an official close of another family of
 * providers; `same_day`: near a confirmed price of the same provider and day. With the other reasons a second provider
 * must confirm it: it is far from the close, its provider has no or another previous close, the newest trade of another
 * family is more than 2 % away, a split takes effect, the symbol is volatile or a token, or no close is known.
 */
export type PriceCheck = Readonly<z.infer<typeof PriceCheckRow>>;

const ConversionRow = z.object({
  from: PriceCurrency,
  rate: Price.describe("US dollars per unit"),
  provider: z.string(),
  as_of: Iso,
});
/** Conversion of prices to US dollars by the dollar price of their currency. */
export type Conversion = Readonly<z.infer<typeof ConversionRow>>;

/** Provenance of an answer; providers that need no network omit it. */
export interface Origin {
  /** Time of the provider call, ISO 8601 UTC. */
  readonly fetched_at: string;
  readonly session: Session | null;
  /** True if no provider responded and the last known answer is returned instead. */
  readonly stale: boolean;
  readonly served_from: "provider" | "memory" | "store" | "stream";
  /** Providers tried for this answer, in order, including skipped ones. */
  readonly tried: readonly ProviderAttempt[];
  readonly volume_unit: "shares" | "tokens";
  readonly volume_scope: "all_venues" | "one_venue";
  /** Provider of the volume, if it is not that of the other figures. */
  readonly volume_provider?: string;
  readonly comparison?: Comparison;
  /** Omitted if the price is not called live, which needs no check. */
  readonly check?: PriceCheck;
  readonly converted?: Conversion;
}

export const ProvenanceDetail = z
  .enum(["compact", "full"])
  .default("compact")
  .describe("full: all providers tried");
export type ProvenanceDetail = z.infer<typeof ProvenanceDetail>;

/** Provenance of figures. The fields after `comparison` are returned on request. */
export const Provenance = z.object({
  provider: z.string(),
  fetched_at: Iso.describe("When the provider was called"),
  as_of: Iso.describe("Time the figures refer to"),
  delay_minutes: z.number().nullable().describe("Delay of the provider; null without a feed"),
  session: Session.nullable(),
  adjustment: z.enum(["raw", "split", "total_return", "unknown"]),
  currency: PriceCurrency.describe("USDT or USDC: no dollar price of that token was at hand"),
  stale: z.boolean().describe("true: no provider responds now, this is the last known data"),
  fallback_from: z.array(z.string()).describe("Providers that were tried first and returned nothing"),
  comparison: ComparisonRow.nullable().describe("Price of a second provider, where compared"),
  volume_provider: z
    .string()
    .optional()
    .describe("Provider of the volume, where `provider` has no volume; absent otherwise"),
  check: PriceCheckRow.nullable().describe("What a live price was checked against"),
  converted: ConversionRow.nullable().describe("Where the prices were converted to US dollars"),
  files: z.string().optional().describe("Files of the bars, if several have them"),
  venue: z.string().optional(),
  volume_unit: z.enum(["shares", "tokens"]).optional(),
  volume_scope: z.enum(["all_venues", "one_venue"]).optional(),
  served_from: z.enum(["provider", "memory", "store", "stream"]).optional(),
  tried: z.array(AttemptRow).optional(),
});
export type Provenance = z.infer<typeof Provenance>;
/** Provenance of bars, whose figures all come from one provider in dollars. */
export const BarsProvenance = Provenance.omit({
  comparison: true,
  check: true,
  converted: true,
  volume_provider: true,
});
export type BarsProvenance = z.infer<typeof BarsProvenance>;

/** A quote or a series of bars with its provenance. */
export interface Sourced {
  readonly source: string;
  readonly venue: string;
  /** Default: USD. */
  readonly currency?: PriceCurrency;
  /** Sentence that names the files of the bars. Omitted if only one file has them. */
  readonly chosen?: string;
  readonly origin?: Origin;
}

interface ProvenanceFacts {
  /** ISO 8601 UTC. */
  readonly as_of: string;
  readonly delay_minutes: number | null;
  readonly adjustment: Provenance["adjustment"];
  /** Current time, the request time of providers that need no network. */
  readonly now: Date;
}

export function provenanceOf(
  { source, venue, currency = "USD", chosen, origin }: Sourced,
  { as_of, delay_minutes, adjustment, now }: ProvenanceFacts,
  detail: ProvenanceDetail = "compact",
): Provenance {
  const compact: Provenance = {
    provider: source,
    fetched_at: origin?.fetched_at ?? now.toISOString(),
    as_of,
    delay_minutes,
    session: origin?.session ?? null,
    adjustment,
    currency,
    stale: origin?.stale ?? false,
    fallback_from: unansweredProviders(source, origin),
    comparison: origin?.comparison ?? null,
    ...(origin?.volume_provider !== undefined && { volume_provider: origin.volume_provider }),
    check: origin?.check ?? null,
    converted: origin?.converted ?? null,
    ...(chosen !== undefined && { files: chosen }),
  };
  if (detail === "compact") return compact;
  return {
    ...compact,
    venue,
    ...(origin !== undefined && {
      volume_unit: origin.volume_unit,
      volume_scope: origin.volume_scope,
      served_from: origin.served_from,
      tried: origin.tried.map((attempt) => ({ ...attempt })),
    }),
  };
}

const SESSION_NOTES = {
  pre: "a trade before the regular session",
  post: "a trade after the regular session's close",
} as const;

/** Formats provenance as one line, and the attempts if included. */
export function formatProvenance({
  provider,
  fetched_at,
  session,
  stale,
  fallback_from,
  comparison = null,
  volume_provider,
  check = null,
  converted = null,
  currency,
  files,
  tried,
}: z.infer<typeof BarsProvenance> & Partial<Provenance>): readonly string[] {
  return [
    ...(session === "pre" || session === "post" ? [SESSION_NOTES[session]] : []),
    ...(stale
      ? [`STALE: no provider responds now; this is the last data of ${provider}, fetched at ${fetched_at}`]
      : []),
    ...(fallback_from.length > 0 && !stale ? [`fallback: no data from ${fallback_from.join(", ")}`] : []),
    ...(comparison === null
      ? []
      : [
          `${comparison.provider} has ${comparison.price}, a difference of ${comparison.difference_percent}%: ${comparison.verdict}`,
        ]),
    ...(volume_provider === undefined ? [] : [`volume from ${volume_provider}`]),
    ...(check === null ? [] : [formatPriceCheck(check)]),
    ...(converted === null
      ? []
      : [
          `converted from ${converted.from} at ${converted.rate} USD (${converted.provider}, ${converted.as_of})`,
        ]),
    ...(files === undefined ? [] : [files]),
    ...(currency === "USD" ? [] : [`prices are in ${currency}, not in US dollars`]),
    ...(tried ?? []).map(({ provider: name, outcome, ms }) => `called ${name}: ${outcome} in ${ms} ms`),
  ];
}

const CHECK_REASONS = {
  near_close: null,
  same_day: null,
  far_from_close: null,
  other_close: "its provider has no previous close, or another one",
  other_price: "the newest trade of another provider is more than 2% away",
  split_day: "a split takes effect today",
  volatile: "too volatile to be checked against a close",
  no_close: "no official close is known",
} as const satisfies Record<PriceCheck["reason"], string | null>;

/** Formats what a price was checked against, and whether that confirms it. */
export function formatPriceCheck({
  reason,
  close,
  witness,
  deviation_percent,
  limit_percent,
  confirmed,
}: PriceCheck): string {
  const reference = reason === "same_day" ? "a confirmed price of the day" : "the last official close";
  const isSecond = reason !== "near_close" && reason !== "same_day";
  const result = !confirmed
    ? "not called live: no second provider confirms it"
    : isSecond
      ? `confirmed by ${witness}`
      : `checked against ${witness}`;
  const measured =
    close === null
      ? null
      : `${deviation_percent}% from ${reference} of ${close}${reason === "far_from_close" ? `, more than ${limit_percent}%` : ""}`;
  return `${[CHECK_REASONS[reason], measured].filter((part) => part !== null).join(", ")}: ${result}`;
}

/** Returns the other providers tried that returned no data, each once. */
function unansweredProviders(source: string, origin: Origin | undefined): string[] {
  const unanswered = (origin?.tried ?? []).filter(({ outcome }) => outcome !== "answered");
  return [...new Set(unanswered.map(({ provider }) => provider))].filter((name) => name !== source);
}
