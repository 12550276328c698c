import { exp, keyOf, normal } from "./draws.ts";

/** Share of a day's variance that occurs in the overnight gap. */
export const GAP_SHARE = 0.35;

const AUTOCORRELATION = 0.97;
const VOL_OF_VOL = 0.58;
const NOVELTY = VOL_OF_VOL * Math.sqrt(1 - AUTOCORRELATION * AUTOCORRELATION);
const GAP = Math.sqrt(GAP_SHARE);
const SESSION = Math.sqrt(1 - GAP_SHARE);

/** Daily moves of one origin (the market, a sector, or one symbol), in columns by day. */
export interface Shocks {
  /** Logarithmic move between the previous close and the open. */
  readonly gap: readonly number[];
  /** Logarithmic move between open and close. */
  readonly session: readonly number[];
  /** Spread of the complete day's move. */
  readonly spread: readonly number[];
  /** Creates missing days until the first `days` days exist. */
  reach(days: number): void;
}

/**
 * Creates moves with changing volatility: log-volatility is AR(1), so that calm and volatile
 * days form clusters. `yearly` is the spread of 252 sessions.
 * @see Taylor, "Modelling Financial Time Series" (1986), ch. 3
 */
export function shocks(key: number, yearly: number, sessions: number): Shocks {
  const daily = yearly / Math.sqrt(sessions);
  const ofGap = keyOf(key, "gap");
  const ofSession = keyOf(key, "session");
  const ofMood = keyOf(key, "mood");
  const gap: number[] = [];
  const session: number[] = [];
  const spread: number[] = [];
  let mood = 0;
  return {
    gap,
    session,
    spread,
    reach(days) {
      for (let day = gap.length; day < days; day++) {
        mood = AUTOCORRELATION * mood + NOVELTY * normal(ofMood, day);
        // E[exp(2 mood)] = exp(2 VOL_OF_VOL^2), divided out so that the yearly spread is `yearly`
        const now = daily * exp(mood - VOL_OF_VOL * VOL_OF_VOL);
        spread.push(now);
        gap.push(now * GAP * normal(ofGap, day));
        session.push(now * SESSION * normal(ofSession, day));
      }
    },
  };
}
