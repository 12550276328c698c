import { oddsBarsOf } from "../../analytics/score/consensus.ts";
import { TIME_EXIT } from "../../analytics/track/outcome.ts";
import type { PlanOdds } from "../../domain/odds/odds.ts";
import type { OddsExplanation } from "../../domain/odds/odds-changes.ts";
import type { Ports } from "../../domain/ports.ts";
import { oddsChangesTask } from "./odds-changes-task.ts";
import type { Picture } from "./picture.ts";

/** Odds of a signal's levels with what would change them; the reason is null if there are odds. */
type OddsExplanationOutcome =
  | { readonly odds: OddsExplanation; readonly odds_reason: null }
  | { readonly odds: null; readonly odds_reason: string };

/** Returns the odds of the levels of a picture and how they change, or why there are none. `full`: also changes the assumptions. */
export async function explainOdds(
  { odds: { odds, odds_reason }, consensus: { levels }, input, resolution }: Picture,
  { full, signal }: { readonly full: boolean; readonly signal: AbortSignal },
  { compute }: Pick<Ports, "compute">,
): Promise<OddsExplanationOutcome> {
  if (odds === null) return { odds: null, odds_reason };
  const plan = { side: levels.side, stop: levels.stop, target: levels.targets[0]!, bars: TIME_EXIT };
  const { symbol } = resolution.instrument;
  const changes = await compute.run(
    oddsChangesTask,
    {
      bars: oddsBarsOf(input),
      symbol,
      assetClass: input.assetClass,
      plan,
      atr: levels.atr14,
      assumptions: full,
    },
    { signal },
  );
  const { range_90: _, ...current } = odds;
  return { odds: { ...(full ? current : conciseOdds(current)), ...changes }, odds_reason: null };
}

/** Returns odds without results in R and the size of their base, which the signal itself has. */
function conciseOdds({ expected_r: _, base, ...odds }: PlanOdds): PlanOdds {
  if (base === null) return { ...odds, base };
  const { stop_first, target_first, neither, windows } = base;
  return { ...odds, base: { stop_first, target_first, neither, windows } };
}
