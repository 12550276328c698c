import { betFact, marketFact } from "../../analytics/contracts/market-fact.ts";
import type { DatedFact, FactDriverId, Facts } from "../../analytics/drivers/facts.ts";
import { blockFact, offExchangeFact } from "../../analytics/drivers/off-exchange-facts.ts";
import { putCallFact, skewFact } from "../../analytics/flow/facts.ts";
import { NEWS_DAYS, newsFact } from "../../analytics/news/fact.ts";
import type { Bars } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { Print, PrintReach } from "../../domain/off-exchange/prints.ts";
import type { FlowDay } from "../../domain/options-flow/options.ts";
import type { Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { timeFor, withTimeLimit } from "../../lib/time-limit.ts";
import { fetchNews, type NewsPorts } from "../news/read.ts";
import { findContracts } from "../prediction-markets/contracts-for.ts";
import { lastSnapshot } from "../prediction-markets/last-snapshot.ts";

const DAY = 86_400_000;
/** Calendar days that contain at least 60 sessions despite holidays. */
const HISTORY_DAYS = 120;
/** Maximum wait for each fact, ms: facts only adjust a signal and must not delay it. */
const MAX_WAIT_MS = 1_200;

/** Dated facts about an instrument at a given time, and the reasons why others are missing. */
export interface FactsResult {
  readonly facts: Facts;
  readonly missingReasons: Readonly<Partial<Record<FactDriverId, string>>>;
}

export interface FactsRequest {
  /** Epoch ms; nothing that became known later is read. */
  readonly at: number;
  /** Daily bars up to `at`. */
  readonly bars: Bars;
  readonly prints: readonly Print[] | null;
  readonly printsSource?: string | undefined;
  /** Text on what the prints do not cover, or why there are none. */
  readonly printsGap?: string | undefined;
  readonly printsReach?: PrintReach | undefined;
  /** Close of the decision bar. */
  readonly price: number;
  readonly signal: AbortSignal;
}

export type FactPorts = NewsPorts &
  Pick<Ports, "clock" | "offExchange" | "prints" | "contracts" | "contractHistory" | "chains" | "flowDays">;

interface FactResult {
  readonly fact: DatedFact | null;
  readonly reason: string;
}
const missingFact = (reason: string): FactResult => ({ fact: null, reason });
/** Returns a fact with its provider and time added to the inputs; without a fact, only the reason. */
const factResult = (fact: DatedFact | null, reason: string, source?: string): FactResult => ({
  fact: fact && {
    ...fact,
    inputs: { ...fact.inputs, known_at: minuteOf(fact.time), ...(source !== undefined && { source }) },
  },
  reason,
});
const minuteOf = (time: number): string => `${new Date(time).toISOString().slice(0, 16)}Z`;

/**
 * Reads the six drivers that do not come from bars, concurrently and as known at `request.at`. If a driver's provider
 * is not connected, does not cover the instrument, fails or is slow, the driver has a reason instead. Rejects with the
 * abort reason if the caller's signal aborts.
 */
export async function readFacts(
  instrument: Instrument,
  request: FactsRequest,
  ports: FactPorts,
): Promise<FactsResult> {
  let pendingFlow: Promise<readonly FlowDay[]> | null = null;
  const flow = () => {
    pendingFlow ??= ports.flowDays.days(instrument.symbol, { until: request.at, limit: HISTORY_DAYS });
    return pendingFlow;
  };
  const all = await withTimeLimit(timeFor(ports.clock, MAX_WAIT_MS), request.signal, async (signal) => {
    const limited = { ...request, signal };
    const read = (id: FactDriverId, load: () => Promise<FactResult>) => readFact(id, load, request.signal);
    return Promise.all([
      read("d_offex", () => readOffExchangeFact(instrument, limited, ports)),
      read("d_block", () => readBlockFact(instrument, limited, ports)),
      read("o_pc", () => readOptionsFact(instrument, limited, { ...ports, flow }, putCallFact)),
      read("o_skew", () => readOptionsFact(instrument, limited, { ...ports, flow }, skewFact)),
      read("n_sent", () => readNewsFact(instrument, limited, ports)),
      read("k_mkt", () => readMarketsFact(instrument, limited, ports)),
    ]);
  });
  return {
    facts: Object.fromEntries(all.flatMap(({ id, fact }) => (fact === null ? [] : [[id, fact]]))),
    missingReasons: Object.fromEntries(
      all.flatMap(({ id, fact, reason }) => (fact === null ? [[id, reason]] : [])),
    ),
  };
}

async function readFact(id: FactDriverId, read: () => Promise<FactResult>, signal: AbortSignal) {
  try {
    return { id, ...(await read()) };
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ToolError && cause.code !== "INTERNAL") {
      const retryNote = cause.code === "UPSTREAM_UNAVAILABLE" ? ": a retry may succeed" : "";
      return { id, fact: null, reason: `${cause.message}${retryNote}` };
    }
    if (cause instanceof DOMException)
      return { id, fact: null, reason: "Its provider did not respond in time: a retry may succeed" };
    throw cause;
  }
}

/** Returns the reason for missing data, with the setting that connects a provider. */
const notConnectedReason = (what: string, connects: string | null): string =>
  connects === null
    ? `No ${what} available now`
    : `No provider of ${what} is connected. Connect one by: ${connects}`;

const NO_CRYPTO_REASON = "Off-exchange trading is reported only for US stocks and funds";

async function readOffExchangeFact(
  instrument: Instrument,
  { at, signal }: FactsRequest,
  { offExchange }: FactPorts,
): Promise<FactResult> {
  if (instrument.asset_class === "crypto") return missingFact(NO_CRYPTO_REASON);
  const range = { from: at - HISTORY_DAYS * DAY, until: at, signal };
  const answer = await offExchange.days(instrument, range);
  if (answer === null)
    return missingFact(notConnectedReason("off-exchange volume", offExchange.missing.days));
  const { rows, gap } = answer;
  if (rows.length === 0) return missingFact(gap ?? "No off-exchange volume is reported for it");
  const short = `The short share needs 60 published days of off-exchange volume, the newest at most nine days old; ${rows.length} are available`;
  return factResult(offExchangeFact(rows, at), gap === null ? short : `${short}. ${gap}`, answer.source);
}

async function readBlockFact(
  { asset_class }: Instrument,
  { at, prints, printsSource, printsGap, printsReach, bars }: FactsRequest,
  ports: FactPorts,
): Promise<FactResult> {
  if (asset_class === "crypto") return missingFact(NO_CRYPTO_REASON);
  if (prints === null)
    return missingFact(printsGap ?? notConnectedReason("off-exchange prints", ports.prints.missing.tape));
  const missing = printsReach && missingSessionsReason(bars, at, printsReach);
  if (missing) return missingFact(missing);
  const large = "large (a million dollars or half a percent of an average day)";
  const none = `The last day has no off-exchange print that is ${large} with a known side`;
  return factResult(
    blockFact(prints, bars),
    printsGap === undefined ? none : `${none}. ${printsGap}`,
    printsSource,
  );
}

/** Returns the reason why prints of some sessions of the last daily bar are missing; null if all are available. */
function missingSessionsReason({ time }: Bars, at: number, { from, missed }: PrintReach): string | null {
  const [before, last] = [time.at(-2), time.at(-1)].map((bar) => dateOf(bar ?? at));
  if (last! < from)
    return `Providers of off-exchange prints cover only the newest sessions, now from ${from}, so ${last} is missing`;
  const lacking = missed.filter((date) => date > before! && date <= newYorkDate(at));
  if (lacking.length === 0) return null;
  return `Off-exchange prints of ${lacking.join(" and ")} could not be read: a retry may succeed`;
}
const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

async function readOptionsFact(
  { asset_class }: Instrument,
  { at }: FactsRequest,
  { chains, flow }: Pick<FactPorts, "chains"> & { readonly flow: () => Promise<readonly FlowDay[]> },
  factFrom: typeof putCallFact,
): Promise<FactResult> {
  if (asset_class === "crypto") return missingFact("Listed options are read only for US stocks and funds");
  const days = await flow();
  const fact = factFrom(days, at);
  if (fact !== null) return factResult(fact, "");
  if (chains.missing !== undefined) return missingFact(chains.missing);
  const storedDays = new Set(days.map(({ day }) => day)).size;
  const rule = "It needs option chains of 60 of the last 120 days, the newest at most four days old";
  return missingFact(
    storedDays < 60
      ? `${rule}; ${storedDays} are stored, one for each trading day on which it is requested`
      : `${rule}, with varying figures; the ${storedDays} stored figures do not vary`,
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
  if (feed === null) return missingFact(ports.news.missing ?? "No provider of news is connected");
  if (feed.uncovered !== null) return missingFact(feed.uncovered);
  const found = read.stories.length;
  const { source, completeFrom: from } = feed;
  const missing = from === null ? "" : `; headlines before ${minuteOf(from)} may be missing`;
  return factResult(
    newsFact(read.stories, at),
    found === 0
      ? `${source ?? "The news provider"} has no story about it in the preceding ${NEWS_DAYS} days${missing}`
      : `No sentiment could be determined for the ${found === 1 ? "only story" : `${found} stories`} about it in the preceding ${NEWS_DAYS} days`,
    source ?? undefined,
  );
}

async function readMarketsFact(
  instrument: Instrument,
  { at, bars, price, signal }: FactsRequest,
  ports: FactPorts,
): Promise<FactResult> {
  if (ports.contracts.venues().length === 0)
    return missingFact(ports.contracts.missing ?? "No prediction market is connected");
  if (!ports.contracts.supportsHistory) {
    const { snapshot, reason } = await lastSnapshot(instrument.symbol, at, ports.contractHistory);
    if (snapshot === null || snapshot.price === null) return missingFact(reason);
    const betResult = betFact(snapshot.bets, { bars, at: snapshot.at, price: snapshot.price });
    return factResult(betResult.fact, betResult.reason ?? "");
  }
  const found = await findContracts(instrument, { asOf: at, signal }, ports);
  const linked = found.contracts.filter((contract) => found.levelOf(contract) !== null);
  if (linked.length === 0)
    return missingFact(found.reason ?? "No open prediction market is about one of its price levels");
  const { fact, reason } = marketFact(linked, { bars, at, price });
  return factResult(fact, reason ?? "");
}
