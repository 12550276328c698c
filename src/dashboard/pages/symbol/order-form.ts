import type { MarketSignalError } from "../../api/client.ts";
import type { Input } from "../../api/tools.ts";
import type { ChartLevel } from "../../charts/chart-data.ts";
import type { Plan } from "../../views/signal/facts.ts";

type CheckInput = Input<"check_order">;
type OrderType = NonNullable<CheckInput["type"]>;

export const SIDES = {
  buy: "Buy",
  sell: "Sell",
  sell_short: "Short",
  buy_to_cover: "Cover",
} as const satisfies Partial<Record<CheckInput["side"], string>>;
export const TYPES = {
  market: "Market",
  limit: "Limit",
  stop: "Stop",
  stop_limit: "Stop limit",
} as const satisfies Partial<Record<OrderType, string>>;
/** What the size of an order is given in, by its field. */
export const SIZES = { quantity: "Units", notional: "USD" } as const;

/** Fields that hold a number, as it was typed. */
export const AMOUNTS = [
  "size",
  "limit_price",
  "stop_price",
  "stop_loss",
  "take_profit",
  "equity",
  "buying_power",
] as const;
export type Amount = (typeof AMOUNTS)[number];

/** An order as it is typed. An empty field stays empty: it is not sent, and nothing is put in its place. */
export interface OrderDraft extends Readonly<Record<Amount, string>> {
  readonly side: keyof typeof SIDES;
  readonly type: keyof typeof TYPES;
  readonly sizeIn: keyof typeof SIZES;
}

export const EMPTY: OrderDraft = {
  side: "buy",
  type: "market",
  sizeIn: "quantity",
  size: "",
  limit_price: "",
  stop_price: "",
  stop_loss: "",
  take_profit: "",
  equity: "",
  buying_power: "",
};

/** Prices that a type of order has. */
export const PRICES: Readonly<Record<OrderDraft["type"], readonly ("limit_price" | "stop_price")[]>> = {
  market: [],
  limit: ["limit_price"],
  stop: ["stop_price"],
  stop_limit: ["stop_price", "limit_price"],
};

/** Digits that a JSON number holds exactly. */
const EXACT_DIGITS = 15;

/** Returns a plain number as one, and any other text as it is, for the server to read or refuse; undefined if empty. */
function amountOf(text: string): number | string | undefined {
  const typed = text.trim();
  if (typed === "") return undefined;
  return /^\d+(\.\d+)?$/.test(typed) && typed.replace(".", "").length <= EXACT_DIGITS ? Number(typed) : typed;
}

interface CheckedAs {
  readonly symbol: string;
  /** Day of the past; null: now. */
  readonly asOf: string | null;
}

/** Returns the call that checks an order. Fields that its type does not have are left out. */
export function checkInput(draft: OrderDraft, { symbol, asOf }: CheckedAs): CheckInput {
  const account = defined({ equity: amountOf(draft.equity), buying_power: amountOf(draft.buying_power) });
  const prices = PRICES[draft.type].map((name) => [name, amountOf(draft[name])] as const);
  return {
    symbol,
    side: draft.side,
    type: draft.type,
    ...defined({
      [draft.sizeIn]: amountOf(draft.size),
      ...Object.fromEntries(prices),
      stop_loss: amountOf(draft.stop_loss),
      take_profit: amountOf(draft.take_profit),
    }),
    ...(Object.keys(account).length > 0 && { account }),
    ...(asOf !== null && { as_of: asOf }),
  };
}

const defined = (fields: Readonly<Record<string, number | string | undefined>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Returns a draft with the side, the entry as a limit, the stop and the first target of a plan. Its size stays. */
export const withPlan = (draft: OrderDraft, { side, entry, stop, targets }: Plan): OrderDraft => ({
  ...draft,
  side: side === "LONG" ? "buy" : "sell_short",
  type: "limit",
  // the edge at which the plan reckons its reward to risk
  limit_price: String(side === "LONG" ? entry.high : entry.low),
  stop_price: "",
  stop_loss: String(stop),
  take_profit: String(targets[0]),
});

export interface Mistakes {
  readonly fields: Readonly<Partial<Record<Amount, string>>>;
  /** True if they are all that was wrong. */
  readonly isWhole: boolean;
}

/** Returns what is wrong with each field of a draft. */
export function mistakesOf({ errors }: Pick<MarketSignalError, "errors">): Mistakes {
  const found = errors.flatMap(({ pointer, detail }): (readonly [Amount, string])[] => {
    const name = pointer.split("/").at(-1);
    const field = AMOUNTS.find(
      (each) => each === (name === "quantity" || name === "notional" ? "size" : name),
    );
    return field === undefined ? [] : [[field, detail]];
  });
  return { fields: Object.fromEntries(found), isWhole: found.length > 0 && found.length === errors.length };
}

/** Returns the levels of an order that was checked. */
export function orderLevels({
  limit_price,
  stop_price,
  stop_loss,
  take_profit,
}: CheckInput): readonly ChartLevel[] {
  const named = {
    "order limit": limit_price,
    "order trigger": stop_price,
    "order stop": stop_loss,
    "order target": take_profit,
  };
  return Object.entries(named).flatMap(([text, price]) =>
    typeof price === "number" ? [{ price, text, tone: "flat" as const }] : [],
  );
}
