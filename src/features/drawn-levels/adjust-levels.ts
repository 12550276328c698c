import type { PriceBasis } from "../../domain/drawn-levels/drawn-levels.ts";
import type { SavedLevels } from "../../domain/drawn-levels/drawn-levels-port.ts";
import type { Split } from "../../domain/market/corporate-actions.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { newYorkDate } from "../../lib/newyork.ts";

const DAY = 86_400_000;
/** Maximum number of daily bars that are read for their splits. */
const MAX_BARS = 3_660;

type AdjustPorts = Pick<Ports, "bars" | "clock">;

/**
 * Returns saved levels in the share count of today: divided by the splits since they were saved. Levels whose splits are
 * unknown stay as saved, with the reason.
 */
export async function adjustLevels(
  { levels, ...saved }: SavedLevels,
  instrument: Instrument,
  { signal, ...ports }: AdjustPorts & { readonly signal: AbortSignal },
): Promise<SavedLevels & { readonly price_basis: PriceBasis }> {
  const { levels_saved_at: at } = saved;
  if (at === null) return { ...saved, levels, price_basis: { as_of: null, splits: [], reason: null } };
  const now = ports.clock.now().getTime();
  const [savedOn, today] = [newYorkDate(Date.parse(at)), newYorkDate(now)];
  const found = await splitsSince(savedOn, { instrument, now, signal }, ports);
  if ("reason" in found)
    return { ...saved, levels, price_basis: { as_of: savedOn, splits: null, reason: found.reason } };
  const factor = found.splits.reduce((product, { ratio }) => product * ratio, 1);
  return {
    ...saved,
    levels: levels.map((level) => ({ ...level, price: level.price / factor })),
    price_basis: { as_of: today, splits: found.splits, reason: null },
  };
}

/** Returns the splits after a day until now, oldest first, or why they are unknown. */
async function splitsSince(
  day: string,
  of: { readonly instrument: Instrument; readonly now: number; readonly signal: AbortSignal },
  { bars }: AdjustPorts,
): Promise<{ readonly splits: Split[] } | { readonly reason: string }> {
  const { instrument, now, signal } = of;
  const today = newYorkDate(now);
  if (instrument.asset_class === "crypto" || day >= today) return { splits: [] };
  const limit = Math.min(MAX_BARS, Math.ceil((now - Date.parse(day)) / DAY) + 1);
  try {
    const { actions, source } = await bars.history(instrument, {
      timeframe: "1d",
      limit,
      actions: true,
      signal,
    });
    if (actions === undefined) return { reason: `${source} does not report splits` };
    return { splits: actions.splits.filter(({ date }) => date > day && date <= today) };
  } catch (cause) {
    if (!(cause instanceof ToolError) || signal.aborted) throw cause;
    return { reason: `The daily bars that carry splits are not available: ${cause.message}` };
  }
}
