import { z } from "zod";
import type { ProviderBar } from "../../domain/providers/price-provider.ts";
import { sessionOf } from "../../market/calendar/calendar.ts";
import { parseIsoDate, parseNewYorkTime } from "../shared/timestamps.ts";

/** What every answer is in; what it says went wrong is a number beside the status. */
export const Envelope = z.object({
  data: z.unknown(),
  status: z.object({
    rCode: z.number(),
    bCodeMessage: z.array(z.object({ code: z.coerce.number() })).nullish(),
  }),
});

/** `$5,123.40`, without the sign for funds; `--` and `N/A` for none. */
const Amount = z
  .string()
  .nullish()
  .refine((text) => text === null || text === undefined || NONE.has(text) || AMOUNT.test(text))
  .transform((text) =>
    text === null || text === undefined || NONE.has(text) ? null : Number(text.replace(/[$,]/g, "")),
  );
const NONE: ReadonlySet<string> = new Set(["", "--", "N/A", "NA"]);
const AMOUNT = /^\$?(\d{1,3}(,\d{3}){1,4}|\d{1,15})(\.\d{1,10})?$/;
/** A price of 0 is none. */
const Price = Amount.transform((price) => (price === 0 ? null : price));

/** A trade, with how far it is from the close before; which way is a sign, or a word of its own. */
const Sale = z.object({
  lastSalePrice: Price,
  netChange: z.string().nullish(),
  deltaIndicator: z.string().nullish(),
  lastTradeTimestamp: z.string().nullish(),
  volume: Amount,
});

/** `primaryData` is the newest trade; `secondaryData` the last regular close, told before the opening and after the close. */
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
        z.object({
          date: z
            .string()
            .transform(rowDay)
            .refine((day) => day !== null),
          open: Price,
          high: Price,
          low: Price,
          close: Price,
          volume: Amount,
        }),
      )
      .nullable(),
  }),
});

export type Sale = z.infer<typeof Sale>;

/** One row as a bar. */
export const barOf = ({
  date,
  ...figures
}: NonNullable<z.infer<typeof Historical>["tradesTable"]["rows"]>[number]): ProviderBar => ({
  time: date,
  ...figures,
});

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const TIME =
  /^(?:DATA AS OF |Closed at )?([A-Z][a-z]{2}) (\d{1,2}), (\d{4})(?: (\d{1,2}):(\d\d) (AM|PM) ET)?(?: - [A-Z-]+(?: [A-Z]+)?)?$/i;

/**
 * When a sale was, epoch ms: the beginning of the minute told, and the close of the session where a date is all that is
 * told, as its price is the official close then. Null for anything else.
 */
export function timeOf({ lastTradeTimestamp }: Sale): number | null {
  const [, month = "", day = "", year, hour, minute, half] = TIME.exec(lastTradeTimestamp ?? "") ?? [];
  const date = `${year}-${padTwo(MONTHS.indexOf(month) + 1)}-${padTwo(Number(day))}`;
  if (parseIsoDate(date) === null) return null;
  if (hour === undefined) return sessionOf(date)?.close ?? null;
  const hours = (Number(hour) % 12) + (half?.toUpperCase() === "PM" ? 12 : 0);
  return Number(hour) > 12 ? null : parseNewYorkTime(`${date}T${padTwo(hours)}:${minute}:00`);
}

/** How far a sale is from the close before it; null where it is not told, or not which way. */
export function changeOf({ netChange, deltaIndicator }: Sale): number | null {
  const [, sign, size] =
    /^([+-]?)\$?(\d{1,15}(?:\.\d{1,10})?)$/.exec((netChange ?? "").replaceAll(",", "")) ?? [];
  if (size === undefined) return null;
  if (Number(size) === 0) return 0;
  const direction = sign || DIRECTION_SIGNS[deltaIndicator?.toLowerCase() ?? ""];
  return direction === undefined ? null : direction === "-" ? -Number(size) : Number(size);
}
const DIRECTION_SIGNS: Readonly<Record<string, string>> = { up: "+", down: "-" };

const padTwo = (figure: number): string => String(figure).padStart(2, "0");
