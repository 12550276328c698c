import { formatPlanOdds } from "../../domain/odds/odds.text.ts";
import type { Card } from "../../domain/signal/card.ts";
import { formatRewardToRisk } from "../../domain/signal/reward-to-risk.text.ts";
import { formatVerdict } from "../../domain/signal/verdict.text.ts";
import type { Paint } from "../../domain/terminal.ts";
import { formatPrice } from "../../lib/format-price.ts";
import { sideOfLevels, watchingText } from "../../lib/levels-side.ts";
import { splitNotes } from "./notes.ts";

/** Formats a signal card as sentences: verdict, levels, price, structure and provider. */
export function formatCard(
  { symbol, data }: { readonly symbol: string; readonly data: Card },
  paint: Paint,
): string {
  const { reason, wyckoff, elliottWave, price } = data;
  const watching =
    data.levels_basis === "watch" ? ` ${watchingText(sideOfLevels(data.stop, data.target))}` : "";
  const phase = wyckoff.narrative.startsWith(wyckoff.phase) ? "" : `${wyckoff.phase}. `;
  const { first, others } = splitNotes(data);
  return [
    ...first.map((note) => paint("yellow", note)),
    formatVerdict({ symbol, ...data }, paint),
    ...(reason === null ? [] : [`  ${reason}.`]),
    `  Levels${watching}: entry ${formatPrice(data.entry)}, stop ${formatPrice(data.stop)}, first target ${formatPrice(data.target)}, reward to risk ${formatRewardToRisk(data.rr)}.`,
    `  ${data.odds === null ? `There are no odds: ${data.odds_reason}` : `Odds: ${formatPlanOdds(data.odds)}`}.`,
    price === null
      ? `  There is no price: ${data.price_reason}`
      : `  The price is ${formatPrice(price)} (${data.price_source} of ${data.price_as_of}).`,
    `  Conviction of large off-exchange prints: ${data.ics.conviction}${data.ics.reason === null ? "" : ` (${data.ics.reason})`}.`,
    `  Wyckoff: ${phase}${wyckoff.narrative}`,
    `  Elliott: ${formatWave(elliottWave)}`,
    ...data.conflicts.map(({ text }) => `  ${paint("yellow", text)}.`),
    ...others.map((note) => `  ${paint("yellow", note)}`),
    paint("dim", `  From closed bars of ${data.source} (${data.venue}) to ${data.as_of}.`),
  ].join("\n");
}

const formatWave = ({ available, label, target, invalidation, reason }: Card["elliottWave"]): string =>
  available && target !== null && invalidation !== null
    ? `${label}, target ${formatPrice(target)}, invalidated at ${formatPrice(invalidation)}.`
    : `no valid count. ${reason ?? ""}`;
