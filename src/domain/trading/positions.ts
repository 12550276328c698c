import { z } from "zod";
import { Failure, Iso } from "../answers.ts";
import { Percent, Price, Score } from "../figures.ts";
import { Direction, Grade, Tier } from "../signal/signal.ts";
import { AccountType, Amount, BrokerName, Connection, Position } from "./trading.ts";

/** An account as reported by its broker, in US dollars. */
export const AccountAnswer = z.object({
  equity: Amount.describe("Cash and positions at the latest prices, US dollars"),
  cash: Amount.describe("US dollars"),
  buying_power: Amount.describe("US dollars available for orders"),
  as_of: Iso,
  notes: z.array(z.string()).describe("Warnings of the broker for the account holder, such as a margin call"),
});
export type AccountAnswer = z.infer<typeof AccountAnswer>;

export const SyncedConnection = z.object({
  connection_id: z.string(),
  broker: BrokerName,
  account_type: AccountType,
  account_mask: Connection.shape.account_mask,
  positions: z.number().int().describe("Positions held there"),
  account: AccountAnswer,
});
/** A connection that could not be synced; its stored positions stay unchanged. */
export const SyncError = z.object({ connection_id: z.string(), ...Failure.shape });

export const Action = z
  .enum(["EXIT", "REDUCE", "HOLD", "REVIEW"])
  .describe("EXIT: close it; REDUCE: sell part; HOLD: leave it; REVIEW: too little data");

/** Signal of a position, with the recommended action. */
export const EdgeRecommendation = z.object({
  action: Action,
  why: z.array(z.string()).describe("Most important reason first"),
  signal: z
    .object({
      direction: Direction,
      grade: Grade.nullable(),
      score: Score.nullable().describe("0-100, 50 neutral"),
      tier: Tier,
      stop_loss: Price.nullable().describe(
        "Stop for the side held, US dollars; null if the levels are for the other side",
      ),
      target: Price.nullable().describe("First target for the side held, US dollars"),
      as_of: Iso.describe("Close of the daily bar that decided it"),
    })
    .nullable()
    .describe("Current daily signal; null with a reason"),
  reason: z.string().nullable().describe("Why signal is null"),
  stop_breached: z
    .boolean()
    .nullable()
    .describe("true: the price reached the stop recorded in opening; null without a stop"),
  opening: z
    .object({
      direction: Direction.nullable().describe("null: no signal was available then"),
      grade: Grade.nullable(),
      score: Score.nullable().describe("0-100, 50 neutral"),
      stop_loss: Price.nullable().describe("US dollars"),
      stop_source: z
        .enum(["order", "signal"])
        .nullable()
        .describe("order: of the opening order; signal: of the signal then; null without a stop"),
      as_of: Iso,
    })
    .nullable()
    .describe("Signal and stop when the position was first seen; null if unknown"),
  grade_steps: z
    .number()
    .int()
    .nullable()
    .describe("Grade steps since then in favour of the side held; negative: against it"),
});
export type EdgeRecommendation = z.infer<typeof EdgeRecommendation>;

/** A position with its value and the recommendation from its signal. */
export const PositionRow = Position.extend({
  account_label: z
    .string()
    .nullable()
    .describe("Owner's label of the outside account that holds it; null: held at a connection"),
  side: z.enum(["LONG", "SHORT"]),
  since: Iso.describe("When it was first seen"),
  price: Amount.nullable().describe("US dollars; null with price_reason"),
  price_as_of: Iso.nullable(),
  price_source: z.string().nullable().describe("last_close: close of the daily bar, no current price"),
  price_reason: z.string().nullable().describe("Why there is no current price"),
  market_value: Amount.nullable().describe("US dollars; negative for a short position"),
  unrealized_pnl: Amount.nullable().describe("US dollars before fees"),
  unrealized_pct: Percent.nullable().describe("Percent of the amount paid or received"),
  edge: EdgeRecommendation,
});
export type PositionRow = z.infer<typeof PositionRow>;
