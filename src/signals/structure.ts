import type { Bars } from "../domain/bars.ts";
import type { ElliottBlock, WyckoffBlock } from "../domain/structure.ts";

/** What market structure the bars show, as of the last of them. */
export interface Structure {
  readonly wyckoff: WyckoffBlock;
  readonly elliott: ElliottBlock;
}

/** The structure at the last bar; Undetermined and unavailable, since structure is not read yet. */
export const structureOf = (_bars: Bars): Structure => ({
  wyckoff: {
    phase: "Undetermined",
    sub_phase: null,
    narrative: "No Wyckoff phase is determined: structure is not read in this version.",
    range: null,
    events: [],
  },
  elliott: {
    available: false,
    label: null,
    pattern: null,
    direction: null,
    target: null,
    targets: [],
    invalidation: null,
    score: null,
    rivals: 0,
    path: [],
    violated: [],
    reason: "Waves are not counted in this version.",
  },
});
