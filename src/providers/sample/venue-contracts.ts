import type { Contract, Strike } from "../../domain/prediction-markets/contracts.ts";
import { bell, draw, exp, keyOf, unit } from "./draws.ts";
import { millsRatio } from "./option-model.ts";
import { DAY_MS, EPOCH } from "./time.ts";

/** The simulated venues: two of real money, with order books, and one of play money, with an automated market maker. */
export const VENUES = [
  { name: "simex", real_money: true },
  { name: "simbook", real_money: true },
  { name: "simplay", real_money: false },
] as const;
export type VenueName = (typeof VENUES)[number]["name"];

/** A question for which venues list contracts. */
export interface SimulatedQuestion {
  readonly key: number;
  /** Name of the question, the same at every venue. */
  readonly name: string;
  readonly event: string;
  readonly title: string;
  readonly question: string;
  readonly outcome: string;
  readonly strike: Strike | null;
  readonly keywords: readonly string[];
  /** Epoch ms. */
  readonly opens: number;
  readonly closes: number;
  /** US dollars traded between opening and close. */
  readonly turnover: number;
}

/** Interval between quotes, and the noise of their probability. */
const QUOTE_INTERVAL_MS = 6 * 3_600_000;
const QUOTE_NOISE = 0.008;
/** Noise of play-money quotes. */
const PLAY_QUOTE_NOISE = 0.04;
const TICK = 100;

const dollars = (amount: number) => Math.round(amount * 100) / 100;

/**
 * Returns the contract of one venue on a question at `now` (epoch ms); `fair` is the probability before the venue's
 * noise.
 */
export function venueContract(
  simulated: SimulatedQuestion,
  venue: VenueName,
  fair: number,
  now: number,
): Contract {
  const real = venue !== "simplay";
  const key = keyOf(simulated.key, venue);
  const noise =
    (real ? QUOTE_NOISE : PLAY_QUOTE_NOISE) * bell(draw(key, Math.floor((now - EPOCH) / QUOTE_INTERVAL_MS)));
  const shown = Math.min(0.995, Math.max(0.005, fair + 4 * fair * (1 - fair) * noise));
  const soldBy = (at: number) => {
    const share = Math.max(0, Math.min(1, (at - simulated.opens) / (simulated.closes - simulated.opens)));
    return simulated.turnover * share * (0.4 + 1.2 * unit(draw(key, -1)));
  };
  const [total, day] = [soldBy(now), soldBy(now) - soldBy(now - DAY_MS)];
  const head = {
    venue,
    id: `${venue}-${simulated.name}`,
    url: null,
    question: simulated.question,
    outcome: simulated.outcome,
    close_time: new Date(simulated.closes).toISOString(),
    status: "open",
    real_money: real,
    as_of: new Date(now).toISOString(),
    event: simulated.event,
    event_title: simulated.title,
    strike: simulated.strike,
    keywords: simulated.keywords,
  } as const;
  if (!real)
    return {
      ...head,
      probability: Math.round(shown * 10_000) / 10_000,
      probability_basis: "amm",
      bid: null,
      ask: null,
      spread: null,
      volume_total: Math.round(total / 50),
      volume_24h: Math.round(day / 50),
      volume_unit: "MANA",
      liquidity: 1_000,
      liquidity_unit: "MANA",
      open_interest: null,
    };
  const half = 0.005 + 0.01 * unit(draw(key, -2));
  const low = Math.floor((shown - half) * TICK) / TICK;
  const high = Math.ceil((shown + half) * TICK) / TICK;
  const [bid, ask] = [low > 0 ? low : null, high < 1 ? high : null];
  const both = bid !== null && ask !== null;
  const counted = venue === "simbook";
  const last = Math.min(1 - 1 / TICK, Math.max(1 / TICK, Math.round(shown * TICK) / TICK));
  const probability = both ? Math.round(((bid + ask) / 2) * 10_000) / 10_000 : last;
  // the two sides of a contract together cost one dollar, so one side costs half a dollar on average
  const traded = (money: number) => (counted ? Math.round(2 * money) : dollars(money));
  return {
    ...head,
    probability,
    probability_basis: both ? "mid" : "last",
    bid,
    ask,
    spread: both ? Math.round((ask - bid) * TICK) / TICK : null,
    volume_total: traded(total),
    volume_24h: traded(day),
    volume_unit: counted ? "contracts" : "USD",
    liquidity: counted ? null : dollars(total / 20),
    liquidity_unit: counted ? null : "USD",
    open_interest: counted ? Math.round(total / 3) : null,
  };
}

/**
 * Returns the probability that a standard normal number is at most `z`, clamped to 0.002 and 0.998; bit-identical on
 * every engine.
 */
export function normalCdf(z: number): number {
  if (Math.abs(z) > 2.8) return z > 0 ? 0.998 : 0.002;
  const tail = (exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * millsRatio(z);
  return z > 0 ? 1 - tail : tail;
}
