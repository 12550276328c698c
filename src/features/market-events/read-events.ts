import type { Instrument } from "../../domain/market/market.ts";
import type { EventKind } from "../../domain/market-events/market-events.ts";
import type { CallOptions, Ports } from "../../domain/ports.ts";

interface ReadEventsRequest extends CallOptions {
  readonly kind: EventKind;
  readonly from: string;
  readonly to: string;
  /** Empty: all. */
  readonly instruments: readonly Instrument[];
}

/** Default length of a window in days; dividends of symbols are announced up to a quarter ahead. */
const DAYS = { dividends: 14, splits: 14, ipos: 31, halts: 0 } as const satisfies Record<EventKind, number>;
const DAYS_OF_SYMBOLS = 92;

/** Returns the default length of a window in days. */
export const defaultEventDays = (kind: EventKind, hasSymbols: boolean): number =>
  kind === "dividends" && hasSymbols ? DAYS_OF_SYMBOLS : DAYS[kind];

const NO_TOKENS = "Tokens have no dividends, splits, IPOs or halts";

/** Reads events of a kind between two dates. Without a provider the list is empty, and a note gives the reason. */
export async function readEvents(
  { kind, from, to, instruments, signal }: ReadEventsRequest,
  { marketEvents }: Pick<Ports, "marketEvents">,
) {
  const stocks = instruments.filter(({ asset_class }) => asset_class !== "crypto");
  const noTokens = stocks.length < instruments.length ? [NO_TOKENS] : [];
  const none = { events: [], total: null, source: null, fetchedAt: null, stale: false } as const;
  if (instruments.length > 0 && stocks.length === 0) return { ...none, total: 0, notes: noTokens };
  const found = await marketEvents.list({
    kind,
    from,
    to,
    instruments: instruments.length === 0 ? null : stocks,
    signal,
  });
  if ("unavailable" in found) return { ...none, notes: [found.reason, ...noTokens] };
  const { events, source, fetchedAt, stale, isComplete, notes } = found;
  return {
    events,
    total: isComplete ? events.length : null,
    source,
    fetchedAt,
    stale,
    notes: [...notes, ...noTokens],
  };
}
