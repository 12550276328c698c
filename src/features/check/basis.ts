import type { CheckAnswer, CheckRequest, Unknown } from "../../domain/check/check.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import type { ClosedBars } from "../signal/closed-bars.ts";
import type { CheckPrice } from "./check-price.ts";
import type { Snapshot } from "./snapshot/snapshot.ts";

export type CheckPorts = Pick<
  Ports,
  | "symbols"
  | "bars"
  | "quotes"
  | "clock"
  | "market"
  | "tradeRules"
  | "earnings"
  | "marketDays"
  | "compute"
  | "checkedOrders"
>;
export interface CheckCaller {
  readonly account: string;
  readonly signal: AbortSignal;
}

/** What a check reads before it judges. */
export interface CheckBasis {
  readonly request: CheckRequest;
  readonly instrument: Instrument;
  readonly series: ClosedBars;
  readonly moment: number;
  readonly isPast: boolean;
  readonly isRecent: boolean;
  readonly snapshot: Snapshot;
  /** Other instruments that the symbol may name. */
  readonly otherNames: readonly string[];
  readonly others: readonly Unknown[];
}

/** Maps the price of a check to the answer. */
export const priceFields = ({ value, source, at, session }: CheckPrice): CheckAnswer["price"] => ({
  value: Number(value),
  source,
  at: new Date(at).toISOString(),
  session,
});

type Present<Shape> = {
  readonly [Key in keyof Shape as null extends Shape[Key] ? never : Key]: Shape[Key];
} & { readonly [Key in keyof Shape as null extends Shape[Key] ? Key : never]?: Exclude<Shape[Key], null> };

/** Returns an object without the fields that are null. */
export const present = <Shape extends object>(shape: Shape): Present<Shape> =>
  Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== null)) as Present<Shape>;

/** Returns that a quote was sent of which nothing can be read. */
export const unreadQuote = (quote: Snapshot["quote"]): readonly Unknown[] =>
  quote === null || quote.price !== null || (quote.bid !== null && quote.ask !== null)
    ? []
    : [{ what: "quote, ignored: it has no readable price", send: "quote.price", required: true }];
