import { type CountedWaves, countsOf } from "../../../src/analytics/elliott/count.ts";
import { validateImpulse } from "../../../src/analytics/elliott/rules.ts";
import { brokenRules, type RuleId, shownTurns, type Turn, turnsOf } from "./oracle-waves.ts";
import type { Planted } from "./plant.ts";
import { impulseLevels } from "./plant-waves.ts";
import type { Random } from "./random.ts";
import type { Tally } from "./tally.ts";

export interface WaveScore {
  readonly tally: Tally;
  /** Hard rules that the detector reports broken by planted impulses that the oracle accepts. */
  readonly refused: number;
  /** Hard rules broken by reported counts. */
  readonly broken: number;
}

/** Compares complete impulses reported at any bar with the planted one; each counts once, however long it was reported. */
export function scoreImpulses({ bars, plan, sign }: Planted): WaveScore {
  const turns = turnsOf(bars);
  const shown = plan.kind === "impulse" ? shownTurns(turns, plan.turns) : null;
  const truth = shown !== null && brokenRules(pricesOf(shown)).length === 0 ? shown : null;
  const claims = wholeImpulses(countsOf(bars));
  const isRight = ({ path, direction }: CountedWaves) =>
    truth?.every(({ bar }, i) => Math.abs(path[i]!.bar - bar) <= 2) === true &&
    direction === (sign === 1 ? "up" : "down");
  const right = claims.filter(isRight).length;
  return {
    tally: {
      planted: plan.kind === "impulse" ? 1 : 0,
      truth: truth === null ? 0 : 1,
      found: right > 0 ? 1 : 0,
      claimed: claims.length,
      right,
      chance: claims.filter((claim) => !isRight(claim) && isAdmitted(turns, claim)).length,
    },
    refused: truth === null ? 0 : validateImpulse(pricesOf(truth)).violated.length,
    broken: claims.filter((claim) => brokenRules(pricesOf(claim.path)).length > 0).length,
  };
}

const pricesOf = (points: readonly { readonly price: number }[]): number[] =>
  points.map(({ price }) => price);

function wholeImpulses(counts: ReturnType<typeof countsOf>): readonly CountedWaves[] {
  const seen = new Map<string, CountedWaves>();
  for (const count of counts)
    if (count.available && count.pattern === "impulse" && count.path.length === 6)
      seen.set(count.path.map(({ bar }) => bar).join(), count);
  return [...seen.values()];
}

/** Returns whether the turns of a reported count are consecutive swings and satisfy the rules. */
function isAdmitted(turns: readonly Turn[], { path }: CountedWaves): boolean {
  const start = turns.findIndex(({ bar }) => bar === path[0]!.bar);
  return (
    path.every(({ bar }, i) => turns[start + i]?.bar === bar) && brokenRules(pricesOf(path)).length === 0
  );
}

/** An impulse, or a mutant with broken rules, as rising prices from 100. */
export interface Mutant {
  readonly prices: readonly number[];
  readonly breaks: readonly RuleId[];
}

/** A valid impulse and a mutant of each rule, from one draw. Rule 4 cannot be broken without rule 3. */
export function mutantsOf(random: Random): readonly Mutant[] {
  const { between } = random;
  const [p0, p1, p2, p3, p4, p5] = impulseLevels(random).map((level) => level + 100) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const one = p1 - p0;
  const fifth = p5 - p4;
  const two = one * between(0.2, 0.4);
  const three = one * between(0.75, 0.95);
  const low = p1 - two;
  const inside = p1 - (p1 - p2) * between(0.05, 0.9);
  const under = p1 - (p1 - p2) * between(0.05, 0.4);
  const back = (under - p2) * between(0.2, 0.8);
  return [
    { prices: [p0, p1, p2, p3, p4, p5], breaks: [] },
    { prices: [p0, p1, p0 - one * between(0.01, 0.5), p3, p4, p5], breaks: ["R1_W2_LT_100"] },
    {
      prices: [
        p0,
        p1,
        low,
        low + three,
        p1 + (three - two) / 2,
        p1 + (three - two) / 2 + one * between(1, 1.4),
      ],
      breaks: ["R2_W3_NOT_SHORTEST"],
    },
    { prices: [p0, p1, p2, p3, inside, inside + fifth], breaks: ["R3_W4_NO_OVERLAP"] },
    {
      prices: [p0, p1, p2, under, under - back, under - back + (under - p2) * between(0.3, 0.9)],
      breaks: ["R3_W4_NO_OVERLAP", "R4_W3_BEYOND_W1"],
    },
  ];
}

/** Number of mutants, upright and mirrored, whose reported rules differ from those they break. */
export const misjudged = (random: Random): number =>
  mutantsOf(random)
    .flatMap(({ prices, breaks }) =>
      [prices, prices.map((price) => 300 - price)].map((six) => ({ six, breaks })),
    )
    .filter(({ six, breaks }) => validateImpulse(six).violated.join() !== breaks.join()).length;
