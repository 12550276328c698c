import { z } from "zod";
import { nestedWithin } from "../../lib/depth.ts";
import { type Fields, isFields } from "../../lib/fields.ts";
import { plainText } from "../../lib/plain-text.ts";

/** Maximum number of fields of a row, and of an object in it. */
const MAX_FIELDS = 60;
const MAX_TEXT = 60;
const MAX_ECHO = 20;

/**
 * A number or a text of a broker. Any value is accepted here, and published as what it should be: a value that cannot be
 * read makes its row unreadable, not the call invalid.
 */
const AnyNumber = z.unknown().meta({ type: "number" }).optional();
const AnyText = z.unknown().meta({ type: "string", maxLength: MAX_TEXT }).optional();
const AnyFlag = z.unknown().meta({ type: "boolean" }).optional();

/** An object with the fields named and others as a broker names them: at most 60, nested one level deep. */
const brokerObject = <const Shape extends Readonly<Record<string, z.ZodOptional<z.ZodUnknown>>>>(
  shape: Shape,
) =>
  z
    .looseObject(shape)
    .superRefine((row, ctx) => {
      const problem = shapeProblem(row);
      if (problem !== null) ctx.addIssue(problem);
    })
    .meta({ maxProperties: MAX_FIELDS });

/** Returns why a row is too large or nested too deep; null if it is neither. */
function shapeProblem(row: Fields): string | null {
  const objects = [row, ...Object.values(row).filter(isFields)];
  if (objects.some((one) => Object.keys(one).length > MAX_FIELDS))
    return `must have at most ${MAX_FIELDS} fields, also in each object inside it`;
  const deep = Object.entries(row).find(([, value]) => !nestedWithin(value, 1))?.[0];
  return deep === undefined
    ? null
    : `must be nested at most one level deep: leave out "${plainText(deep, MAX_ECHO)}", or send its fields beside the others`;
}

const Holding = brokerObject({
  symbol: AnyText,
  quantity: AnyNumber,
  average_price: AnyNumber,
  price: AnyNumber,
  stop_loss: AnyNumber,
});
const WorkingOrder = brokerObject({
  symbol: AnyText,
  side: AnyText,
  quantity: AnyNumber,
  limit_price: AnyNumber,
  stop_price: AnyNumber,
});
const Fill = brokerObject({
  symbol: AnyText,
  side: AnyText,
  quantity: AnyNumber,
  price: AnyNumber,
  at: AnyText,
  realized_pnl: AnyNumber,
});
const Quote = brokerObject({ price: AnyNumber, bid: AnyNumber, ask: AnyNumber, at: AnyText });
const Account = brokerObject({
  equity: AnyNumber,
  buying_power: AnyNumber,
  equity_before: AnyNumber,
  margin: AnyFlag,
});

/** State of an account at a broker: quote, account and rows, as its own responses name their fields. All optional. */
export const SnapshotInput = {
  quote: Quote.optional().describe("Of the contract for an option"),
  account: Account.optional().describe("equity: total; equity_before: at the previous close"),
  positions: z.array(Holding).max(200).optional().describe("All; quantity < 0: short"),
  open_orders: z.array(WorkingOrder).max(200).optional().describe("Working orders"),
  recent_trades: z.array(Fill).max(500).optional().describe("Fills of 31 days"),
};
export type SnapshotInput = z.output<z.ZodObject<typeof SnapshotInput>>;
