import type { Amount, Side } from "../../../domain/trading/trading.ts";
import type { Decimal } from "../../../lib/decimal.ts";
import {
  amountOf,
  amountText,
  type BrokerFields,
  echo,
  priceOf,
  readMoment,
  refuse,
  refuseForeignCurrency,
  textsOf,
  unitsOf,
  valuesOf,
} from "./fields.ts";
import { instrumentOf } from "./instrument.ts";

export interface WorkingOrder {
  /** Canonical; of an option its OCC symbol without padding. */
  readonly symbol: string;
  readonly side: Side;
  /** Units that are not filled; null for an order of an amount in dollars. */
  readonly quantity: Amount | null;
  readonly limitPrice: Amount | null;
  readonly stopPrice: Amount | null;
}

export interface Fill {
  /** Canonical; of an option its OCC symbol without padding. */
  readonly symbol: string;
  readonly side: Side;
  /** Units; null if only an amount in dollars is given. */
  readonly quantity: Amount | null;
  readonly price: Amount | null;
  /** Epoch ms; null if not given. */
  readonly at: number | null;
  /** US dollars; null if not given. */
  readonly realizedPnl: Amount | null;
}

/** Statuses in which an order cannot be filled any more, in lower case without spaces. */
const FINISHED =
  /^(fullyfilled|filled|executed|completed?|closed|(api)?cancell?ed|cancell?ed(byuser)?|partial(withdrawal|cancell?ed)|partiallycancell?ed|rejected|expired|failed|voided|replaced)$/;
const FILLED = /^(fullyfilled|filled|executed|completed?|closed)$/;
/** Statuses of an order that works. */
const WORKING =
  /^(new|open|working|live|pending.*|queued|accepted|confirmed|unconfirmed|submitted|presubmitted|held|awaiting.*)$/;
const LIMIT = /limit|lmt|^[eas]?lo$|^lit$/i;
const TRADE =
  /^(?:(b|bot|bought|bto|btc|buy|buy(?:to)?(?:open|close|cover))|(?:s|sld|sold|ss|sto|stc|sell|sell(?:short|(?:to)?(?:open|close))))$/;

/**
 * Reads a row of open orders; null for an order that is finished.
 * @throws UnreadableRow
 */
export function readWorkingOrder(fields: BrokerFields): WorkingOrder | null {
  if (statusesOf(fields).some((status) => FINISHED.test(status))) return null;
  const { symbol } = instrumentOf(fields);
  refuseForeignCurrency(fields);
  const side = sideOf(fields);
  const quantity = unfilledOf(fields, side);
  if (quantity?.eq(0) === true) return null;
  const isLimit = textsOf(fields, "order_type").some((text) => LIMIT.test(text));
  return {
    symbol,
    side,
    quantity: quantity === null ? null : amountText(quantity),
    limitPrice: priceOf(fields, "limit_price") ?? (isLimit ? priceOf(fields, "price") : null),
    stopPrice: priceOf(fields, "stop_price"),
  };
}

/**
 * Reads a row of fills; null for an order of which nothing was filled.
 * @throws UnreadableRow
 */
export function readFill(fields: BrokerFields): Fill | null {
  const filled = unitsOf(fields, "filled");
  const isUnfilled = statusesOf(fields).some(
    (status) => WORKING.test(status) || (FINISHED.test(status) && !FILLED.test(status)),
  );
  if (filled?.eq(0) === true || (filled === null && isUnfilled)) return null;
  const { symbol } = instrumentOf(fields);
  refuseForeignCurrency(fields);
  const side = sideOf(fields);
  const quantity = filled ?? orderedOf(fields, side);
  return {
    symbol,
    side,
    quantity: quantity === null ? null : amountText(quantity.abs()),
    price: priceOf(fields, "fill_price"),
    at: momentOf(fields),
    realizedPnl: amountOf(fields, "realized_pnl"),
  };
}

const statusesOf = (fields: BrokerFields): readonly string[] =>
  textsOf(fields, "status").map((text) =>
    text
      .toLowerCase()
      .replace(/^\w+\./, "")
      .replace(/[^a-z]/g, "")
      .replace(/status$/, ""),
  );

/** Returns the side that the fields of an order name, such as `BUY_TO_OPEN`. */
function sideOf(fields: BrokerFields): Side {
  const named = textsOf(fields, "side");
  const sides = new Set([...named, ...textsOf(fields, "type")].flatMap((text) => tradeSide(text) ?? []));
  if (sides.size > 1) refuse("two fields name opposite sides");
  const [side] = sides;
  if (side !== undefined) return side;
  const [text] = named;
  return refuse(text === undefined ? "it has no side" : `the side ${echo(text)} is not buy or sell`);
}

function tradeSide(text: string): Side | null {
  const match = TRADE.exec(
    text
      .toLowerCase()
      .replace(/^\w+\./, "")
      .replace(/[\s_-]+/g, ""),
  );
  if (match === null) return null;
  return match[1] === undefined ? "sell" : "buy";
}

/** Returns the units of an order; null if it names an amount in dollars instead. */
function orderedOf(fields: BrokerFields, side: Side): Decimal | null {
  const quantity = unitsOf(fields, "order_quantity");
  if (quantity === null) return valuesOf(fields, "dollars").length > 0 ? null : refuse("it has no quantity");
  if (quantity.eq(0)) refuse("its quantity is 0");
  return quantity.lt(0) && side === "buy"
    ? refuse("its side is buy and its quantity below 0")
    : quantity.abs();
}

function unfilledOf(fields: BrokerFields, side: Side): Decimal | null {
  const [left, filled] = [
    unitsOf(fields, "unfilled")?.abs() ?? null,
    unitsOf(fields, "filled")?.abs() ?? null,
  ];
  if (left !== null && unitsOf(fields, "order_quantity") === null) return left;
  const ordered = orderedOf(fields, side);
  if (ordered === null) return left;
  const rest = filled === null ? null : ordered.minus(filled);
  if (rest?.lt(0) === true) refuse("more is filled than was ordered");
  if (left !== null && rest !== null && !left.eq(rest)) refuse("its quantities do not add up");
  return left ?? rest ?? ordered;
}

function momentOf(fields: BrokerFields): number | null {
  const [value] = valuesOf(fields, "at");
  if (value === undefined) return null;
  return readMoment(value) ?? refuse(`the time ${echo(String(value))} is not clear: send it in ISO 8601`);
}
