import type { Contract, LadderRow as Ladder } from "../../domain/prediction-markets/contracts.ts";
import { groupBy } from "../../lib/group-by.ts";
import { rounded } from "../../lib/rounded.ts";
import type { PriceLevel } from "./levels.ts";

type Rung = Ladder["rungs"][number];

/**
 * Returns the ladders among contracts: two or more contracts of one venue, event and kind, in input order.
 * `touch_ladder`: levels that may be reached by a day; `price_ladder`: thresholds for the price on that day;
 * `price_ranges`: ranges for it; `answers`: several answers or dates of a question that is not about a price. `by` is
 * null if the rungs have different days or none is known.
 */
export function laddersOf(
  contracts: readonly Contract[],
  levelOf: (contract: Contract) => PriceLevel | null,
): Ladder[] {
  const levelled = contracts.map((contract) => ({ contract, level: levelOf(contract) }));
  const groups = groupBy(levelled, ({ contract: { venue, event }, level }) =>
    JSON.stringify([venue, event, kindOf(level)]),
  );
  return [...groups.values()].filter((group) => group.length > 1).map(ladder);
}

function kindOf(level: PriceLevel | null): Ladder["kind"] {
  if (level === null) return "answers";
  if (level.kind === "touch") return "touch_ladder";
  return level.side === "between" ? "price_ranges" : "price_ladder";
}

function ladder(
  group: readonly { readonly contract: Contract; readonly level: PriceLevel | null }[],
): Ladder {
  const [{ contract: first, level }] = group as [(typeof group)[number]];
  const kind = kindOf(level);
  const rungs = group
    .map(
      ({ contract: { id, outcome, probability }, level: on }): Rung => ({
        id,
        side: on?.side ?? null,
        level: on?.level ?? null,
        upper: on?.upper ?? null,
        outcome,
        probability,
      }),
    )
    .sort((a, b) => (a.level ?? 0) - (b.level ?? 0));
  const days = new Set(group.map(({ level: on }) => on?.by ?? null));
  const [by] = days;
  const above = falling(rungs, "above");
  const below = falling(rungs, "below").toReversed();
  return {
    venue: first.venue,
    title: first.event_title,
    kind,
    by: days.size === 1 && by != null ? new Date(by).toISOString() : null,
    rungs_total: rungs.length,
    rungs,
    median: kind === "price_ladder" ? medianOf(above) : null,
    out_of_order: kind === "answers" || kind === "price_ranges" ? 0 : rises(above) + rises(below),
  };
}

interface Step {
  readonly level: number;
  readonly probability: number;
}

const falling = (rungs: readonly Rung[], side: "above" | "below"): readonly Step[] =>
  rungs.flatMap(({ side: of, level, probability }) =>
    of === side && level !== null && probability !== null ? [{ level, probability }] : [],
  );

/** Returns the number of steps that rise although they should fall. */
const rises = (steps: readonly Step[]): number =>
  steps.filter(({ probability }, i) => i > 0 && probability > steps[i - 1]!.probability).length;

/** Returns the level at which the interpolated probability is one half; null if it is never crossed. */
function medianOf(steps: readonly Step[]): number | null {
  for (let i = 1; i < steps.length; i++) {
    const [a, b] = [steps[i - 1]!, steps[i]!];
    if (a.probability >= 0.5 && b.probability <= 0.5 && a.probability > b.probability)
      return rounded(
        a.level + ((a.probability - 0.5) / (a.probability - b.probability)) * (b.level - a.level),
        6,
      );
  }
  return null;
}
