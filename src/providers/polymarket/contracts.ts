import { z } from "zod";
import type { ContractProvider, ContractProviderAnswer } from "../../domain/prediction-markets/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { createApi } from "../shared/api.ts";
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

/** A list, or a list written as JSON text. */
const Listed = z
  .unknown()
  .optional()
  .transform((value): readonly unknown[] | null => {
    if (Array.isArray(value)) return value;
    try {
      const read: unknown = typeof value === "string" && value.length < 2_000 ? JSON.parse(value) : null;
      return Array.isArray(read) ? read : null;
    } catch {
      return null;
    }
  });
const Flag = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === "boolean" ? value : null));

const Market = z.object({
  id: Id,
  question: DisplayText,
  slug: Id,
  outcomes: Listed,
  outcomePrices: Listed,
  bestBid: Probability,
  bestAsk: Probability,
  volume: Amount,
  volumeNum: Amount,
  volume24hr: Amount,
  liquidity: Amount,
  liquidityNum: Amount,
  endDate: IsoTime,
  active: Flag,
  closed: Flag,
  archived: Flag,
  acceptingOrders: Flag,
});

const Event = z.object({
  id: Id,
  title: DisplayText,
  slug: Id,
  closed: Flag,
  tags: z
    .array(z.object({ label: DisplayText }))
    .nullish()
    .catch(null),
  markets: z.array(z.unknown()),
});
const Search = z.object({
  events: Rows,
  pagination: z.object({ totalResults: z.number() }).nullish().catch(null),
});

/** Maximum spread at which the mid of the book is the price. */
const MAX_SPREAD = 0.1;
/** Names of the outcomes whose probability is returned, in order of preference. */
const PREFERRED_OUTCOMES = ["yes", "up", "above", "over", "higher"] as const;

/**
 * Parses the open contracts of a search result, an event, or a list of events or markets. @throws ProviderFailure
 * "malformed"
 */
export const readMarkets = (body: unknown): ContractProviderAnswer =>
  contractsFrom(
    eventsOf(body).flatMap((event) => boundedRows(event.markets).map((market) => contractOf(market, event))),
  );

type ReadEvent = Pick<z.infer<typeof Event>, "id" | "title" | "slug" | "closed" | "tags" | "markets">;

function eventsOf(body: unknown): readonly ReadEvent[] {
  const list = Array.isArray(body) ? (body as readonly unknown[]) : null;
  if (list !== null) return boundedRows(list).map(eventOrMarket);
  const event = Event.safeParse(body);
  if (event.success) return [event.data];
  const search = Search.safeParse(body);
  if (search.success && search.data.events !== null)
    return boundedRows(search.data.events).map(eventOrMarket);
  if (search.success && search.data.pagination?.totalResults === 0) return [];
  throw new ProviderFailure("malformed", "unexpected response");
}

/** Parses an event, or a market without one, which counts as an event with one market. */
function eventOrMarket(row: unknown): ReadEvent {
  const event = Event.safeParse(row);
  if (event.success) return event.data;
  return { id: null, title: null, slug: null, closed: null, tags: null, markets: [row] };
}

function contractOf(row: unknown, event: ReadEvent): ContractRow {
  const read = Market.safeParse(row);
  if (!read.success) return "unreadable";
  const market = read.data;
  const { id, question, outcomes, closed } = market;
  const names = (outcomes ?? []).map((name) => DisplayText.parse(name));
  if (id === null || question === null || closed === null || names.length !== 2 || names.includes(null))
    return "unreadable";
  const prices = (market.outcomePrices ?? []).map((price) => Probability.parse(price));
  const decided = prices.length === 2 && prices.every((price) => price === 0 || price === 1);
  if (closed || event.closed === true || market.archived === true || market.active === false || decided)
    return "dead";
  const wanted = PREFERRED_OUTCOMES.map((name) =>
    names.findIndex((outcome) => outcome!.toLowerCase() === name),
  ).find((i) => i >= 0);
  const index = wanted ?? 0;
  const { bestBid, bestAsk } = market;
  // the book is that of the first outcome; the book of the second is its mirror image
  const book =
    index === 0
      ? topOfBook(bestBid, bestAsk)
      : topOfBook(bestAsk === null ? null : tidy(1 - bestAsk), bestBid === null ? null : tidy(1 - bestBid));
  const shown = prices.length === 2 ? (prices[index] ?? null) : null;
  const isMid = book.mid !== null && book.spread! <= MAX_SPREAD + 1e-9;
  const slug = event.slug ?? market.slug;
  return {
    id,
    url: slug === null ? null : `https://polymarket.com/${event.slug === null ? "market" : "event"}/${slug}`,
    question,
    outcome: names[index]!,
    probability: isMid ? book.mid : shown,
    probability_basis: isMid ? "mid" : shown === null ? null : basisOf(shown, book.mid),
    bid: book.bid,
    ask: book.ask,
    spread: book.spread,
    volume_total: market.volumeNum ?? market.volume,
    volume_24h: market.volume24hr,
    volume_unit: "USD",
    liquidity: market.liquidityNum ?? market.liquidity,
    liquidity_unit: "USD",
    open_interest: null,
    close_time: market.endDate,
    status: market.acceptingOrders === false ? "paused" : "open",
    event: event.id ?? id,
    event_title: event.title ?? question,
    strike: null,
    keywords: (event.tags ?? []).flatMap(({ label }) => label ?? []).slice(0, 12),
  };
}

/** Returns the basis of the displayed price: the mid of the book or the last trade. */
const basisOf = (shown: number, mid: number | null): "mid" | "last" =>
  mid !== null && Math.abs(shown - mid) < 0.0006 ? "mid" : "last";

const tidy = (value: number) => Math.round(value * 1e6) / 1e6;

const EVENTS = 10;

/**
 * Creates the provider of Polymarket's open real-money markets, found by words, one call each. A search returns ten
 * events with all their markets, including settled and merely similar ones. Of the published 350 searches in ten
 * seconds, 100 are used.
 * @see https://docs.polymarket.com/api-reference/rate-limits
 */
export function polymarketContracts(setup: ProviderSetup): ContractProvider {
  const get = createApi(setup, { baseUrl: "https://gamma-api.polymarket.com" });
  return {
    name: "polymarket",
    budget: { calls: 100, perMs: 10_000, atOnce: 6 },
    async call(text, { signal }) {
      // Polymarket accepts other filters but ignores them
      const query = { q: text, limit_per_type: EVENTS, events_status: "active" };
      return readMarkets(await get("/public-search", z.looseObject({}), { query, signal }));
    },
  };
}
