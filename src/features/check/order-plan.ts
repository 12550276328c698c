import { bestEntry, openingUnits, type Situation, signOf } from "../../analytics/risk/situation.ts";
import { decimal } from "../../lib/decimal.ts";
import type { OrderFiguresInput } from "./order-figures.ts";

/** Returns the plan whose odds are computed: none if its prices do not fit together, or nothing waits or opens. */
export function planOf(situation: Situation): OrderFiguresInput["plan"] {
  const { intent, price } = situation;
  const opens = openingUnits(situation).gt(0);
  const entry = bestEntry(situation);
  const kind = entry.eq(price) ? "now" : intent.type === "limit" ? "limit" : "stop";
  const side = intent.side === "buy" ? "LONG" : "SHORT";
  const sign = signOf(intent);
  const [stop, target] = opens ? [intent.stop_loss, intent.take_profit] : [null, null];
  if (kind === "now" && stop === null && target === null) return null;
  const waitsBehind =
    intent.stop_price !== null && decimal(intent.stop_price).minus(price).times(sign).lte(0);
  const isMisplaced = (exit: string | null, direction: number) =>
    exit !== null &&
    decimal(exit)
      .minus(entry)
      .times(sign * direction)
      .lte(0);
  if (waitsBehind || isMisplaced(stop, -1) || isMisplaced(target, 1)) return null;
  return {
    side,
    kind,
    entry: (kind === "stop" ? decimal(intent.stop_price!) : entry).toNumber(),
    limit: kind === "stop" && intent.limit_price !== null ? Number(intent.limit_price) : null,
    stop: stop === null ? null : Number(stop),
    target: target === null ? null : Number(target),
  };
}
