import { marketFact } from "../analytics/contracts/market-fact.ts";
import { blockFact } from "../analytics/drivers/block-fact.ts";
import type { DatedFact, FactDriverId, Facts } from "../analytics/drivers/facts.ts";
import { offExchangeFact } from "../analytics/drivers/off-exchange-fact.ts";
import { putCallFact, skewFact } from "../analytics/flow/facts.ts";
import { NEWS_DAYS, newsFact } from "../analytics/news/fact.ts";
import type { Bars } from "../domain/bars.ts";
import type { Instrument } from "../domain/market.ts";
import type { Print } from "../domain/prints.ts";
import { ToolError } from "../kernel/errors.ts";
import type { Ports } from "../ports/index.ts";
import { contractsFor } from "./contracts/contracts-for.ts";
import { newsOf } from "./news/read.ts";

const DAY = 86_400_000;
/** Calendar days that hold 60 sessions, whatever the holidays. */
const LOOK_BACK_DAYS = 120;
/** Longest wait for one of them: a signal does not wait for what only tilts it. */
const LONGEST_MS = 1_200;

/** What dated facts say of an instrument at a moment, and why the others are silent. */
export interface FactsRead {
  readonly facts: Facts;
  readonly silent: Readonly<Partial<Record<FactDriverId, string>>>;
}

export interface FactsRequest {
  /** Epoch ms; nothing that became known later is read. */
  readonly at: number;
  /** Daily bars up to that moment. */
  readonly bars: Bars;
  readonly prints: readonly Print[] | null;
  readonly signal: AbortSignal;
}

export type FactPorts = Pick<Ports, "news" | "offExchange" | "contracts" | "flowDays" | "symbols" | "cache">;

interface Heard {
  readonly fact: DatedFact | null;
  readonly reason: string;
}
const heard = (fact: DatedFact | null, reason: string): Heard => ({ fact, reason });

/**
 * The six drivers that bars cannot tell, each as known at the moment: asked for side by side, and silent with its reason where its
 * source is not connected, covers no such thing, fails or is slow. Rejects with the caller's own reason when that signal aborts.
 */
export async function factsOf(
  instrument: Instrument,
  request: FactsRequest,
  ports: FactPorts,
): Promise<FactsRead> {
  const patience = AbortSignal.any([request.signal, AbortSignal.timeout(LONGEST_MS)]);
  const asked = { ...request, signal: patience };
  const all = await Promise.all([
    told("d_offex", () => offExchangeOf(instrument, asked, ports), request.signal),
    told("d_block", () => blocksOf(asked), request.signal),
    told("o_pc", () => optionsOf(instrument, asked, ports, putCallFact), request.signal),
    told("o_skew", () => optionsOf(instrument, asked, ports, skewFact), request.signal),
    told("n_sent", () => newsSaid(instrument, asked, ports), request.signal),
    told("k_mkt", () => marketsSaid(instrument, asked, ports), request.signal),
  ]);
  return {
    facts: Object.fromEntries(all.flatMap(({ id, fact }) => (fact === null ? [] : [[id, fact]]))),
    silent: Object.fromEntries(all.flatMap(({ id, fact, reason }) => (fact === null ? [[id, reason]] : []))),
  };
}

async function told(id: FactDriverId, ask: () => Promise<Heard>, signal: AbortSignal) {
  try {
    return { id, ...(await ask()) };
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ToolError && cause.code !== "INTERNAL") return { id, ...heard(null, cause.message) };
    if (cause instanceof DOMException) return { id, ...heard(null, "Its source did not answer in time") };
    throw cause;
  }
}

async function offExchangeOf(
  instrument: Instrument,
  { at, signal }: FactsRequest,
  { offExchange }: FactPorts,
): Promise<Heard> {
  const range = { from: at - LOOK_BACK_DAYS * DAY, until: at, signal };
  const answer = await offExchange.days(instrument, range);
  if (answer === null)
    return heard(null, offExchange.missing.days ?? "No off-exchange short volume is connected");
  if (answer.rows.length === 0) return heard(null, answer.gap ?? "No off-exchange volume is told of it");
  return heard(
    offExchangeFact(answer.rows, at),
    `The short share needs 60 days that have been published, has ${answer.rows.length}`,
  );
}

async function blocksOf({ prints, bars }: FactsRequest): Promise<Heard> {
  if (prints === null) return heard(null, "No off-exchange prints are connected");
  return heard(blockFact(prints, bars), "No large off-exchange print of the last day has a side");
}

async function optionsOf(
  { symbol, asset_class }: Instrument,
  { at }: FactsRequest,
  { flowDays }: FactPorts,
  factFrom: typeof putCallFact,
): Promise<Heard> {
  if (asset_class === "crypto") return heard(null, "No listed options are read of coins");
  const days = await flowDays.days(symbol, { until: at, limit: LOOK_BACK_DAYS });
  const kept = new Set(days.map(({ day }) => day)).size;
  return heard(
    factFrom(days, at),
    `Needs 60 days of option chains, has ${kept}: one is kept on every day its options flow is asked for`,
  );
}

async function newsSaid(
  instrument: Instrument,
  { at, signal }: FactsRequest,
  ports: FactPorts,
): Promise<Heard> {
  const { feed, read } = await newsOf(instrument, { from: at - NEWS_DAYS * DAY, until: at, signal }, ports);
  if (feed === null) return heard(null, ports.news.missing ?? "No source of news is connected");
  if (feed.uncovered !== null) return heard(null, feed.uncovered);
  return heard(newsFact(read.stories, at), `No story of the last ${NEWS_DAYS} days could be judged`);
}

async function marketsSaid(
  instrument: Instrument,
  { at, bars, signal }: FactsRequest,
  ports: FactPorts,
): Promise<Heard> {
  const found = await contractsFor(instrument, { asOf: at, signal }, ports);
  const linked = found.contracts.filter((contract) => found.levelOf(contract) !== null);
  if (linked.length === 0)
    return heard(null, found.reason ?? "No prediction market on a price level of it is open");
  const { fact, reason } = marketFact(linked, { bars, at });
  return heard(fact, reason ?? "No prediction market tells");
}
