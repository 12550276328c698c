import type { Instrument, Quote } from "../../domain/market/market.ts";
import { type ProvenanceDetail, provenanceOf } from "../../domain/market/provenance.ts";
import type { QuoteError, QuoteRow } from "../../domain/market/quote-row.ts";
import type { Ports } from "../../domain/ports.ts";
import type { ToolError } from "../../kernel/errors.ts";
import { type Outcome, outcomeOf } from "../../kernel/outcomes.ts";
import { mapConcurrent } from "../../lib/concurrency.ts";

interface QuotesRequest {
  /** As the caller wrote them. */
  readonly symbols: readonly string[];
  readonly detail: ProvenanceDetail;
}

interface QuoteRows {
  /** One row per instrument, in the order of the request. */
  readonly rows: readonly QuoteRow[];
  readonly errors: readonly QuoteError[];
  /** Number of distinct instruments and unknown names. */
  readonly requested: number;
  /** Number of requests to providers; null for prices without a network. */
  readonly providerCalls: number | null;
}

type QuotePorts = Pick<Ports, "symbols" | "quotes" | "clock" | "log">;

/**
 * Returns the quotes of several symbols; each failed symbol has its own error. Rejects with UPSTREAM_UNAVAILABLE if no
 * symbol has a quote because the providers are unavailable, so that an outage is not mistaken for an empty result.
 */
export async function readQuotes(
  request: QuotesRequest,
  ports: QuotePorts & { readonly signal: AbortSignal },
): Promise<QuoteRows> {
  const read = () => readRows(request, ports);
  const counted = await ports.quotes.countCalls?.(read);
  return { ...(counted?.result ?? (await read())), providerCalls: counted?.calls ?? null };
}

async function readRows(
  { symbols, detail }: QuotesRequest,
  { symbols: directory, quotes, clock, log, signal }: QuotePorts & { readonly signal: AbortSignal },
): Promise<Omit<QuoteRows, "providerCalls">> {
  const names = distinctNames(symbols, directory);
  const instruments = names.flatMap((name) => directory.find(name)?.instrument ?? []);
  await quotes.prefetch?.(instruments, { signal });
  const outcomes = await mapConcurrent(
    names,
    (name): Promise<Outcome<QuoteRow>> =>
      outcomeOf(
        async () => {
          const { instrument } = directory.resolve(name);
          const quote = await quotes.latest(instrument, { signal });
          return rowOf(instrument, quote, { detail, now: clock.now() });
        },
        { log, event: "quote", fields: { symbol: name } },
      ),
    () => {},
  );
  const failures = outcomes.flatMap(({ error }, i) => (error === null ? [] : [{ name: names[i]!, error }]));
  const rows = outcomes.flatMap(({ output }) => output ?? []);
  const outage = failures.find(({ error }) => error.code === "UPSTREAM_UNAVAILABLE");
  if (rows.length === 0 && outage !== undefined) throw outage.error;
  return { rows, errors: failures.map(({ name, error }) => errorOf(name, error)), requested: names.length };
}

/** Returns the names without those of an instrument that an earlier name requested. */
function distinctNames(symbols: readonly string[], directory: Ports["symbols"]): readonly string[] {
  const byInstrument = new Map<string, string>();
  for (const name of symbols) {
    const key = directory.find(name)?.instrument.symbol ?? name;
    if (!byInstrument.has(key)) byInstrument.set(key, name);
  }
  return [...byInstrument.values()];
}

function rowOf(
  instrument: Instrument,
  quote: Quote,
  { detail, now }: { readonly detail: ProvenanceDetail; readonly now: Date },
): QuoteRow {
  const { origin: _, bid = null, ask = null, currency = "USD", ...figures } = quote;
  const facts = {
    as_of: quote.timestamp,
    delay_minutes: quote.delayed_minutes,
    adjustment: quote.price_source === "file_close" ? "unknown" : "raw",
    now,
  } as const;
  return {
    ...figures,
    symbol: instrument.symbol,
    asset_class: instrument.asset_class,
    bid,
    ask,
    bid_ask_reason: bid === null || ask === null ? `${quote.source} has no bid and ask for it` : null,
    currency,
    provenance: provenanceOf(quote, facts, detail),
  };
}

const errorOf = (symbol: string, { code, message, hint }: ToolError): QuoteError => ({
  symbol,
  code,
  message,
  hint: hint ?? null,
});
