import { z } from "zod";
import { plainText } from "../../lib/plain-text.ts";
import { Iso, MarketMode, outsideTextNotice, Succeeded } from "../answers.ts";
import { Price } from "../figures.ts";
import { SplitRow } from "../market/actions-answer.ts";
import { outsideText } from "../outside-text.ts";

/** Maximum numbers: levels per symbol, symbols with levels per account, characters of a label and of a note. */
export const DRAWN_LIMITS = { levels: 50, symbols: 1_000, label: 60, note: 2_000 } as const;

export const DrawnLevel = z.object({
  price: Price.describe("USD, adjusted for the splits of price_basis"),
  label: z.string().nullable(),
  created_at: Iso,
});
export type DrawnLevel = z.infer<typeof DrawnLevel>;

/** Share count in which the prices of an answer are. */
export const PriceBasis = z.object({
  as_of: z.iso.date().nullable().describe("Day whose share count the prices have; null without levels"),
  splits: z
    .array(SplitRow)
    .nullable()
    .describe(
      "Splits since they were saved, by which prices were adjusted; null: unknown, prices are as saved",
    ),
  reason: z.string().nullable().describe("Why splits are unknown"),
});
export type PriceBasis = z.infer<typeof PriceBasis>;

/** Answer of the tools of drawn levels. */
export const DrawnLevelsAnswer = {
  ...Succeeded,
  outside_text: outsideTextNotice(outsideText("label and note")),
  symbol: z.string(),
  levels: z
    .array(DrawnLevel)
    .describe(
      "For an alert at one: create_subscription with symbols, on: price, and its price as above or below",
    ),
  levels_saved_at: Iso.nullable(),
  price_basis: PriceBasis,
  note: z.string().nullable(),
  note_saved_at: Iso.nullable(),
  market: MarketMode,
};

/** Returns text of a caller without control characters, line by line; null if nothing readable is left. */
export function readableText(text: string, limit: number): string | null {
  const lines = text.split(/\r\n|\n|\r/).map((line) => plainText(line, limit));
  return lines.join("\n").trim() || null;
}
