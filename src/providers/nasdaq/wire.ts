import { z } from "zod";
import type { ProviderBar } from "../../domain/providers/price-provider.ts";
import { sessionOf } from "../../market/calendar/calendar.ts";
import { parseIsoDate, parseNewYorkTime } from "../shared/timestamps.ts";
import { padTwo, parseNamedDate } from "./fields.ts";

const MISSING: ReadonlySet<string> = new Set(["", "--", "N/A", "NA"]);
const AMOUNT = /^\$?(\d{1,3}(,\d{3}){1,4}|\d{1,15})(\.\d{1,10})?$/;
/** `$5,123.40`, for funds without the dollar sign; null for `--` and `N/A`. */
const Amount = z
  .string()
  .nullish()
  .transform((text) => (text == null || MISSING.has(text) ? null : text))
  .refine((text) => text === null || AMOUNT.test(text))
  .transform((text) => (text === null ? null : Number(text.replace(/[$,]/g, ""))));
/** A price; 0 is null. */
const Price = Amount.transform((price) => (price === 0 ? null : price));

/** A trade with its change from the previous close, whose direction is a sign or a word. */
const Sale = z.object({
  lastSalePrice: Price,
  netChange: z.string().nullish(),
  deltaIndicator: z.string().nullish(),
  lastTradeTimestamp: z.string().nullish(),
  volume: Amount,
});

/** `primaryData` is the newest trade; `secondaryData` the last regular close, outside the session. */
export const Info = z.object({
  symbol: z.string(),
  assetClass: z.enum(["STOCKS", "ETF"]).nullish(),
  primaryData: Sale,
  secondaryData: Sale.nullish(),
});

/** `11/20/2026` as 00:00 UTC of it. */
const rowDay = (text: string): number | null =>
  parseIsoDate(text.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, "$3-$1-$2"));

/** Daily rows, newest first. */
export const Historical = z.object({
  symbol: z.string(),
  tradesTable: z.object({
    rows: z
      .array(
        z
          .object({
            date: z
              .string()
              .transform(rowDay)
              .refine((day) => day !== null),
            open: Price,
            high: Price,
            low: Price,
            close: Price,
            volume: Amount,
          })
          .transform(({ date: time, ...figures }): ProviderBar => ({ time, ...figures })),
      )
      .nullable(),
  }),
});

export type Sale = z.infer<typeof Sale>;

const TIME =
  /^(?:DATA AS OF |Closed at )?([A-Z][a-z]{2} \d{1,2}, \d{4})(?: (\d{1,2}):(\d\d) (AM|PM) ET)?(?: - [A-Z-]+(?: [A-Z]+)?)?$/i;

/**
 * Time of a sale, epoch ms: the start of its minute. Without a time of day it is the close of the session, because the price
 * is the official close then. Null for anything else.
 */
export function timeOf({ lastTradeTimestamp }: Sale): number | null {
  const [, day = "", hour, minute, half] = TIME.exec(lastTradeTimestamp ?? "") ?? [];
  const date = parseNamedDate(day);
  if (date === null) return null;
  if (hour === undefined) return sessionOf(date)?.close ?? null;
  const hours = (Number(hour) % 12) + (half?.toUpperCase() === "PM" ? 12 : 0);
  return Number(hour) > 12 ? null : parseNewYorkTime(`${date}T${padTwo(hours)}:${minute}:00`);
}

/** Change from the previous close; null without a figure or a direction. */
export function changeOf({ netChange, deltaIndicator }: Sale): number | null {
  const [, sign, size] =
    /^([+-]?)\$?(\d{1,15}(?:\.\d{1,10})?)$/.exec((netChange ?? "").replaceAll(",", "")) ?? [];
  if (size === undefined) return null;
  if (Number(size) === 0) return 0;
  const direction = sign || DIRECTION_SIGNS[deltaIndicator?.toLowerCase() ?? ""];
  return direction === undefined ? null : direction === "-" ? -Number(size) : Number(size);
}
const DIRECTION_SIGNS: Readonly<Record<string, string>> = { up: "+", down: "-" };
