import type { AssetClass } from "../../domain/market/market.ts";

export type Tone = "positive" | "neutral" | "negative";

/** Returns the draw of one headline at a place, in [0, 1). */
export type Draws = (place: number) => number;

const TOPICS = {
  equity: [
    "product demand",
    "operating margins",
    "new bookings",
    "subscription renewals",
    "service revenue",
    "export sales",
    "order intake",
    "store traffic",
    "customer retention",
    "pricing power",
  ],
  etf: ["its largest holdings", "growth shares", "value shares", "defensive shares", "rate-sensitive shares"],
  crypto: ["network activity", "trading volume", "wallet growth", "developer activity", "fee revenue"],
} as const satisfies Record<AssetClass, readonly string[]>;

const PLACES = [
  "packaging",
  "logistics",
  "battery",
  "payments",
  "field service",
  "storage",
  "research",
] as const;

/**
 * Templates with placeholders: {t} the listing, {p} a peer, {x} a topic, {y} a part of the business, {n} a percentage.
 */
const FRAMES = {
  equity: {
    positive: [
      "{t} raises full-year outlook on strong {x}",
      "{t} shares gain as {x} beats expectations",
      "Analysts upgrade {t}, citing robust {x}",
      "{t} wins multi-year {y} contract, shares rise",
      "{t} quarterly profit rises {n}% on higher {x}",
      "{t} rallies after record {x}",
      "{t} boosts dividend as {x} improves",
      "{t} gains ground on {p} with better {x}",
    ],
    neutral: [
      "{t} to present at an investor conference",
      "{t} names new head of its {y} unit",
      "What to know about {t} and {x}",
      "{t} holds annual meeting of shareholders",
      "{t} files routine report on its {y} unit",
      "{t} board to meet on {y} plans",
    ],
    negative: [
      "{t} cuts full-year outlook on weak {x}",
      "{t} shares fall as {x} misses expectations",
      "Analysts downgrade {t}, citing slowing {x}",
      "{t} loses {y} contract, shares drop",
      "{t} quarterly profit falls {n}% on lower {x}",
      "{t} slumps after warning on {x}",
      "Regulators investigate {t} over its {y} unit",
      "{t} loses ground to {p} with weaker {x}",
    ],
  },
  etf: {
    positive: [
      "{t} gains as {x} rally",
      "{t} rises on strength in {x}",
      "{t} climbs as {x} recover",
      "{t} sees higher inflows as {x} rise",
    ],
    neutral: [
      "{t} publishes weights of {x}",
      "What to know about {t} and {x}",
      "{t} rebalances {x} on schedule",
    ],
    negative: [
      "{t} falls as {x} slump",
      "{t} drops on weakness in {x}",
      "{t} slips as {x} retreat",
      "{t} declines, outflows grow as {x} fall",
    ],
  },
  crypto: {
    positive: [
      "{t} gains as {x} jumps",
      "{t} rallies on record {x}",
      "{t} climbs, traders cite strong {x}",
      "{t} rises as {x} recovers",
    ],
    neutral: [
      "{t} developers to meet on {x}",
      "What to know about {t} and {x}",
      "{t} report on {x} due this week",
    ],
    negative: [
      "{t} falls as {x} weakens",
      "{t} slumps on lower {x}",
      "{t} slides, traders cite poor {x}",
      "{t} drops as {x} declines",
    ],
  },
} as const satisfies Record<AssetClass, Record<Tone, readonly string[]>>;

const pick = <T>(of: readonly T[], at: number): T => of[Math.floor(at * of.length)]!;

/**
 * Returns a headline with the given tone, chosen by draws 0 to 3. Templates that name a peer are used only if there is
 * a peer.
 */
export function headlineOf(
  about: { readonly ticker: string; readonly peer: string | null; readonly assetClass: AssetClass },
  tone: Tone,
  draws: Draws,
): string {
  const { ticker, peer, assetClass } = about;
  const frames: readonly string[] = FRAMES[assetClass][tone];
  return pick(peer === null ? frames.filter((frame) => !frame.includes("{p}")) : frames, draws(0))
    .replace("{t}", `$${ticker}`)
    .replace("{p}", `$${peer}`)
    .replace("{x}", pick(TOPICS[assetClass], draws(1)))
    .replace("{y}", pick(PLACES, draws(2)))
    .replace("{n}", String(2 + Math.floor(10 * draws(3))));
}

/** Returns the headline in the words of another news wire. */
export const rephraseHeadline = (title: string, draws: Draws): string =>
  pick([`${title}, report says`, `Update: ${title}`, title], draws(0));
