import type { InsiderTrade } from "../../domain/company/insiders.ts";
import type { Resolution } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { rounded } from "../../lib/rounded.ts";
import { parsePastTime } from "../signal/past-time.ts";
import { NOT_A_COMPANY } from "./company-facts.ts";

interface InsiderTradesRequest {
  readonly open_market: boolean;
  readonly limit: number;
  readonly as_of?: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Reads the newest transactions of a company's insiders as filed by `as_of`. Without a provider the list is empty and
 * `coverage` gives the reason. Rejects if the provider fails.
 */
export async function readInsiderTrades(
  { instrument }: Resolution,
  { open_market, limit, as_of, signal }: InsiderTradesRequest,
  { company, clock }: Pick<Ports, "company" | "clock">,
) {
  const now = clock.now();
  const asOf = as_of === undefined ? null : parsePastTime(as_of, now);
  const at = new Date(asOf ?? now.getTime()).toISOString();
  const found =
    instrument.asset_class === "equity"
      ? await company.insiders(instrument, {
          openMarket: open_market,
          count: limit,
          signal,
          ...(asOf !== null && { until: asOf }),
        })
      : NOT_A_COMPANY;
  if ("unavailable" in found)
    return {
      coverage: { status: found.unavailable, reason: found.reason },
      as_of: at,
      trades: [],
      bought: null,
      sold: null,
      filings_read: null,
      provenance: null,
      notes: [],
    } as const;
  const { read, unread, more, source, fetchedAt, stale } = found;
  const trades = found.trades.slice(0, limit);
  const isCut = more || trades.length < found.trades.length;
  return {
    coverage: { status: "covered", reason: null },
    as_of: at,
    trades,
    bought: totalOf(trades, "P"),
    sold: totalOf(trades, "S"),
    filings_read: read,
    provenance: { provider: source, fetched_at: fetchedAt, stale },
    notes: [
      ...(stale ? ["No provider responds; these are the last known filings"] : []),
      ...(unread === 0 ? [] : [`${unread} filings could not be read`]),
      ...(isCut ? ["Older transactions are not listed"] : []),
    ],
  } as const;
}

/** Returns the sum of the purchases (P) or sales (S) of shares; the value is null if a price is missing. */
function totalOf(trades: readonly InsiderTrade[], wanted: "P" | "S") {
  const own = trades.filter(({ code, derivative }) => code === wanted && !derivative);
  const values = own.map(({ shares, price }) => (shares === null || price === null ? null : shares * price));
  return {
    trades: own.length,
    shares: own.reduce((total, { shares }) => total + (shares ?? 0), 0),
    value: values.includes(null)
      ? null
      : rounded(
          values.reduce<number>((sum, value) => sum + value!, 0),
          2,
        ),
  };
}
