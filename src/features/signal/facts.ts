import { betFact, marketFact } from "../../analytics/contracts/market-fact.ts";
import { blockFact } from "../../analytics/drivers/block-fact.ts";
import type { DatedFact, FactDriverId, Facts } from "../../analytics/drivers/facts.ts";
import { offExchangeFact } from "../../analytics/drivers/off-exchange-fact.ts";
import { putCallFact, skewFact } from "../../analytics/flow/facts.ts";
import { NEWS_DAYS, newsFact } from "../../analytics/news/fact.ts";
import type { Bars } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { Print, PrintReach } from "../../domain/off-exchange/prints.ts";
import type { FlowDay } from "../../domain/options-flow/options.ts";
import type { Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { fetchNews } from "../news/read.ts";
import { findContracts } from "../prediction-markets/contracts-for.ts";
import { lastSnapshot } from "../prediction-markets/last-snapshot.ts";

const DAY = 86_400_000;
/** Calendar days that hold 60 sessions, whatever the holidays. */
const LOOK_BACK_DAYS = 120;
/** Longest wait for one of them: a signal does not wait for what only tilts it. */
const MAX_WAIT_MS = 1_200;

/** Dated facts of an instrument at a moment, and the reasons for those that are missing. */
export interface FactsResult {
  readonly facts: Facts;
  readonly silent: Readonly<Partial<Record<FactDriverId, string>>>;
}

export interface FactsRequest {
  /** Epoch ms; nothing that became known later is read. */
  readonly at: number;
  /** Daily bars up to that moment. */
  readonly bars: Bars;
  readonly prints: readonly Print[] | null;
  readonly printsSource?: string | undefined;
  /** What the provider of prints does not cover, or why it returned nothing. */
  readonly printsGap?: string | undefined;
  readonly printsReach?: PrintReach | undefined;
  /** Close of the decision bar. */
  readonly price: number;
  readonly signal: AbortSignal;
}

export type FactPorts = Pick<
  Ports,
  | "news"
  | "offExchange"
  | "prints"
  | "contracts"
  | "contractHistory"
  | "chains"
  | "flowDays"
  | "symbols"
  | "cache"
>;

interface FactResult {
  readonly fact: DatedFact | null;
  readonly reason: string;
}
/** Builds a fact with its provider, or the reason why there is none. */
const factResult = (fact: DatedFact | null, reason: string, source?: string): FactResult => ({
  fact: fact && {
    ...fact,
    inputs: { ...fact.inputs, known_at: minuteOf(fact.time), ...(source !== undefined && { source }) },
  },
  reason,
});
const minuteOf = (time: number): string => `${new Date(time).toISOString().slice(0, 16)}Z`;

/**
 * Reads the six drivers that bars cannot provide, concurrently and as known at the moment. A driver whose provider is not connected,
 * does not cover the instrument, fails or is slow gets a reason instead. Rejects with the caller's own reason when its signal aborts.
 */
export async function readFacts(
  instrument: Instrument,
  request: FactsRequest,
  ports: FactPorts,
): Promise<FactsResult> {
  const patience = AbortSignal.any([request.signal, AbortSignal.timeout(MAX_WAIT_MS)]);
  const factRequest = { ...request, signal: patience };
  const flow = memoize(() =>
    ports.flowDays.days(instrument.symbol, { until: request.at, limit: LOOK_BACK_DAYS }),
  );
  const all = await Promise.all([
    readFact("d_offex", () => readOffExchangeFact(instrument, factRequest, ports), request.signal),
    readFact("d_block", () => readBlockFact(instrument, factRequest, ports), request.signal),
    readFact(
      "o_pc",
      () => readOptionsFact(instrument, factRequest, { ...ports, flow }, putCallFact),
      request.signal,
    ),
    readFact(
      "o_skew",
      () => readOptionsFact(instrument, factRequest, { ...ports, flow }, skewFact),
      request.signal,
    ),
    readFact("n_sent", () => readNewsFact(instrument, factRequest, ports), request.signal),
    readFact("k_mkt", () => readMarketsFact(instrument, factRequest, ports), request.signal),
  ]);
  return {
    facts: Object.fromEntries(all.flatMap(({ id, fact }) => (fact === null ? [] : [[id, fact]]))),
    silent: Object.fromEntries(all.flatMap(({ id, fact, reason }) => (fact === null ? [[id, reason]] : []))),
  };
}

/** Calls `load` at most once and shares its result. */
function memoize<T>(load: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | null = null;
  return () => {
    pending ??= load();
    return pending;
  };
}

async function readFact(id: FactDriverId, ask: () => Promise<FactResult>, signal: AbortSignal) {
  try {
    return { id, ...(await ask()) };
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ToolError && cause.code !== "INTERNAL") {
      const passing =
        cause.code === "UPSTREAM_UNAVAILABLE" ? ": it may when the signal is asked for again" : "";
      return { id, ...factResult(null, `${cause.message}${passing}`) };
    }
    if (cause instanceof DOMException)
      return {
        id,
        ...factResult(null, "Its source did not answer in time: it may when the signal is asked for again"),
      };
    throw cause;
  }
}

/** Reason for missing data, with the setting that connects a provider. */
const notConnectedReason = (what: string, connects: string | null): string =>
  connects === null
    ? `No ${what} could be had just now`
    : `No source of ${what} is connected. What connects one: ${connects}`;

const NO_COINS = "Off-exchange trading is reported of US stocks and funds alone";

async function readOffExchangeFact(
  instrument: Instrument,
  { at, signal }: FactsRequest,
  { offExchange }: FactPorts,
): Promise<FactResult> {
  if (instrument.asset_class === "crypto") return factResult(null, NO_COINS);
  const range = { from: at - LOOK_BACK_DAYS * DAY, until: at, signal };
  const answer = await offExchange.days(instrument, range);
  if (answer === null)
    return factResult(null, notConnectedReason("off-exchange volume", offExchange.missing.days));
  const { rows, gap } = answer;
  if (rows.length === 0) return factResult(null, gap ?? "No off-exchange volume is told of it");
  const short = `The short share needs 60 days of off-exchange volume that are out and not over nine days old, and of ${rows.length} says nothing`;
  return factResult(offExchangeFact(rows, at), gap === null ? short : `${short}. ${gap}`, answer.source);
}

async function readBlockFact(
  { asset_class }: Instrument,
  { at, prints, printsSource, printsGap, printsReach, bars }: FactsRequest,
  ports: FactPorts,
): Promise<FactResult> {
  if (asset_class === "crypto") return factResult(null, NO_COINS);
  if (prints === null)
    return factResult(
      null,
      printsGap ?? notConnectedReason("off-exchange prints", ports.prints.missing.tape),
    );
  const untold = printsReach && missingSessionsReason(bars, at, printsReach);
  if (untold) return factResult(null, untold);
  const large = "large (a million dollars or half a percent of an average day)";
  const none = `Of the last day no off-exchange print is known that is ${large} and whose side can be told`;
  return factResult(
    blockFact(prints, bars),
    printsGap === undefined ? none : `${none}. ${printsGap}`,
    printsSource,
  );
}

/** Reason why some sessions of the last day are missing; null if all are covered. */
function missingSessionsReason({ time }: Bars, at: number, { from, missed }: PrintReach): string | null {
  const [before, last] = [time.at(-2), time.at(-1)].map((bar) => dateOf(bar ?? at));
  if (last! < from)
    return `Sources of off-exchange prints tell the newest sessions alone, now from ${from} on, and so nothing of ${last}`;
  const lacking = missed.filter((date) => date > before! && date <= newYorkDate(at));
  if (lacking.length === 0) return null;
  return `Off-exchange prints of ${lacking.join(" and ")} could not be had: they may when the signal is asked for again`;
}
const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

async function readOptionsFact(
  { asset_class }: Instrument,
  { at }: FactsRequest,
  { chains, flow }: Pick<FactPorts, "chains"> & { readonly flow: () => Promise<readonly FlowDay[]> },
  factFrom: typeof putCallFact,
): Promise<FactResult> {
  if (asset_class === "crypto") return factResult(null, "No listed options are read of coins");
  const days = await flow();
  const fact = factFrom(days, at);
  if (fact !== null) return factResult(fact, "");
  if (chains.missing !== undefined) return factResult(null, chains.missing);
  const storedDays = new Set(days.map(({ day }) => day)).size;
  const rule = "It needs the option chains of 60 days within 120, the newest no more than four days old";
  return factResult(
    null,
    storedDays < 60
      ? `${rule}, and had ${storedDays}: one is kept on each trading day on which it is asked about`
      : `${rule}, with figures that change: the ${storedDays} that were kept do not have that`,
  );
}

async function readNewsFact(
  instrument: Instrument,
  { at, signal }: FactsRequest,
  ports: FactPorts,
): Promise<FactResult> {
  const { feed, read } = await fetchNews(
    instrument,
    { from: at - NEWS_DAYS * DAY, until: at, signal },
    ports,
  );
  if (feed === null) return factResult(null, ports.news.missing ?? "No source of news is connected");
  if (feed.uncovered !== null) return factResult(null, feed.uncovered);
  const found = read.stories.length;
  const { source, completeFrom: from } = feed;
  const missing = from === null ? "" : `; headlines before ${minuteOf(from)} may be missing`;
  return factResult(
    newsFact(read.stories, at),
    found === 0
      ? `${source ?? "The source of news"} tells no story about it of the ${NEWS_DAYS} days before${missing}`
      : `Of ${found === 1 ? "the one story" : `${found} stories`} about it in the ${NEWS_DAYS} days before none could be judged good or bad`,
    source ?? undefined,
  );
}

async function readMarketsFact(
  instrument: Instrument,
  { at, bars, price, signal }: FactsRequest,
  ports: FactPorts,
): Promise<FactResult> {
  if (ports.contracts.venues().length === 0)
    return factResult(null, ports.contracts.missing ?? "No prediction market is connected");
  if (!ports.contracts.tellsPast) {
    const { kept, reason } = await lastSnapshot(instrument.symbol, at, ports.contractHistory);
    if (kept === null || kept.price === null) return factResult(null, reason);
    const betResult = betFact(kept.bets, { bars, at: kept.at, price: kept.price });
    return factResult(betResult.fact, betResult.reason ?? "");
  }
  const found = await findContracts(instrument, { asOf: at, signal }, ports);
  const linked = found.contracts.filter((contract) => found.levelOf(contract) !== null);
  if (linked.length === 0)
    return factResult(null, found.reason ?? "No prediction market on a price level of it is open");
  const { fact, reason } = marketFact(linked, { bars, at, price });
  return factResult(fact, reason ?? "");
}
