import { brierScores } from "../../src/analytics/edge/brier.ts";
import { type TrackedQuestion, trackedQuestions } from "../../src/features/prediction-markets/edge-track.ts";
import { createCache } from "../../src/market/cache.ts";
import { createDirectory } from "../../src/market/symbols/directory.ts";
import { embeddedListings } from "../../src/market/symbols/listings.ts";
import { sampleMarket } from "../../src/providers/sample/market.ts";
import { stoppedClock } from "../support/context.ts";
import { noContractBook } from "../support/contracts.ts";

/** Everything is computed as of this date, so that results do not depend on the current day. */
const UNTIL = "2026-07-01T00:00:00.000Z";
const RESAMPLES = 1_000;

/**
 * Scores both sides of an edge over every listing of the simulated market: questions of 24 months, each as of the 15th
 * of the month that decided it. Fails if a score is undefined.
 */
export async function run(): Promise<void> {
  const clock = stoppedClock(new Date(UNTIL));
  const { members, ...market } = sampleMarket({ clock });
  const symbols = createDirectory({ members, listings: embeddedListings() });
  const ports = { ...market, clock, symbols, cache: createCache(clock), contractHistory: noContractBook };
  const until = Date.parse(UNTIL);
  const all: TrackedQuestion[] = [];
  const { signal } = new AbortController();
  for (const member of members) all.push(...(await trackedQuestions(member, { until, signal }, ports)));
  const scores = brierScores(all);
  if (scores === null) {
    console.log("No question was decided");
    process.exitCode = 1;
    return;
  }
  const { market: venues, news, neutral, baseRateScore, base, resolved } = scores;
  const months = new Set(all.map(({ at }) => at));
  console.log(
    `${resolved} questions of ${members.length} simulated listings, ${months.size} months until ${UNTIL.slice(0, 10)}; ${(100 * base).toFixed(1)}% came true`,
  );
  const line = (name: string, score: number) =>
    console.log(
      `${name.padEnd(38)} ${score.toFixed(4)}  ${(100 * (1 - score / baseRateScore)).toFixed(1).padStart(5)}% below the base rate`,
    );
  console.log("Brier scores, 0 best:");
  line("markets", venues);
  line("news", news);
  line("price and volatility alone", neutral);
  line("base rate, known afterwards", baseRateScore);
  line("even odds", 0.25);
  const { low, high } = interval(all);
  console.log(
    `news less markets ${(news - venues).toFixed(4)}, 95% interval ${low.toFixed(4)} to ${high.toFixed(4)} (months resampled ${RESAMPLES} times, because the questions of one month are correlated)`,
  );
}

/** Bootstrap interval of the score difference, resampling whole months with a fixed seed. */
function interval(all: readonly TrackedQuestion[]): { readonly low: number; readonly high: number } {
  const byMonth = new Map<number, { sum: number; count: number }>();
  for (const { at, news, market, happened } of all) {
    const came = happened ? 1 : 0;
    const month = byMonth.get(at) ?? { sum: 0, count: 0 };
    month.sum += (news - came) ** 2 - (market - came) ** 2;
    month.count++;
    byMonth.set(at, month);
  }
  const months = [...byMonth.values()];
  let state = 1;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const means = Array.from({ length: RESAMPLES }, () => {
    let [sum, count] = [0, 0];
    for (let i = 0; i < months.length; i++) {
      const one = months[Math.floor(next() * months.length)]!;
      sum += one.sum;
      count += one.count;
    }
    return sum / count;
  }).sort((a, b) => a - b);
  return { low: means[Math.floor(0.025 * RESAMPLES)]!, high: means[Math.floor(0.975 * RESAMPLES)]! };
}
