import { z } from "zod";
import type { ContractProvider, ContractProviderAnswer } from "../../domain/prediction-markets/provider.ts";
import { createApi, parseBody } from "../shared/api.ts";
import {
  Amount,
  boundedRows,
  type ContractRow,
  contractsFrom,
  DisplayText,
  Id,
  IsoTime,
  Probability,
} from "../shared/contract-fields.ts";
import type { ProviderSetup } from "../shared/http-client.ts";

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
  /** Currency; for a time there were tokens other than play money. */
  token: z.string().nullish().catch(null),
});

/**
 * Creates the provider of Manifold's open yes-or-no questions in play money, found by words, one call per search. Of
 * the published 500 calls a minute, 300 are used.
 * @see https://docs.manifold.markets/api
 */
export function manifoldContracts(setup: ProviderSetup & { readonly now: () => number }): ContractProvider {
  const get = createApi(setup, { baseUrl: "https://api.manifold.markets" });
  return {
    name: "manifold",
    budget: { calls: 300, perMs: 60_000, atOnce: 4 },
    async call(text, { signal }) {
      const query = { term: text, filter: "open", contractType: "BINARY", sort: "liquidity", limit: 20 };
      return readQuestions(await get("/v0/search-markets", z.unknown(), { query, signal }), setup.now());
    },
  };
}

/** Parses the contracts of a search result, as of `now` (epoch ms). @throws ProviderFailure "malformed" */
export const readQuestions = (body: unknown, now: number): ContractProviderAnswer =>
  contractsFrom(boundedRows(parseBody(z.array(z.unknown()), body)).map((row) => contractOf(row, now)));

function contractOf(row: unknown, now: number): ContractRow {
  const read = Market.safeParse(row);
  if (!read.success) return "unreadable";
  const { id, question, url, probability, closeTime, ...market } = read.data;
  if (id === null || question === null) return "unreadable";
  const over = closeTime !== null && Date.parse(closeTime) <= now;
  // a question with several answers has no single probability
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
