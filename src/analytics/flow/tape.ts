import type { FlowSides } from "../../domain/options-flow/flow.ts";
import type { OptionTrade } from "../../domain/options-flow/options.ts";
import { sidesOf } from "./sums.ts";

export const BLOCK_DEFINITION =
  "a single trade, not a sweep, of 100 contracts and $100,000 or more, or a floor trade";
const MIN_SIZE = 100;
const MIN_PREMIUM = 100_000;

/** Trades of one kind: their number, dollars and the trades, largest first. */
export interface TradesOfAKind {
  readonly count: number;
  readonly premium: FlowSides;
  /** Dollars paid at the ask minus those at the bid; null if the tape has no quotes. */
  readonly netCall: number | null;
  readonly netPut: number | null;
  readonly largest: readonly OptionTrade[];
}

/** Returns the trades that the tape marks as sweeps; null if no trade has this mark, true or false. */
export function sweepsIn(trades: readonly OptionTrade[]): TradesOfAKind | null {
  if (trades.length > 0 && trades.every(({ sweep }) => sweep === null)) return null;
  return kindOf(trades.filter(({ sweep }) => sweep === true));
}

/** Returns the blocks: single large trades that were not swept, and floor trades. */
export const blocksIn = (trades: readonly OptionTrade[]): TradesOfAKind => kindOf(trades.filter(isBlock));

const isBlock = ({ sweep, floor, trades, size, premium }: OptionTrade): boolean =>
  floor === true || (sweep !== true && trades === 1 && size >= MIN_SIZE && premium >= MIN_PREMIUM);

function kindOf(trades: readonly OptionTrade[]): TradesOfAKind {
  const net = sidesOf(trades, ({ askPremium, bidPremium }) =>
    askPremium === null || bidPremium === null ? null : askPremium - bidPremium,
  );
  return {
    count: trades.length,
    premium: sidesOf(trades, ({ premium }) => premium),
    netCall: net.call,
    netPut: net.put,
    largest: trades.toSorted((a, b) => b.premium - a.premium || a.executedAt - b.executedAt),
  };
}
