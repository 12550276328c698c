import { DRAWN_LIMITS, type DrawnLevel, type PriceBasis } from "../../domain/drawn-levels/drawn-levels.ts";
import type { SavedLevels } from "../../domain/drawn-levels/drawn-levels-port.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { plainText } from "../../lib/plain-text.ts";
import { adjustLevels } from "./adjust-levels.ts";

/** Levels and note to save; an omitted part stays as it is. */
interface LevelsChange {
  readonly levels?: readonly { readonly price: number; readonly label?: string | undefined }[];
  readonly note?: string | null;
}

/** Saves levels and note of a symbol. A level of equal price and label keeps its time; equal ones are saved once. */
export async function saveLevels(
  { levels, ...change }: LevelsChange,
  {
    account,
    instrument,
    signal,
  }: { readonly account: string; readonly instrument: Instrument; readonly signal: AbortSignal },
  { drawnLevels, bars, clock }: Pick<Ports, "drawnLevels" | "bars" | "clock">,
): Promise<SavedLevels & { readonly price_basis: PriceBasis }> {
  const ports = { bars, clock, signal };
  const at = clock.now().toISOString();
  const before =
    levels === undefined || levels.length === 0 ? null : await drawnLevels.find(account, instrument.symbol);
  const known = before === null ? [] : (await adjustLevels(before, instrument, ports)).levels;
  const saved = await drawnLevels.save(account, instrument.symbol, {
    ...change,
    ...(levels !== undefined && { levels: datedLevels(levels, known, at) }),
    at,
  });
  return adjustLevels(saved, instrument, ports);
}

function datedLevels(
  levels: NonNullable<LevelsChange["levels"]>,
  known: readonly DrawnLevel[],
  at: string,
): readonly DrawnLevel[] {
  const times = new Map(known.map((level) => [keyOf(level), level.created_at]));
  const dated = levels.map(({ price, label = "" }): DrawnLevel => {
    const level = { price, label: plainText(label, DRAWN_LIMITS.label) || null };
    return { ...level, created_at: times.get(keyOf(level)) ?? at };
  });
  return [...new Map(dated.map((level) => [keyOf(level), level])).values()];
}

/** Answers have ten significant digits of a price. */
const keyOf = ({ price, label }: Pick<DrawnLevel, "price" | "label">): string =>
  JSON.stringify([Number(price.toPrecision(10)), label]);
