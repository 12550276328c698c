import { quoted } from "../../../domain/outside-text.ts";
import { Refusal } from "./wire.ts";

const MAX_QUOTED_LENGTH = 160;

/** Its refusals by what they say: one code stands for many. */
const KNOWN_REFUSALS: readonly (readonly [RegExp, (said: Refusal) => string])[] = [
  [
    /insufficient (\w+ ){0,2}buying power|insufficient balance/i,
    ({ cost_basis, buying_power }) =>
      cost_basis === undefined || buying_power === undefined
        ? "The account has too little buying power for it"
        : `It needs ${cost_basis} USD of buying power and ${buying_power} USD is there`,
  ],
  [
    /insufficient .*qty available/i,
    ({ available }) =>
      available === undefined
        ? "Less of it is free to be sold"
        : `${available} of it is free to be sold: no more is held, or orders that wait hold the rest`,
  ],
  [/not fractionable/i, () => "Alpaca trades it in whole shares alone"],
  [/not allowed to short|cannot be sold short|not shortable|short sell/i, () => "It is not sold short there"],
  [
    /wash trade/i,
    () => "An order of the other side is open on the same symbol: the two might trade with each other",
  ],
  [
    /bracket orders must be entry orders/i,
    () => "A trade that closes a position takes no stop loss and no take profit there",
  ],
  [/allowed for extended hours/i, () => "Outside regular hours it takes limit orders alone"],
  [/sub-?penny|minimum pric/i, () => "The price has more places than it is quoted in"],
  [/minimal (order )?amount|cost basis must be/i, () => "The order is smaller than Alpaca takes"],
  [/(asset|symbol).* not found|not find asset|invalid symbol/i, () => "Alpaca does not know the symbol"],
  [/order not found/i, () => "Alpaca does not know the order"],
  [/not (active|tradable)/i, () => "Alpaca does not trade it now"],
  [/pattern day trad/i, () => "The rule on pattern day trading forbids it"],
  [/crypto orders not allowed/i, () => "The account may not trade crypto"],
  [/time_in_force/i, () => "It does not take that time in force for it"],
  [/must be unique/i, () => "Another order has this id"],
  [/^(unauthorized|forbidden)\W*$/i, () => "Alpaca does not let these credentials trade"],
];

/** Why an order was refused, in our words or, where they fail us, in its own as a quote; null where it does not say. */
export function reasonOf(body: unknown): string | null {
  const said = Refusal.safeParse(body).data;
  if (said === undefined) return null;
  const known = KNOWN_REFUSALS.find(([words]) => words.test(said.message));
  return known === undefined
    ? `Alpaca refuses it: ${quoted(said.message, MAX_QUOTED_LENGTH)}`
    : known[1](said);
}

/** Whether it refuses an order because there is one of that id. */
export const isDuplicate = (body: unknown): boolean => {
  const said = Refusal.safeParse(body).data;
  return said?.code === 40010001 && /client_order_id must be unique/i.test(said.message);
};

/** Whether it knows no order of that id, which a page of somebody else's does not say. */
export const isNoOrder = (body: unknown): boolean => Refusal.safeParse(body).data?.code === 40410000;
