import { z } from "zod";
import { Figure } from "../answers.ts";

/** Kinds of events of stocks and funds other than earnings. */
export const EVENT_KINDS = ["dividends", "splits", "ipos", "halts"] as const;
export type EventKind = (typeof EVENT_KINDS)[number];
/** Names of the kinds in sentences. */
export const EVENT_NAMES = {
  dividends: "ex-dividend dates",
  splits: "splits",
  ipos: "IPOs",
  halts: "trading halts",
} as const satisfies Record<EventKind, string>;

/**
 * An event of a date in New York. `amount`: USD per share of a dividend, new shares per old share of a split. `at` and
 * `until`: start of a halt and resumption of trading, ISO 8601 UTC; null if it is not announced. `detail`: the facts in
 * words, such as the reason for a halt.
 */
export const MarketEvent = z.object({
  date: z.string(),
  symbol: z.string().nullable(),
  name: z.string().nullable(),
  amount: Figure,
  at: z.string().nullable(),
  until: z.string().nullable(),
  detail: z.string(),
});
export type MarketEvent = z.infer<typeof MarketEvent>;

/** Creates an event with these fields; all others are null. */
export const marketEvent = (
  event: Pick<MarketEvent, "date" | "symbol" | "detail"> & Partial<MarketEvent>,
): MarketEvent => ({ name: null, amount: null, at: null, until: null, ...event });
