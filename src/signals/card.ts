import type { Card, WyckoffBlock } from "../domain/card.ts";
import type { PricedPicture } from "./price.ts";

/** The Wyckoff block; it stays closed until structure is read. */
export const wyckoffOf = (): WyckoffBlock => ({
  phase: "Undetermined",
  narrative: "No Wyckoff phase is determined: structure is not read in this version.",
});

/** The flat card of a picture. Wave and phase stay closed until structure is detected. */
export function cardOf({ consensus, price, resolution, series, decidedAt }: PricedPicture): Card {
  const { levels, ics } = consensus;
  return {
    direction: consensus.direction,
    reason: consensus.reason,
    confidence: consensus.confidence,
    tier: consensus.tier,
    score: consensus.score,
    grade: consensus.grade,
    ics: { score: ics.score, conviction: ics.conviction, source: ics.source },
    wyckoff: wyckoffOf(),
    elliottWave: {
      available: false,
      label: null,
      target: null,
      invalidation: null,
      reason: "Waves are not counted in this version.",
    },
    entry: levels.side === "LONG" ? levels.entry.high : levels.entry.low,
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
