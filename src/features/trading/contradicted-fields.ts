import type { Symbols } from "../../domain/ports.ts";
import type { TradeOverrides } from "../../domain/trading/preview.ts";
import type { TicketRecord } from "../../domain/trading/trading-port.ts";
import { decimal } from "../../lib/decimal.ts";

type Field = keyof TradeOverrides;

const NUMERIC_FIELDS: ReadonlySet<Field> = new Set([
  "quantity",
  "risk_pct",
  "limit_price",
  "stop_price",
  "stop_loss",
  "take_profit",
]);

/** The fields that were said beside a ticket and are not what it is; numbers agree however they are written. */
export function contradictedFields(
  said: TradeOverrides,
  { intent, connection, shown }: TicketRecord,
  symbols: Pick<Symbols, "find">,
): readonly Field[] {
  const asked = (shown.asked ?? {}) as TradeOverrides;
  const kind = symbols.find(intent.symbol)?.instrument.asset_class;
  const is: Readonly<Record<Exclude<Field, "symbol">, string | null | undefined>> = {
    connection_id: connection,
    timeframe: asked.timeframe,
    side: intent.side,
    quantity: intent.quantity,
    risk_pct: asked.risk_pct,
    type: intent.type,
    limit_price: intent.limit_price,
    stop_price: intent.stop_price,
    time_in_force: intent.time_in_force,
    stop_loss: intent.stop_loss,
    take_profit: intent.take_profit,
    asset_class: kind,
  };
  const fields = (Object.keys(is) as Exclude<Field, "symbol">[]).filter((field) => {
    const [one, other] = [said[field], is[field]];
    if (one === undefined || one === other) return false;
    return other == null || !NUMERIC_FIELDS.has(field) || !decimal(one).eq(other);
  });
  return isSameSymbol(said, intent.symbol, symbols) ? fields : ["symbol", ...fields];
}

/** Whether a symbol, with the class that was said of it, names that of a ticket. */
function isSameSymbol(
  { symbol, asset_class }: TradeOverrides,
  own: string,
  symbols: Pick<Symbols, "find">,
): boolean {
  if (symbol === undefined) return true;
  const found = symbols.find(symbol);
  if (found === null) return false;
  const meant =
    asset_class === undefined
      ? [found.instrument]
      : [found.instrument, ...found.alternatives].filter((one) => one.asset_class === asset_class);
  return meant.some((one) => one.symbol === own);
}
