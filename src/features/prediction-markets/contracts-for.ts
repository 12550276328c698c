import { dollarsOf } from "../../analytics/contracts/aggregate.ts";
import { type PriceLevel, priceLevelOf } from "../../analytics/contracts/levels.ts";
import { topicShare } from "../../analytics/contracts/relevance.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { CallOptions, Ports } from "../../domain/ports.ts";
import type { Contract, ContractSearch } from "../../domain/prediction-markets/contracts.ts";
import { aboutReader } from "./about.ts";

export type ContractPorts = Pick<Ports, "symbols" | "contracts">;

export interface FindOptions extends CallOptions {
  /** Names of the venues to ask; all where left out. */
  readonly venues?: readonly string[];
  /** Epoch ms; now where left out. */
  readonly asOf?: number;
  /** Of those on the instrument, only those on this topic too. */
  readonly topic?: string;
}

/** Open contracts on one subject. */
export interface FoundContracts extends Omit<ContractSearch, "contracts"> {
  /** Those on the instrument alone first, then nearest to the subject, then most dollars traded. */
  readonly contracts: readonly Contract[];
  /** The price level of a contract that is on the instrument alone; null for any other. */
  readonly levelOf: (contract: Contract) => PriceLevel | null;
  /** True if any venue answered; otherwise the number of contracts is unknown. */
  readonly hasResponse: boolean;
  /** Contracts that the venues found and that are not about the subject; null where none answered. */
  readonly left_out: number | null;
}

/**
 * Open prediction market contracts that are about an instrument, without similar names. An empty list has a reason;
 * rejects with UPSTREAM_UNAVAILABLE where no venue answers.
 */
export async function findContracts(
  instrument: Instrument,
  { topic, ...options }: FindOptions,
  { symbols, contracts }: ContractPorts,
): Promise<FoundContracts> {
  const bare = instrument.symbol.replace(/\.US$|-USD$/, "");
  // one or two letters by themselves find everything
  const words = [instrument.name, bare.length > 2 ? bare : `$${bare}`];
  const texts = [...new Map(words.map((text) => [text.toLowerCase(), text])).values()];
  const aboutOf = aboutReader(instrument, symbols);
  return selectContracts(await contracts.search({ ...options, texts }), {
    share: (contract) =>
      aboutOf(contract).about ? (topic === undefined ? 1 : topicShare(contract, topic)) : 0,
    isLinked: (contract) => aboutOf(contract).linked,
    subject: instrument.symbol,
    missing: contracts.missing,
  });
}

/** The same for topics: contracts about any of them. */
export async function findTopicContracts(
  topics: readonly string[],
  options: Omit<FindOptions, "topic">,
  { contracts }: Pick<Ports, "contracts">,
): Promise<FoundContracts> {
  return selectContracts(await contracts.search({ ...options, texts: topics }), {
    share: (contract) => Math.max(...topics.map((topic) => topicShare(contract, topic))),
    isLinked: () => false,
    subject: "this",
    missing: contracts.missing,
  });
}

interface Subject {
  /** How near a contract is to it, 0 for not at all. */
  readonly share: (contract: Contract) => number;
  readonly isLinked: (contract: Contract) => boolean;
  readonly subject: string;
  readonly missing: string | null;
}

function selectContracts(
  answer: ContractSearch | null,
  { share, isLinked, subject, missing }: Subject,
): FoundContracts {
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
  const near = answer.contracts.map((contract) => ({
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
          ? `The venues that answered list nothing about ${subject}: their results only resemble it`
          : `The venues that answered list nothing open about ${subject}`));
  return { ...answer, contracts, hasResponse, left_out: hasResponse ? left_out : null, reason, levelOf };
}
