import { worseEdge } from "../../analytics/levels/side.ts";
import type { Card } from "../../domain/signal/card.ts";
import type { Confidence } from "./evidence.ts";
import type { PricedPicture } from "./price.ts";
import { convictionOf } from "./signal-block.ts";

/** Returns a picture as a flat card. */
export function cardOf(
  { consensus, structure, price, resolution, series, decidedAt }: PricedPicture,
  { confidence }: Pick<Confidence, "confidence">,
): Card {
  const { levels, ics } = consensus;
  return {
    direction: consensus.direction,
    reason: consensus.reason,
    confidence,
    tier: consensus.tier,
    score: consensus.score,
    grade: consensus.grade,
    ics: { score: ics.score, ...convictionOf(ics) },
    wyckoff: structure.wyckoff,
    elliottWave: structure.elliott,
    entry: worseEdge(levels),
    stop: levels.stop,
    target: levels.targets[0]!,
    rr: levels.reward_to_risk,
    levels_basis: consensus.levels_basis,
    price: price.value,
    price_source: price.source,
    price_as_of: price.as_of,
    price_reason: price.reason,
    asset_class: resolution.instrument.asset_class,
    venue: series.venue,
    source: series.source,
    as_of: decidedAt,
  };
}
