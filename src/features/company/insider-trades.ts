import type { InsiderFilings, InsiderTrade } from "../../domain/company/insiders.ts";
import type { Resolution } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { rounded } from "../../lib/rounded.ts";
import { encodeCursor } from "../signal/time-page.ts";
import { pageWithin, type RangeRequest, resolveRange, type TimeRange } from "../signal/time-range.ts";
import { NOT_A_COMPANY } from "./company-facts.ts";

const DAY_MS = 86_400_000;

interface InsiderTradesRequest extends RangeRequest {
  readonly open_market: boolean;
  readonly limit: number;
  readonly signal: AbortSignal;
}

/**
 * Reads a page of the transactions of a company's insiders by day of filing, as filed by `as_of`. Without a provider the list is empty and
 * `coverage` gives the reason. Rejects if the provider fails.
 */
export async function readInsiderTrades(
  { instrument }: Resolution,
  { open_market, limit, signal, ...times }: InsiderTradesRequest,
  { company, clock }: Pick<Ports, "company" | "clock">,
) {
  const range = resolveRange(times, { now: clock.now(), filters: [instrument.symbol, open_market] });
  const at = new Date(range.asOf).toISOString();
  const isNewest = [times.as_of, times.to, times.cursor].every((time) => time === undefined);
  const found =
    instrument.asset_class === "equity"
      ? await company.insiders(instrument, {
          openMarket: open_market,
          count: limit + (range.position?.returned ?? 0),
          signal,
          // filings have a date only, so those of a day are known at its end
          ...(!isNewest && { until: Math.min(range.asOf, endOfDay(range.pageEnd)) }),
        })
      : NOT_A_COMPANY;
  if ("unavailable" in found)
    return {
      coverage: { status: found.unavailable, reason: found.reason },
      as_of: at,
      trades: [],
      next_cursor: null,
      bought: null,
      sold: null,
      filings_read: null,
      provenance: null,
      notes: [],
    } as const;
  const { read, unread, source, fetchedAt, stale } = found;
  const page = pageWithin(found.trades, range, { limit, timeOf: filedAt });
  const trades = page.rows;
  const next = page.next ?? unreadCursor(trades, range, found);
  return {
    coverage: { status: "covered", reason: null },
    as_of: at,
    trades,
    next_cursor: next,
    bought: totalOf(trades, "P"),
    sold: totalOf(trades, "S"),
    filings_read: read,
    provenance: { provider: source, fetched_at: fetchedAt, stale },
    notes: [
      ...(stale ? ["No provider responds; these are the last known filings"] : []),
      ...(unread === 0 ? [] : [`${unread} filings could not be read`]),
      ...(next === null ? [] : ["Older transactions are not listed"]),
    ],
    ...range.notes,
  } as const;
}

const filedAt = ({ filed }: InsiderTrade): number => Date.parse(filed);
const endOfDay = (time: number): number => Math.floor(time / DAY_MS) * DAY_MS + DAY_MS - 1;

/** Returns the cursor after the last transaction read, if filings of the range were not read; else null. */
function unreadCursor(
  trades: readonly InsiderTrade[],
  { from, filterKey }: TimeRange,
  { trades: read, more }: InsiderFilings,
): string | null {
  const last = trades.at(-1);
  const isBeforeRange = read.some((trade) => from !== null && filedAt(trade) < from);
  if (!more || last === undefined || isBeforeRange) return null;
  const at = filedAt(last);
  return encodeCursor(
    { from, at, returned: read.filter((trade) => filedAt(trade) === at).length },
    filterKey,
  );
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
