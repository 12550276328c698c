import { z } from "zod";
import type { Strike } from "../../domain/prediction-markets/contracts.ts";
import type { ContractProvider, ContractProviderAnswer } from "../../domain/prediction-markets/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { tryHosts } from "../shared/alternates.ts";
import { type ApiRequest, createApi, parseBody } from "../shared/api.ts";
import {
  Amount,
  boundedRows,
  type ContractRow,
  contractsFrom,
  DisplayText,
  Id,
  IsoTime,
  Probability,
  Rows,
  topOfBook,
} from "../shared/contract-fields.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { namedValues } from "../shared/rows.ts";

const Text = z.string().nullish().catch(null);
/** Whole cents, used in older responses; newer ones have dollars as text. */
const Cents = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === "number" ? Probability.parse(value / 100) : null));

/** A market, from the documented API or the search. */
const Market = z.object({
  ticker: Id,
  event_ticker: Id,
  title: DisplayText,
  yes_sub_title: DisplayText,
  yes_subtitle: DisplayText,
  subtitle: DisplayText,
  yes_bid_dollars: Probability,
  yes_ask_dollars: Probability,
  last_price_dollars: Probability,
  yes_bid: Cents,
  yes_ask: Cents,
  last_price: Cents,
  volume_fp: Amount,
  volume_24h_fp: Amount,
  open_interest_fp: Amount,
  volume: Amount,
  volume_24h: Amount,
  open_interest: Amount,
  close_time: IsoTime,
  close_ts: IsoTime,
  status: Text,
  result: Text,
  strike_type: Text,
  floor_strike: Amount,
  cap_strike: Amount,
  mve_collection_ticker: z.unknown().optional(),
});
type Market = z.infer<typeof Market>;

const Event = z.object({
  event_ticker: Id,
  series_ticker: Id,
  title: DisplayText,
  event_title: DisplayText,
  event_subtitle: DisplayText,
  category: DisplayText,
  tags: z.array(DisplayText).nullish().catch(null),
  topic_keywords: z.array(DisplayText).nullish().catch(null),
  markets: Rows,
});
type Event = z.infer<typeof Event>;

const OPEN = "active";
const PAUSED = "inactive";
/** Divisor of volumes from the undocumented search, which counts both sides of each trade. */
const SEARCH_VOLUME = 2;

/** Rows of a response with their event; `searched` is true for rows of the undocumented search. */
interface Found {
  readonly rows: readonly unknown[];
  readonly event: Event | null;
  readonly searched: boolean;
}

/**
 * Parses the open contracts of a search result, a list of markets or events, or a single market or event, as
 * of `now` (epoch ms).
 * @throws ProviderFailure "rate_limited" or "auth" if the response says so, else "malformed"
 */
export const readMarkets = (body: unknown, now: number): ContractProviderAnswer =>
  contractsFrom(
    foundIn(body).flatMap(({ rows, event, searched }) =>
      rows.map((row) => contractOf(row, event, { searched, now })),
    ),
  );

function foundIn(body: unknown): readonly Found[] {
  const response = parseBody(namedValues(), body);
  const { current_page, markets, market, event, events } = response;
  const eventOf = (value: unknown) => Event.safeParse(value).data ?? null;
  if (Array.isArray(current_page))
    return boundedRows(current_page).map((row) => ({ ...inEvent(eventOf(row), row), searched: true }));
  if (Array.isArray(markets)) return [{ rows: boundedRows(markets), event: eventOf(event), searched: false }];
  if (Array.isArray(events))
    return boundedRows(events).map((row) => ({ ...inEvent(eventOf(row), row), searched: false }));
  if (isObject(event)) return [{ ...inEvent(eventOf(event), event), searched: false }];
  if (isObject(market)) return [{ rows: [market], event: null, searched: false }];
  throw refusalIn(response);
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

/**
 * Returns the markets of an event; none if the event was requested without them. Anything else counts as one unreadable
 * row.
 */
const inEvent = (event: Event | null, row: unknown): Pick<Found, "rows" | "event"> =>
  event === null || event.event_ticker === null
    ? { rows: [row], event: null }
    : { rows: boundedRows(event.markets ?? []), event };

/** Returns the error of a response without markets; the text is in one of four fields. */
function refusalIn({ error, code, message, msg }: Readonly<Record<string, unknown>>): ProviderFailure {
  const text = JSON.stringify([error, code, message, msg]);
  if (/too.?many|rate.?limit/i.test(text)) return new ProviderFailure("rate_limited", "too many calls");
  if (/auth|signature/i.test(text)) return new ProviderFailure("auth", "no permission");
  return new ProviderFailure("malformed", "unexpected response");
}

function contractOf(
  row: unknown,
  event: Event | null,
  { searched, now }: { readonly searched: boolean; readonly now: number },
): ContractRow {
  const read = Market.safeParse(row);
  if (!read.success) return "unreadable";
  const market = read.data;
  const { ticker: id, status, result } = market;
  const question = searched ? searchedQuestion(market, event) : (market.title ?? event?.title ?? null);
  const closes = market.close_time ?? market.close_ts;
  if (id === null || question === null || (!searched && status == null)) return "unreadable";
  const isOver = closes !== null && Date.parse(closes) <= now;
  const isShut = !searched && status !== OPEN && status !== PAUSED;
  const isBundle = market.mve_collection_ticker !== undefined;
  if (isOver || isShut || isBundle || (result ?? "") !== "") return "dead";
  const book = topOfBook(market.yes_bid_dollars ?? market.yes_bid, market.yes_ask_dollars ?? market.yes_ask);
  const last = market.last_price_dollars ?? market.last_price;
  const shown = last === 0 ? null : last;
  const volume = market.volume_fp ?? market.volume;
  const series = event?.series_ticker ?? market.event_ticker?.split("-")[0] ?? null;
  return {
    id,
    url: series === null ? null : `https://kalshi.com/markets/${series.toLowerCase()}`,
    question,
    outcome: market.yes_sub_title ?? market.yes_subtitle ?? market.subtitle ?? "Yes",
    probability: book.mid ?? shown,
    probability_basis: book.mid !== null ? "mid" : shown === null ? null : "last",
    bid: book.bid,
    ask: book.ask,
    spread: book.spread,
    volume_total: volume === null ? null : searched ? volume / SEARCH_VOLUME : volume,
    volume_24h: market.volume_24h_fp ?? market.volume_24h,
    volume_unit: "contracts",
    // null, because Kalshi has returned 0 for liquidity since 2026
    liquidity: null,
    liquidity_unit: null,
    open_interest: market.open_interest_fp ?? market.open_interest,
    close_time: closes,
    status: status === PAUSED ? "paused" : "open",
    event: event?.event_ticker ?? market.event_ticker ?? id,
    event_title: event?.event_title ?? event?.title ?? question,
    strike: strikeOf(market),
    keywords: [event?.category ?? null, ...(event?.tags ?? []), ...(event?.topic_keywords ?? [])]
      .flatMap((word) => word ?? [])
      .slice(0, 12),
  };
}

/** Returns the question of a market from the search: the title of its event with the event's date. */
function searchedQuestion({ title }: Market, event: Event | null): string | null {
  if (title !== null) return title;
  const [main, subtitle] = [event?.event_title ?? null, event?.event_subtitle ?? null];
  if (main === null || subtitle === null) return main;
  return main.toLowerCase().includes(subtitle.toLowerCase()) ? main : `${main} ${subtitle}`;
}

function strikeOf({ strike_type, floor_strike: floor, cap_strike: cap }: Market): Strike | null {
  if (strike_type === "greater" || strike_type === "greater_or_equal")
    return floor === null ? null : { side: "above", floor, cap: null };
  if (strike_type === "less" || strike_type === "less_or_equal")
    return cap === null ? null : { side: "below", floor: null, cap };
  return strike_type === "between" && floor !== null && cap !== null ? { side: "between", floor, cap } : null;
}

/**
 * Series that the search returns incompletely: a pattern of the searched words, and the series ticker in the
 * documented API.
 */
const SERIES: readonly (readonly [RegExp, string])[] = [
  [/\b(bitcoin|btc)\b/i, "KXBTCD"],
  [/\b(ethereum|eth)\b/i, "KXETHD"],
  [/\bfed\b|federal reserve|\bfomc\b/i, "KXFEDDECISION"],
];

/**
 * Hosts of the public data. The second is the one that the documentation recommends since 2026-05; the first has the
 * search on record. Each may demand a signature for requests that the other serves.
 */
const HOSTS = ["https://api.elections.kalshi.com", "https://external-api.kalshi.com"] as const;

/**
 * Creates the provider of Kalshi's open real-money markets, found by words: one call to its undocumented search, and
 * one to the documented list if the words match a known series; one successful call is enough. Kalshi publishes a limit
 * of 20 calls a second for callers with a key and none for others; two calls a second are made.
 * @see https://docs.kalshi.com/api-reference/market/get-markets
 */
export function kalshiContracts(setup: ProviderSetup & { readonly now: () => number }): ContractProvider {
  const withHost = tryHosts(setup, HOSTS);
  const read = (path: string, request: ApiRequest): Promise<ContractProviderAnswer> =>
    withHost(async (baseUrl) => {
      const get = createApi({ ...setup, baseUrl }, { baseUrl, keyless: true });
      return readMarkets(await get(path, z.unknown(), request), setup.now());
    });
  return {
    name: "kalshi",
    budget: { calls: 120, perMs: 60_000, atOnce: 4 },
    async call(text, { signal }) {
      const series = SERIES.find(([words]) => words.test(text))?.[1];
      const open = { status: "open", mve_filter: "exclude", limit: 1_000 };
      const [searched, ofSeries] = await Promise.allSettled([
        read("/v1/search/series", { query: { query: text }, signal }),
        ...(series === undefined
          ? []
          : [read("/trade-api/v2/markets", { query: { series_ticker: series, ...open }, signal })]),
      ]);
      const results = [searched!, ofSeries].flatMap((result) =>
        result?.status === "fulfilled" ? [result.value] : [],
      );
      if (results.length === 0)
        throw searched!.status === "rejected" ? searched!.reason : new ProviderFailure("down", "no response");
      // a market from the documented list replaces the same one from the search
      const contracts = new Map(results.flatMap((result) => result.contracts).map((row) => [row.id, row]));
      return {
        contracts: [...contracts.values()],
        dropped: results.reduce((sum, { dropped }) => sum + dropped, 0),
      };
    },
  };
}
