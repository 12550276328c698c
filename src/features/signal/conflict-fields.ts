import { planError } from "../../analytics/odds/past-coverage.ts";
import { conflictsOf } from "../../analytics/score/conflicts.ts";
import type { EventRisk } from "../../domain/earnings/calendar.ts";
import type { EngineRow } from "../../domain/nightly/engine.ts";
import type { ConflictFields } from "../../domain/signal/conflicts.ts";
import type { ElliottBlock } from "../../domain/signal/structure.ts";
import { sideOfLevels } from "../../lib/levels-side.ts";
import { isStale } from "../../market/calendar/stale-bars.ts";
import { agedBars } from "./notes.ts";
import type { Picture } from "./picture.ts";

/**
 * Returns the conflicts of a picture at a price. Default price: the close of the decision bar. Without event risk,
 * earnings are not compared.
 */
export function conflictFields(
  picture: Pick<
    Picture,
    | "consensus"
    | "structure"
    | "stage"
    | "odds"
    | "kind"
    | "decidedAt"
    | "requestedAt"
    | "timeframe"
    | "resolution"
  >,
  { price = null, risk = null }: { readonly price?: number | null; readonly risk?: EventRisk | null } = {},
): ConflictFields {
  const { consensus, structure, stage, resolution, timeframe } = picture;
  const { direction, levels, close } = consensus;
  return conflictsOf({
    direction,
    side: levels.side,
    entry: levels.entry,
    stop: levels.stop,
    target: levels.targets[0]!,
    price: price ?? close,
    stale: isStale(agedBars(picture)),
    phase: structure.wyckoff.phase,
    wave: waveOf(structure.elliott),
    stage,
    earnings: risk?.earnings?.within_horizon === true ? risk.earnings : null,
    odds: picture.odds.odds,
    oddsError: planError(
      { assetClass: resolution.instrument.asset_class, kind: picture.kind },
      levels.side,
      timeframe,
    ),
  });
}

/** Returns the conflicts of a row of a nightly run at its close; the run reads no earnings dates. */
export function rowConflicts(row: EngineRow, stale: boolean): ConflictFields {
  const side = sideOfLevels(row.stop, row.targets[0]!);
  // the entry of a row is the worse edge of its zone, whose middle is the close
  const other = 2 * row.close - row.entry;
  return conflictsOf({
    direction: row.direction,
    side,
    entry: { low: Math.min(row.entry, other), high: Math.max(row.entry, other) },
    stop: row.stop,
    target: row.targets[0]!,
    price: row.close,
    stale,
    phase: row.wyckoff.phase,
    wave: waveOf(row.elliott),
    stage: row.stage,
    earnings: null,
    odds: row.odds,
    // rows store no kind; the few funds like cash and leveraged ones are judged as funds
    oddsError: planError({ assetClass: row.asset_class, kind: "fund" }, side, "1d"),
  });
}

const waveOf = ({ available, label, target }: ElliottBlock) =>
  available && label !== null && target !== null ? { label, target } : null;
