import { quoted } from "../../../domain/outside-text.ts";
import { Refusal } from "./wire.ts";

const MAX_QUOTED_LENGTH = 160;

/** Known reasons by text, because one code has many reasons. */
const KNOWN_REFUSALS: readonly (readonly [RegExp, (refusal: Refusal) => string])[] = [
  [
    /insufficient (\w+ ){0,2}buying power|insufficient balance/i,
    ({ cost_basis, buying_power }) =>
      cost_basis === undefined || buying_power === undefined
        ? "The account has too little buying power for this order"
        : `It needs ${cost_basis} USD of buying power, and ${buying_power} USD are available`,
  ],
  [
    /insufficient .*qty available/i,
    ({ available }) =>
      available === undefined
        ? "Not enough of it is available to sell"
        : `Only ${available} of it is available to sell; open orders may hold the rest`,
  ],
  [/not fractionable/i, () => "Alpaca trades it only in whole shares"],
  [
    /not allowed to short|cannot be sold short|not shortable|short sell/i,
    () => "Alpaca does not allow short sales of this symbol",
  ],
  [
    /wash trade/i,
    () => "It might trade against an open order of this account on the other side (wash trade)",
  ],
  [
    /bracket orders must be entry orders/i,
    () => "An order that closes a position cannot have a stop loss or take profit at Alpaca",
  ],
  [/allowed for extended hours/i, () => "Outside regular hours Alpaca accepts only limit orders"],
  [/sub-?penny|minimum pric/i, () => "The price has too many decimal places"],
  [/minimal (order )?amount|cost basis must be/i, () => "The order is below Alpaca's minimum"],
  [/(asset|symbol).* not found|not find asset|invalid symbol/i, () => "Alpaca does not know the symbol"],
  [/order not found/i, () => "Alpaca does not know the order"],
  [/not (active|tradable)/i, () => "Alpaca does not trade it at present"],
  [/pattern day trad/i, () => "The pattern day trading rule forbids it"],
  [/crypto orders not allowed/i, () => "The account may not trade crypto"],
  [/time_in_force/i, () => "Alpaca does not support this time in force for it"],
  [/must be unique/i, () => "Another order has this id"],
  [/^(unauthorized|forbidden)\W*$/i, () => "Alpaca does not allow these credentials to trade"],
];

/** Returns the reason of a rejected order in our words, else quoted; null if Alpaca gives none. */
export function reasonOf(body: unknown): string | null {
  const refusal = Refusal.safeParse(body).data;
  if (refusal === undefined) return null;
  const known = KNOWN_REFUSALS.find(([words]) => words.test(refusal.message));
  return known === undefined
    ? `Alpaca rejected it: ${quoted(refusal.message, MAX_QUOTED_LENGTH)}`
    : known[1](refusal);
}

/** True if an order was rejected because its id exists. */
export const isDuplicate = (body: unknown): boolean => {
  const refusal = Refusal.safeParse(body).data;
  return refusal?.code === 40010001 && /client_order_id must be unique/i.test(refusal.message);
};

/** Returns true if Alpaca itself reports an unknown order; a 404 from elsewhere does not count. */
export const isNoOrder = (body: unknown): boolean => Refusal.safeParse(body).data?.code === 40410000;
