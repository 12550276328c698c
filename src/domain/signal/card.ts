import { z } from "zod";
import { Caveats, Iso, StaleNotes } from "../answers.ts";
import { Price, Ratio, Score } from "../figures.ts";
import { AssetClass, PriceSource } from "../market/market.ts";
import { SignalOdds } from "../odds/odds.ts";
import { ConflictFields } from "./conflicts.ts";
import { Conviction, Direction, Grade, Tier, TradeLevels } from "./signal.ts";
import { ElliottBlock, WyckoffBlock } from "./structure.ts";

export const Card = z.object({
  direction: Direction,
  reason: z.string().nullable().describe("Why the direction is WAIT"),
  confidence: Ratio.describe("Odds that the target comes before the stop, 0-1"),
  confidence_basis: z.enum(["odds", "uncalibrated"]).describe("uncalibrated: without odds, 1 / (1 + rr)"),
  agreement: Ratio.describe("Agreement of the drivers, 0-0.5; not a probability"),
  tier: Tier,
  score: Score.nullable().describe("0-100"),
  grade: Grade.nullable(),
  ics: Conviction.extend({ score: Score.nullable() }).omit({ currentScore: true }),
  wyckoff: WyckoffBlock,
  elliottWave: ElliottBlock,
  ...TradeLevels,
  odds: SignalOdds.nullable().describe("Odds of these levels"),
  odds_reason: z.string().nullable().describe("Why there are no odds"),
  ...ConflictFields,
  price: Price.nullable(),
  price_source: PriceSource.nullable(),
  price_as_of: Iso.nullable().describe("When that price traded"),
  price_reason: z.string().nullable().describe("Why there is no price"),
  asset_class: AssetClass,
  venue: z.string(),
  source: z.string().describe("`sample` is simulated"),
  as_of: Iso.describe("When the decision bar closed"),
  notes: Caveats,
  stale_notes: StaleNotes,
});
export type Card = z.infer<typeof Card>;

/** The card of clients that read its fields beside `symbol` instead of in `data`, with the Elliott block named `wave`. */
export const FlatCard = Card.pick({
  direction: true,
  confidence: true,
  tier: true,
  ics: true,
  wyckoff: true,
  entry: true,
  stop: true,
  target: true,
  rr: true,
}).extend({ wave: ElliottBlock });
export const flatCardOf = ({ elliottWave: wave, ...card }: Card): z.infer<typeof FlatCard> =>
  FlatCard.parse({ ...card, wave });

/** The public signal card of one symbol. */
export const DemoCard = z.object({
  symbol: z.string(),
  data: Card,
  refreshed_at: Iso.describe("When the card was made, at most 60 seconds ago"),
});
export type DemoCard = z.infer<typeof DemoCard>;
