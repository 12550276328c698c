import { dollarsOf } from "../../analytics/contracts/aggregate.ts";
import { type PriceLevel, priceLevelOf } from "../../analytics/contracts/levels.ts";
import { topicShare } from "../../analytics/contracts/relevance.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { CallOptions, Ports } from "../../domain/ports.ts";
import type { Contract, ContractSearch } from "../../domain/prediction-markets/contracts.ts";
import { mapInSteps } from "../../lib/event-loop.ts";
import { contractMatcher } from "./contract-match.ts";

export interface FindOptions extends CallOptions {
  /** Names of the venues to search. Default: all. */
  readonly venues?: readonly string[];
  /** Epoch ms. Default: now. */
  readonly asOf?: number;
  /** Limits the contracts to those that are also about this topic. */
  readonly topic?: string;
}

/** Open contracts on one subject. */
export interface FoundContracts extends Omit<ContractSearch, "contracts"> {
  /** Sorted: contracts on only this instrument first, then by relevance to the subject, then by traded dollars. */
  readonly contracts: readonly Contract[];
  /** Returns the price level of a contract on only this instrument; null for any other contract. */
  readonly levelOf: (contract: Contract) => PriceLevel | null;
  /** true: at least one venue responded. false: the number of contracts is unknown. */
  readonly hasResponse: boolean;
  /** Number of contracts found by the venues that are not about the subject; null if no venue responded. */
  readonly left_out: number | null;
}

/**
 * Finds open prediction-market contracts about an instrument, excluding similar names. An empty list has a reason.
 * Rejects with UPSTREAM_UNAVAILABLE if no venue responds.
 */
export async function findContracts(
  instrument: Instrument,
  { topic, ...options }: FindOptions,
  { symbols, contracts }: Pick<Ports, "symbols" | "contracts">,
): Promise<FoundContracts> {
  const bare = instrument.symbol.replace(/\.US$|-USD$/, "");
  // a search for only one or two letters would match everything
  const words = [instrument.name, bare.length > 2 ? bare : `$${bare}`];
  const texts = [...new Map(words.map((text) => [text.toLowerCase(), text])).values()];
  const aboutOf = contractMatcher(instrument, symbols);
  return selectContracts(await contracts.search({ ...options, texts }), {
    share: (contract) =>
      aboutOf(contract).about ? (topic === undefined ? 1 : topicShare(contract, topic)) : 0,
    isLinked: (contract) => aboutOf(contract).linked,
    subject: instrument.symbol,
    missing: contracts.missing,
  });
}

/** Finds open contracts about any of the topics. Rejects with UPSTREAM_UNAVAILABLE if no venue responds. */
export async function findTopicContracts(
  topics: readonly string[],
  options: Omit<FindOptions, "topic">,
  { contracts }: Pick<Ports, "contracts">,
): Promise<FoundContracts> {
  return selectContracts(await contracts.search({ ...options, texts: topics }), {
    share: (contract) => Math.max(...topics.map((topic) => topicShare(contract, topic))),
    isLinked: () => false,
    subject: "this topic",
    missing: contracts.missing,
  });
}

interface Subject {
  /** Returns the relevance of a contract to the subject; 0 for none. */
  readonly share: (contract: Contract) => number;
  readonly isLinked: (contract: Contract) => boolean;
  readonly subject: string;
  readonly missing: string | null;
}

async function selectContracts(
  answer: ContractSearch | null,
  { share, isLinked, subject, missing }: Subject,
): Promise<FoundContracts> {
  const levels = new Map<Contract, PriceLevel | null>();
  const at = Date.parse(answer?.as_of ?? "");
  const levelOf = (contract: Contract) => {
    const known = levels.get(contract);
    if (known !== undefined) return known;
    const level = isLinked(contract) ? priceLevelOf(contract, at) : null;
    levels.set(contract, level);
    return level;
  };
  if (answer === null)
    return {
      contracts: [],
      coverage: [],
      stale: false,
      as_of: "",
      hasResponse: false,
      left_out: null,
      reason: missing ?? "No prediction market is connected",
      levelOf,
    };
  const near = await mapInSteps(answer.contracts, (contract) => ({
    contract,
    share: share(contract),
    linked: isLinked(contract),
  }));
  const about = near.filter((one) => one.share > 0);
  const money = ({ contract }: (typeof near)[number]) => dollarsOf(contract) ?? -1;
  const contracts = about
    .sort((a, b) => Number(b.linked) - Number(a.linked) || b.share - a.share || money(b) - money(a))
    .map(({ contract }) => contract);
  const hasResponse = answer.coverage.some(({ found }) => found !== null);
  const left_out = near.length - about.length;
  const reason =
    contracts.length > 0
      ? null
      : (answer.reason ??
        (left_out > 0
          ? `The venues that responded list no contract about ${subject}, only similar ones`
          : `The venues that responded list no open contract about ${subject}`));
  return { ...answer, contracts, hasResponse, left_out: hasResponse ? left_out : null, reason, levelOf };
}
