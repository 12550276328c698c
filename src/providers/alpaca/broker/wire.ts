import { z } from "zod";
import { Amount as AmountText, type BrokerStatus } from "../../../domain/trading/trading.ts";
import { decimal, truncated } from "../../../lib/decimal.ts";

/**
 * A decimal number as text, truncated to nine places; JSON numbers are rejected, because their binary form is inexact.
 */
export const Decimal = z
  .string()
  .regex(/^-?\d{1,18}(\.\d{1,30})?$/)
  .transform((text, context) => {
    const exact = decimal(text);
    const cut = exact.abs().lt("0.000000001") ? "0" : truncated(exact);
    if (AmountText.safeParse(cut).success) return cut;
    context.addIssue({ code: "custom", message: "is out of bounds" });
    return z.NEVER;
  });
const Unsigned = Decimal.refine((text) => !text.startsWith("-"));

/** ISO 8601 with up to nine fractional digits, cut to three. */
export const Instant = z.iso
  .datetime({ offset: true })
  .refine((text) => !Number.isNaN(Date.parse(text)))
  .transform((text) => new Date(text).toISOString());

const Flag = z.boolean().nullish();

/** An account; amounts are in `currency`. */
export const Account = z.object({
  account_number: z.string().regex(/^[!-~]{4,64}$/),
  currency: z.string(),
  equity: Decimal,
  cash: Decimal,
  buying_power: Decimal,
  last_equity: Decimal.nullish(),
  shorting_enabled: Flag,
});

const Name = z.string().regex(/^[A-Z0-9./]{1,32}$/);

/** Positions; tokens have symbols like `BTCUSD`. */
export const Positions = z.array(
  z.object({
    symbol: Name,
    asset_class: z.string(),
    qty: Decimal,
    side: z.enum(["long", "short"]),
    avg_entry_price: Decimal,
  }),
);

const WORKING = [
  ...["new", "accepted", "pending_new", "accepted_for_bidding", "held", "stopped", "suspended"],
  ...["calculated", "done_for_day", "pending_cancel", "pending_replace", "partially_filled"],
] as const;
const ENDED = {
  filled: "filled",
  canceled: "cancelled",
  replaced: "cancelled",
  expired: "expired",
  rejected: "rejected",
} as const satisfies Record<string, BrokerStatus>;
type Ended = keyof typeof ENDED;

const row = {
  id: z.guid(),
  client_order_id: z.string().min(1).max(128),
  symbol: Name,
  asset_class: z.enum(["us_equity", "crypto"]),
  side: z.enum(["buy", "sell"]),
  type: z.string(),
  order_class: z.string().nullish(),
  /** Null for a notional order. */
  qty: Unsigned.nullable(),
  filled_qty: Unsigned,
  filled_avg_price: Unsigned.nullable(),
  limit_price: Unsigned.nullish(),
  stop_price: Unsigned.nullish(),
  status: z.union([z.enum(WORKING), z.enum(Object.keys(ENDED) as [Ended, ...Ended[]])]),
  submitted_at: Instant,
  updated_at: Instant,
};
const Leg = z.object(row);
/** An order, with its legs if it was requested as nested. */
export const Order = z.object({ ...row, legs: z.array(Leg).nullish() });
export type Order = z.infer<typeof Order>;

/** An order of an option or a new issue. */
export const OtherOrder = z.object({
  id: z.string(),
  asset_class: z.string().regex(/^(?!us_equity$|crypto$)/),
  submitted_at: Instant,
});

export function statusOf({ status, filled_qty }: Pick<Order, "status" | "filled_qty">): BrokerStatus {
  if (status in ENDED) return ENDED[status as Ended];
  return decimal(filled_qty).gt(0) ? "partially_filled" : "working";
}

/** Error of a rejected request; its text is untrusted. */
export const Refusal = z.object({
  code: z.number().int(),
  message: z.string(),
  available: Decimal.optional().catch(undefined),
  buying_power: Decimal.optional().catch(undefined),
  cost_basis: Decimal.optional().catch(undefined),
});
export type Refusal = z.infer<typeof Refusal>;
