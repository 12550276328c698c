/** Direction of a pattern; neutral means that a move is due in an unknown direction. */
export type PatternDirection = "bullish" | "bearish" | "neutral";

const NISON = "Nison (1991), Japanese Candlestick Charting Techniques";
const BULKOWSKI = "Bulkowski (2005), Encyclopedia of Chart Patterns";
const LO = "Lo, Mamaysky & Wang (2000), Foundations of Technical Analysis";
const DONCHIAN = "Donchian (1957), Trend-Following Methods in Commodity Price Analysis";
const CRABEL = "Crabel (1990), Day Trading with Short Term Price Patterns and Opening Range Breakout";

/**
 * All patterns. A is the ATR14 of the bar before the pattern's first bar for candles, and of the bar before the
 * confirming bar for charts. "After a decline" means that the close fell by at least 1.5 A over the 10 bars before. A
 * swing is a turn of 3 A. A swing pattern ends unconfirmed if its last low (high) is broken, if another swing is
 * known, or 90 bars after its last swing.
 */
export const PATTERNS = [
  {
    id: "hammer",
    name: "Hammer",
    direction: "bullish",
    source: NISON,
    definition:
      "After a decline, a bar of at least .75 A whose small body lies at its top over a lower shadow of at least twice the body and 60% of the bar.",
  },
  {
    id: "shooting_star",
    name: "Shooting star",
    direction: "bearish",
    source: NISON,
    definition:
      "After an advance, a bar of at least .75 A whose small body lies at its bottom under an upper shadow of at least twice the body and 60% of the bar.",
  },
  {
    id: "bullish_engulfing",
    name: "Bullish engulfing",
    direction: "bullish",
    source: NISON,
    definition:
      "After a decline, a rising body of at least .6 A that covers the falling body of the bar before.",
  },
  {
    id: "bearish_engulfing",
    name: "Bearish engulfing",
    direction: "bearish",
    source: NISON,
    definition:
      "After an advance, a falling body of at least .6 A that covers the rising body of the bar before.",
  },
  {
    id: "piercing_line",
    name: "Piercing line",
    direction: "bullish",
    source: NISON,
    definition:
      "After a decline and a falling body of at least .6 A, a bar that opens under that body and closes over its middle, but not over its open.",
  },
  {
    id: "dark_cloud_cover",
    name: "Dark cloud cover",
    direction: "bearish",
    source: NISON,
    definition:
      "After an advance and a rising body of at least .6 A, a bar that opens over that body and closes under its middle, but not under its open.",
  },
  {
    id: "morning_star",
    name: "Morning star",
    direction: "bullish",
    source: NISON,
    definition:
      "After a decline, a falling body of at least .6 A, a body of at most .3 A no higher than its close, and a rising body that closes over the first one's middle.",
  },
  {
    id: "evening_star",
    name: "Evening star",
    direction: "bearish",
    source: NISON,
    definition:
      "After an advance, a rising body of at least .6 A, a body of at most .3 A no lower than its close, and a falling body that closes under the first one's middle.",
  },
  {
    id: "three_white_soldiers",
    name: "Three white soldiers",
    direction: "bullish",
    source: NISON,
    definition:
      "Not after an advance, three rising bodies of at least .5 A, each opening within the one before and closing above it in the top quarter of its bar.",
  },
  {
    id: "three_black_crows",
    name: "Three black crows",
    direction: "bearish",
    source: NISON,
    definition:
      "Not after a decline, three falling bodies of at least .5 A, each opening within the one before and closing below it in the bottom quarter of its bar.",
  },
  {
    id: "narrow_inside_bar",
    name: "Narrow inside bar",
    direction: "neutral",
    source: CRABEL,
    definition: "A bar inside the one before, with the narrowest range of 4.",
  },
  {
    id: "channel_breakout",
    name: "20-bar breakout",
    direction: "bullish",
    source: DONCHIAN,
    definition: "A close above the high of the 20 bars before it, the first such close in 20 bars.",
  },
  {
    id: "channel_breakdown",
    name: "20-bar breakdown",
    direction: "bearish",
    source: DONCHIAN,
    definition: "A close below the low of the 20 bars before it, the first such close in 20 bars.",
  },
  {
    id: "bull_flag",
    name: "Bull flag",
    direction: "bullish",
    source: BULKOWSKI,
    definition:
      "A rise of at least 5 A within 10 bars, 5 to 15 bars that retrace at most half of it, and a close above its top.",
  },
  {
    id: "bear_flag",
    name: "Bear flag",
    direction: "bearish",
    source: BULKOWSKI,
    definition:
      "A fall of at least 5 A within 10 bars, 5 to 15 bars that retrace at most half of it, and a close below its bottom.",
  },
  {
    id: "double_bottom",
    name: "Double bottom",
    direction: "bullish",
    source: BULKOWSKI,
    definition:
      "Two swing lows within .75 A of each other, 10 to 90 bars apart, and a close above the swing high between them, without an earlier close under both lows.",
  },
  {
    id: "double_top",
    name: "Double top",
    direction: "bearish",
    source: BULKOWSKI,
    definition:
      "Two swing highs within .75 A of each other, 10 to 90 bars apart, and a close below the swing low between them, without an earlier close over both highs.",
  },
  {
    id: "inverse_head_and_shoulders",
    name: "Inverse head and shoulders",
    direction: "bullish",
    source: LO,
    definition:
      "Three swing lows, the middle one lowest by at least 1 A and the outer two within 1.5 A of each other, and a close above the line through the two swing highs between them, also within 1.5 A.",
  },
  {
    id: "head_and_shoulders",
    name: "Head and shoulders",
    direction: "bearish",
    source: LO,
    definition:
      "Three swing highs, the middle one highest by at least 1 A and the outer two within 1.5 A of each other, and a close below the line through the two swing lows between them, also within 1.5 A.",
  },
  {
    id: "ascending_triangle",
    name: "Ascending triangle",
    direction: "bullish",
    source: BULKOWSKI,
    definition:
      "Two swing highs within .75 A, each followed by a swing low, the second at least 1 A above the first, and a close above both highs.",
  },
  {
    id: "descending_triangle",
    name: "Descending triangle",
    direction: "bearish",
    source: BULKOWSKI,
    definition:
      "Two swing lows within .75 A, each followed by a swing high, the second at least 1 A under the first, and a close below both lows.",
  },
] as const satisfies readonly PatternRow[];

interface PatternRow {
  readonly id: string;
  readonly name: string;
  readonly direction: PatternDirection;
  readonly definition: string;
  readonly source: string;
}
export type PatternId = (typeof PATTERNS)[number]["id"];
export type PatternDefinition = PatternRow & { readonly id: PatternId };

export const definitionOf = (id: PatternId): PatternDefinition => PATTERNS.find((row) => row.id === id)!;
