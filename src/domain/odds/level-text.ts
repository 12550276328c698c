import { z } from "zod";
import { readLevel } from "../../lib/level-text.ts";
import { ofKind } from "../recognisers/field-kinds.ts";

/**
 * A price, or a distance from the last close, as text: `190`, `+5%`, `-3.5%`, `2 ATR`. Normalises other spellings, such
 * as `5 percent` and `-1.5x atr(14)`.
 */
export const LevelText = ofKind(
  z
    .string()
    .overwrite((text) => readLevel(text) ?? text.trim())
    .max(24)
    .regex(
      /^(\$?\d+(\.\d+)?|[+-]?\d+(\.\d+)?(\s?%| ATR))$/,
      "must be a price such as 190.5, or a distance such as -3% or 2 ATR",
    ),
  "level",
).describe("190.5 or -3%");
