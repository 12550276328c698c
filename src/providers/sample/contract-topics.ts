import type { Contract } from "../../domain/prediction-markets/contracts.ts";
import { bell, draw, keyOf } from "./draws.ts";
import { DAY_MS, EPOCH, isoDate } from "./time.ts";
import { normalCdf, type SimulatedQuestion, VENUES, venueContract } from "./venue-contracts.ts";

/** Days between rate decisions, and days for which a decision is traded before it is made. */
const MEETING_DAYS = 42;
const TRADED_DAYS = 126;
const DAILY_SPREAD = 0.08;
const RATE_DECISIONS = [
  ["Cut", "cut its rate"],
  ["Hike", "raise its rate"],
  ["Hold", "leave its rate unchanged"],
] as const;

interface Topic {
  readonly name: string;
  readonly title: string;
  readonly keywords: readonly string[];
  readonly opens: number;
  readonly closes: number;
  /** Each answer takes a share of the probability left by those before it; the last takes the rest. */
  readonly answers: readonly { readonly outcome: string; readonly question: string }[];
  readonly turnover: number;
}

/** Contracts on the economy that are open at `now` (epoch ms): rate decisions, inflation, recession. */
export const topicsAt = (id: string, now: number): readonly Contract[] =>
  [...meetings(now), ...years(now)].flatMap((topic) =>
    contractsOf(topic, keyOf(id, "topic", topic.name), now),
  );

function contractsOf(topic: Topic, key: number, now: number): readonly Contract[] {
  let left = 1;
  return topic.answers.flatMap(({ outcome, question }, i) => {
    const own = keyOf(key, i);
    const last = i > 0 && i === topic.answers.length - 1;
    const fair = last ? left : left * viewOf(own, topic.opens, now);
    left -= fair;
    const simulated: SimulatedQuestion = {
      key: own,
      name: `${topic.name}-${i}`,
      event: topic.name,
      title: topic.title,
      question,
      outcome,
      strike: null,
      keywords: topic.keywords,
      opens: topic.opens,
      closes: topic.closes,
      turnover: topic.turnover,
    };
    return VENUES.map(({ name }) => venueContract(simulated, name, fair, now));
  });
}

/** Returns a probability that follows a random walk from the day trading began. */
function viewOf(key: number, opens: number, now: number): number {
  let z = 1.2 * bell(draw(key, 0));
  const days = Math.floor((now - opens) / DAY_MS);
  for (let day = 1; day <= days; day++) z += DAILY_SPREAD * bell(draw(key, day));
  return Math.min(0.97, Math.max(0.03, normalCdf(z)));
}

function meetings(now: number): readonly Topic[] {
  const next = Math.floor((now - EPOCH) / (MEETING_DAYS * DAY_MS)) + 1;
  return [next, next + 1, next + 2].map((count) => {
    const closes = EPOCH + count * MEETING_DAYS * DAY_MS;
    const date = isoDate(closes - 1);
    const opens = closes - TRADED_DAYS * DAY_MS;
    return {
      name: `fed-${date}`,
      title: `Fed rate decision of ${date}`,
      keywords: ["Economics", "Fed", "Interest rates"],
      opens,
      closes,
      answers: RATE_DECISIONS.map(([outcome, decision]) => ({
        outcome,
        question: `Will the Fed ${decision} at the ${date} meeting?`,
      })),
      turnover: 2e6,
    };
  });
}

function years(now: number): readonly Topic[] {
  const year = new Date(now).getUTCFullYear();
  const yes = (question: string) => [{ outcome: "Yes", question }];
  const whole = { opens: Date.UTC(year, 0, 1), closes: Date.UTC(year + 1, 0, 1), keywords: ["Economics"] };
  return [
    {
      ...whole,
      name: `recession-${year}`,
      title: `US recession in ${year}?`,
      answers: yes(`Will the US enter a recession in ${year}?`),
      turnover: 8e5,
    },
    {
      ...whole,
      name: `inflation-${year}`,
      title: `US inflation in ${year}?`,
      answers: yes(`Will US inflation for ${year} come in above 3%?`),
      turnover: 3e4,
    },
  ];
}
