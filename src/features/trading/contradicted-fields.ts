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

/**
 * Returns the fields passed with a ticket id that differ from the ticket. Numbers are compared by value, not by
 * notation.
 */
export function contradictedFields(
  overrides: TradeOverrides,
  { intent, connection, shown }: TicketRecord,
  symbols: Pick<Symbols, "find">,
): readonly Field[] {
  const previewed = (shown.asked ?? {}) as TradeOverrides;
  const kind = symbols.find(intent.symbol)?.instrument.asset_class;
  const ticketValues: Readonly<Record<Exclude<Field, "symbol">, string | null | undefined>> = {
    connection_id: connection,
    timeframe: previewed.timeframe,
    side: intent.side,
    quantity: intent.quantity,
    risk_pct: previewed.risk_pct,
    type: intent.type,
    limit_price: intent.limit_price,
    stop_price: intent.stop_price,
    time_in_force: intent.time_in_force,
    stop_loss: intent.stop_loss,
    take_profit: intent.take_profit,
    asset_class: kind,
  };
  const fields = (Object.keys(ticketValues) as Exclude<Field, "symbol">[]).filter((field) => {
    const [given, expected] = [overrides[field], ticketValues[field]];
    if (given === undefined || given === expected) return false;
    return expected == null || !NUMERIC_FIELDS.has(field) || !decimal(given).eq(expected);
  });
  return isSameSymbol(overrides, intent.symbol, symbols) ? fields : ["symbol", ...fields];
}

/** Returns true when the symbol, narrowed by the asset class if given, names the ticket's instrument. */
function isSameSymbol(
  { symbol, asset_class }: TradeOverrides,
  ticketSymbol: string,
  symbols: Pick<Symbols, "find">,
): boolean {
  if (symbol === undefined) return true;
  const found = symbols.find(symbol);
  if (found === null) return false;
  const matches =
    asset_class === undefined
      ? [found.instrument]
      : [found.instrument, ...found.alternatives].filter((given) => given.asset_class === asset_class);
  return matches.some((given) => given.symbol === ticketSymbol);
}
