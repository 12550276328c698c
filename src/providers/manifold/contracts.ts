import { z } from "zod";
import type {
  ContractProvider,
  ContractProviderAnswer,
  VenueContract,
} from "../../domain/prediction-markets/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { Amount, DisplayText, Id, IsoTime, Probability } from "../shared/contract-fields.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";

const BASE_URL = "https://api.manifold.markets";

const Market = z.object({
  id: Id,
  question: DisplayText,
  url: z.string().nullish().catch(null),
  probability: Probability,
  volume: Amount,
  volume24Hours: Amount,
  totalLiquidity: Amount,
  closeTime: IsoTime,
  isResolved: z.boolean(),
  outcomeType: z.string().nullish().catch(null),
  /** What it is traded in; other tokens than play money were tried for a time. */
  token: z.string().nullish().catch(null),
});

/**
 * Manifold's open yes-or-no questions, of play money, found by words: one call each. Of 500 calls a minute it publishes, 300 are used.
 * @see https://docs.manifold.markets/api
 */
export function manifoldContracts(setup: ProviderSetup & { readonly now: () => number }): ContractProvider {
  const wire = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? BASE_URL,
    headers: { accept: "application/json" },
  });
  return {
    name: "manifold",
    budget: { calls: 300, perMs: 60_000, atOnce: 4 },
    async call(text, { signal }) {
      const query = { term: text, filter: "open", contractType: "BINARY", sort: "liquidity", limit: 20 };
      const { body } = await wire.json("/v0/search-markets", { query, signal });
      return readQuestions(body, setup.now());
    },
  };
}

/** What a search tells, as of `now` (epoch ms). Throws ProviderFailure "malformed" for no list and where no row can be read. */
export function readQuestions(body: unknown, now: number): ContractProviderAnswer {
  const list = z.array(z.unknown()).safeParse(body);
  if (!list.success) throw new ProviderFailure("malformed", "another answer than documented");
  const rows = list.data.map((row) => contractOf(row, now));
  if (rows.length > 0 && rows.every((row) => row === "unreadable"))
    throw new ProviderFailure("malformed", "questions of which none can be read");
  const contracts = rows.flatMap((row) => (row === "dead" || row === "unreadable" ? [] : [row]));
  return { contracts, dropped: rows.length - contracts.length };
}

function contractOf(row: unknown, now: number): VenueContract | "dead" | "unreadable" {
  const read = Market.safeParse(row);
  if (!read.success) return "unreadable";
  const { id, question, url, probability, closeTime, ...market } = read.data;
  if (id === null || question === null) return "unreadable";
  const over = closeTime !== null && Date.parse(closeTime) <= now;
  // a question of many answers has no probability of its own
  const other = (market.token ?? "MANA") !== "MANA" || (market.outcomeType ?? "BINARY") !== "BINARY";
  if (market.isResolved || over || other || probability === null) return "dead";
  return {
    id,
    url: url != null && /^https:\/\/manifold\.markets\/[\w/.-]{1,200}$/.test(url) ? url : null,
    question,
    outcome: "Yes",
    probability,
    probability_basis: "amm",
    bid: null,
    ask: null,
    spread: null,
    volume_total: market.volume,
    volume_24h: market.volume24Hours,
    volume_unit: "MANA",
    liquidity: market.totalLiquidity,
    liquidity_unit: "MANA",
    open_interest: null,
    close_time: closeTime,
    status: "open",
    event: id,
    event_title: question,
    strike: null,
    keywords: [],
  };
}
