import type { DriverValue } from "../../analytics/drivers/driver-value.ts";
import { driverTitle } from "../../analytics/drivers/table.ts";
import { contributionOf } from "../../analytics/explain/contributions.ts";
import { targetsInR } from "../../analytics/levels/reward-to-risk.ts";
import { worseEdge } from "../../analytics/levels/side.ts";
import { type Consensus, MODEL_VERSION } from "../../analytics/score/consensus.ts";
import type { EventRisk } from "../../domain/earnings/calendar.ts";
import type { Card } from "../../domain/signal/card.ts";
import type { DriverRow, PlanLevels, Signal } from "../../domain/signal/signal.ts";
import { barNotes } from "./bar-notes.ts";
import { confidenceInterval, confidenceOf } from "./confidence.ts";
import { conflictFields } from "./conflict-fields.ts";
import { agedBars, servedTier, staleBarNotes, withStaleNotes } from "./notes.ts";
import type { Picture } from "./picture.ts";
import type { PricedPicture } from "./price.ts";
import { sentenceOf } from "./sentences.ts";

/** Returns the signal block of a picture with the fields of the API document. */
export function signalBlock(picture: Picture, evidence: Signal["evidence"]): Signal {
  const { resolution, timeframe, consensus, odds } = picture;
  const { levels, ics } = consensus;
  const confidence = confidenceOf(picture);
  const { direction } = consensus;
  return {
    symbol: resolution.instrument.symbol,
    timeframe,
    direction,
    score: consensus.score,
    grade: consensus.grade,
    tier: servedTier(picture),
    reason: consensus.reason,
    ...confidence,
    confidence_interval: confidenceInterval(confidence, {
      side: levels.side,
      assetClass: resolution.instrument.asset_class,
      kind: picture.kind,
      timeframe,
    }),
    ...odds,
    evidence,
    entry_zone: { ...levels.entry },
    stop_loss: levels.stop,
    targets: [...levels.targets],
    reward_to_risk: levels.reward_to_risk,
    break_even_win_rate: levels.break_even_win_rate,
    levels_basis: consensus.levels_basis,
    target_basis: levels.target_basis,
    component_scores: { ...consensus.component_scores },
    ics: { currentScore: ics.score, ...convictionOf(ics) },
    ics_score: ics.score,
    coverage: consensus.coverage,
    model_version: MODEL_VERSION,
  };
}

export function cardOf(picture: PricedPicture, risk: EventRisk | null = null): Card {
  const { consensus, structure, price, resolution, series, decidedAt } = picture;
  const { levels, ics } = consensus;
  return {
    direction: consensus.direction,
    reason: consensus.reason,
    ...confidenceFieldsOf(picture),
    tier: servedTier(picture),
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
    ...picture.odds,
    ...conflictFields(picture, { price: price.value, risk }),
    price: price.value,
    price_source: price.source,
    price_as_of: price.as_of,
    price_reason: price.reason,
    asset_class: resolution.instrument.asset_class,
    venue: series.venue,
    source: series.source,
    as_of: decidedAt,
    ...withStaleNotes(staleBarNotes(agedBars(picture)), barNotes(series)),
  };
}

function confidenceFieldsOf(picture: Picture): Pick<Card, "confidence" | "confidence_basis" | "agreement"> {
  const { confidence, confidence_basis, agreement } = confidenceOf(picture);
  return { confidence, confidence_basis, agreement };
}

/** Returns the levels of a signal for answers that show them next to bars. */
export const planLevels = ({
  levels,
  levels_basis,
}: Pick<Picture["consensus"], "levels" | "levels_basis">): PlanLevels => ({
  side: levels.side,
  basis: levels_basis,
  entry_zone: { ...levels.entry },
  stop_loss: levels.stop,
  targets: [...levels.targets],
  reward_to_risk: levels.reward_to_risk,
  target_r: targetsInR(levels),
});

/** Returns the conviction fields without the score, whose field name differs between answers. */
export const convictionOf = ({
  conviction,
  source,
  reason,
  volume_proxy,
  tests,
  hold_rate,
  control_rate,
}: Consensus["ics"]) => ({
  conviction,
  source,
  reason,
  volume_proxy,
  tests,
  hold_rate,
  control_rate,
});

/** Returns all 29 driver values without their inputs. */
export const driverRows = ({ consensus }: Picture): DriverRow[] =>
  consensus.drivers.map(({ id, group, value, reason }) => ({
    id,
    title: driverTitle(id),
    group,
    value,
    reason,
  }));

/** Returns sentences on the drivers with the largest contributions, at most three per side, leading side first. */
export function reasonsFor({ consensus }: Picture): string[] {
  const contributions = consensus.drivers
    .flatMap((driver) => {
      const { contribution } = contributionOf(driver, consensus.groups);
      return contribution === null ? [] : [{ driver, contribution }];
    })
    .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution));
  const side = (sign: number) =>
    contributions.filter(({ contribution }) => contribution * sign > 0).slice(0, 3);
  const leading = (consensus.s ?? 0) < 0 ? -1 : 1;
  return [...side(leading), ...side(-leading)].map(({ driver }) => sentence(driver));
}

const sentence = (driver: DriverValue): string =>
  `${driver.value! > 0 ? "+" : "-"} ${sentenceOf(driver)} (${driver.value! > 0 ? "bullish" : "bearish"} ${Math.abs(driver.value!).toFixed(2)} of 1)`;
