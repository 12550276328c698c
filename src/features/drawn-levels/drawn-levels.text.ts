import type { DrawnLevel, PriceBasis } from "../../domain/drawn-levels/drawn-levels.ts";
import { QUOTED_TEXT_NOTICE, quoted } from "../../domain/outside-text.ts";
import type { Paint } from "../../domain/terminal.ts";
import { formatPrice } from "../../lib/format-price.ts";

const MAX_TEXT = 2_000;

/** Formats the levels and the note of a symbol for a terminal. */
export function formatDrawnLevels(
  {
    symbol,
    levels,
    price_basis,
    note,
  }: {
    readonly symbol: string;
    readonly levels: readonly DrawnLevel[];
    readonly price_basis: PriceBasis;
    readonly note: string | null;
  },
  paint: Paint,
): string {
  const texts = levels.flatMap(({ label }) => label ?? []);
  const head = levels.length === 0 ? "no levels" : `${levels.length} levels`;
  const basis = basisText(price_basis);
  return [
    `${paint("bold", symbol)} ${head}`,
    ...(texts.length === 0 && note === null ? [] : [paint("dim", QUOTED_TEXT_NOTICE)]),
    ...levels.map(
      ({ price, label, created_at }) =>
        `  ${formatPrice(price)}  ${created_at.slice(0, 10)}${label === null ? "" : `  ${quoted(label, MAX_TEXT)}`}`,
    ),
    ...(basis === null ? [] : [paint("dim", basis)]),
    ...(note === null ? [] : note.split("\n").map((line) => `  ${quoted(line, MAX_TEXT)}`)),
  ].join("\n");
}

/** Returns a sentence on splits since the levels were saved; null if there were none. */
function basisText({ as_of, splits, reason }: PriceBasis): string | null {
  if (splits === null) return `Prices are as saved on ${as_of}, not adjusted for later splits: ${reason}`;
  if (splits.length === 0) return null;
  return `Prices are adjusted for the splits of ${splits.map(({ date }) => date).join(", ")}`;
}
