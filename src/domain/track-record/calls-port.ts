import { z } from "zod";
import { Iso } from "../answers.ts";
import { AssetClass } from "../market/market.ts";
import { PLAN_ENDS } from "../odds/plan-end.ts";
import type { CheckRecord } from "./check-record.ts";

const Price = z.number().positive();
const Share = z.number().min(0).max(1).nullable();

/** Symbol, time of the recording, decision bar and end. */
export const CallHead = z.object({
  symbol: z.string(),
  asset_class: AssetClass,
  recorded_at: Iso,
  /** Close of the last bar that counts. */
  until: Iso,
  /** Close time and price of the last bar that had closed. */
  decided_at: Iso,
  close: Price,
});
export type CallHead = z.infer<typeof CallHead>;

/** Prices of an order or claim; `now` has filled at its entry. */
export const CallPlan = z.object({
  side: z.enum(["LONG", "SHORT"]),
  kind: z.enum(["now", "limit", "stop"]),
  entry: Price,
  limit: Price.nullable(),
  stop: Price.nullable(),
  target: Price.nullable(),
});
export type CallPlan = z.infer<typeof CallPlan>;

/** A checked order with its odds, 0-1; without the account and the size. */
export const CheckedOrder = CallHead.extend({
  plan: CallPlan,
  /** Method of the odds. */
  version: z.string(),
  odds: z.object({ fill: Share, stop_first: Share, target_first: Share }),
  base: z.object({ fill: Share, stop_first: Share, target_first: Share }),
});
export type CheckedOrder = z.infer<typeof CheckedOrder>;

/** Outcome; `unknown`: its bars never arrived. */
export const CallResult = z.union([
  z.literal("unknown"),
  z.object({ filled: z.boolean(), end: z.enum(PLAN_ENDS).nullable(), close: Price }),
]);
export type CallResult = z.infer<typeof CallResult>;

/** A checked order or claim whose last bar may have closed. */
export interface DueCall extends Pick<CallHead, "symbol" | "recorded_at" | "until" | "decided_at" | "close"> {
  readonly table: "checked_orders" | "claims";
  readonly id: string;
  readonly plan: CallPlan;
}

/** Checked orders and the record of their odds. */
export interface CheckedOrders {
  /** Returns at once and never fails; ignores an order of the account that is already recorded at this bar. */
  record(order: AccountOrder): void;
  /** Returns the record last computed; null if no order has an outcome. */
  published(): Promise<CheckRecord | null>;
}

/** A checked order and its account, of which only a keyed hash is stored. */
export type AccountOrder = CheckedOrder & { readonly account: string };

/** Checked orders and claims that wait for their bars, and the record of the checked orders. */
export interface CallRepository {
  /** Stores orders, each once per account, levels and bar. */
  logChecks(orders: readonly AccountOrder[]): Promise<void>;
  /** Returns the calls without a result that end by `now` (epoch ms). */
  due(now: number): Promise<readonly DueCall[]>;
  /** Stores results, each only once, and deletes old orders. Returns the number of new results. */
  settle(
    results: readonly (Pick<DueCall, "table" | "id"> & { readonly result: CallResult })[],
  ): Promise<number>;
  /** Returns pages of checked orders with a result. */
  settledChecks(): AsyncIterable<readonly (CheckedOrder & { readonly result: CallResult })[]>;
  /** Replaces the record of the checked orders. */
  publishChecks(record: CheckRecord): Promise<void>;
}
