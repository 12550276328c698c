import { isPricePositive } from "../../analytics/contracts/levels.ts";
import { levelBetsOf } from "../../analytics/contracts/market-fact.ts";
import { type PricedBet, type Question, questionsOf } from "../../analytics/edge/questions.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import type { Contract, VenueCoverage } from "../../domain/prediction-markets/contracts.ts";
import { ToolError } from "../../kernel/errors.ts";
import { findContracts } from "./contracts-for.ts";
import { lastSnapshot } from "./last-snapshot.ts";

/** Number of daily bars for the volatility: 63 returns and the close before them. */
const BARS = 64;

/** Prediction-market questions on an instrument at a given time. */
export interface MarketSide {
  /** Best first; only the first is used. */
  readonly questions: readonly Question[];
  /** Reason why there are no questions; null if there are. */
  readonly reason: string | null;
  /** Current contracts by venue and id; empty if a stored snapshot was used. */
  readonly contracts: ReadonlyMap<string, Contract>;
  /** Price with which the levels were compared, US dollars. */
  readonly price: number | null;
  readonly priceAsOf: string | null;
  readonly coverage: readonly VenueCoverage[];
  readonly source: string | null;
  readonly stale: boolean;
}

export type MarketSidePorts = Pick<Ports, "symbols" | "contracts" | "contractHistory" | "bars" | "quotes">;

/** The present or a past time, epoch ms. */
export interface Moment {
  readonly now: number;
  /** Past time; undefined for the present. */
  readonly asOf: number | undefined;
  readonly signal: AbortSignal;
}

/** Returns a key that is unique across venues. */
export const contractKey = ({ venue, id }: Pick<Contract, "venue" | "id">): string => `${venue} ${id}`;

/**
 * Reads the qualifying questions on the price of an instrument at a given time: linked, liquid, dated contracts on a
 * level that a rising price makes likelier. An outage returns no questions and a reason. For a past time that venues do
 * not cover, uses the stored snapshot.
 */
export async function readMarketSide(
  instrument: Instrument,
  moment: Moment,
  ports: MarketSidePorts,
): Promise<MarketSide> {
  try {
    const { contracts } = ports;
    const past = moment.asOf !== undefined && !contracts.supportsHistory && contracts.venues().length > 0;
    return past ? await storedSide(instrument, moment, ports) : await currentSide(instrument, moment, ports);
  } catch (cause) {
    return { ...NOTHING, reason: describeFailure(cause, moment.signal) };
  }
}

const NOTHING = {
  questions: [],
  contracts: new Map<string, Contract>(),
  price: null,
  priceAsOf: null,
  coverage: [],
  source: null,
  stale: false,
} as const;

/** Returns the message of an expected failure, such as an outage; rethrows internal errors and cancellation. */
export function describeFailure(cause: unknown, signal: AbortSignal): string {
  signal.throwIfAborted();
  if (!(cause instanceof ToolError) || cause.code === "INTERNAL" || cause.code === "CANCELLED") throw cause;
  return cause.code === "UPSTREAM_UNAVAILABLE" ? `${cause.message}: a retry may succeed` : cause.message;
}

async function currentSide(
  instrument: Instrument,
  { asOf, signal }: Moment,
  ports: MarketSidePorts,
): Promise<MarketSide> {
  const found = await findContracts(instrument, { signal, ...(asOf !== undefined && { asOf }) }, ports);
  const { coverage, stale } = found;
  const head = {
    coverage,
    stale,
    source: [...new Set(coverage.map(({ source }) => source))].join(", ") || null,
  };
  const linked = found.contracts.filter((contract) => {
    const level = found.levelOf(contract);
    return level !== null && isPricePositive(level);
  });
  const none = (reason: string): MarketSide => ({ ...NOTHING, ...head, reason });
  if (linked.length === 0)
    return none(found.reason ?? "No linked market is on a price level that a rising price makes more likely");
  const at = Date.parse(found.as_of);
  const { bets, reason } = levelBetsOf(linked, at);
  if (reason !== null) return none(reason);
  const contracts = new Map(linked.map((contract) => [contractKey(contract), contract]));
  const priced = bets.map((bet): PricedBet => {
    const spread = contracts.get(contractKey(bet))!.spread;
    return { ...bet, halfSpread: spread === null ? null : spread / 2 };
  });
  const { price, priceAsOf } = await priceAt(instrument, { asOf, signal }, ports);
  const { bars } = await ports.bars.history(instrument, { signal, timeframe: "1d", limit: BARS, asOf: at });
  return { ...head, contracts, price, priceAsOf, ...questionsOf(priced, { bars, price, at }) };
}

async function priceAt(
  instrument: Instrument,
  { asOf, signal }: Pick<Moment, "asOf" | "signal">,
  { bars, quotes }: Pick<Ports, "bars" | "quotes">,
): Promise<{ readonly price: number; readonly priceAsOf: string | null }> {
  if (asOf === undefined) {
    const { price, timestamp } = await quotes.latest(instrument, { signal });
    return { price, priceAsOf: timestamp };
  }
  const hour = await bars.history(instrument, { signal, timeframe: "1h", limit: 1, asOf });
  const price = hour.bars.close.at(-1);
  if (price === undefined)
    throw new ToolError("NO_PRICE", `No price of ${instrument.symbol} is known for that time`);
  return { price, priceAsOf: hour.as_of };
}

async function storedSide(
  instrument: Instrument,
  { asOf, signal }: Moment,
  { contractHistory, bars }: Pick<Ports, "contractHistory" | "bars">,
): Promise<MarketSide> {
  const { snapshot, reason } = await lastSnapshot(instrument.symbol, asOf!, contractHistory);
  const source = "stored";
  if (snapshot === null || snapshot.price === null) return { ...NOTHING, source, reason };
  const { at, price } = snapshot;
  const daily = await bars.history(instrument, { signal, timeframe: "1d", limit: BARS, asOf: at });
  const priced = snapshot.bets.map((bet): PricedBet => ({ ...bet, halfSpread: null }));
  const questions = questionsOf(priced, { bars: daily.bars, price, at });
  return { ...NOTHING, source, price, priceAsOf: new Date(at).toISOString(), ...questions };
}
