import { dollars, from, grouped, type Teller } from "./told.ts";

/** The price of a symbol with its time and source, how far it has moved, and the range and volume of its day. */
export const toldQuote: Teller = (answer, symbol) => {
  const figures = {
    price: answer.price("data.price"),
    change: answer.price("data.change"),
    change_percent: answer.number("data.changePercent", 2),
    low: answer.price("data.low"),
    high: answer.price("data.high"),
    open: answer.price("data.open"),
    volume: answer.number("data.volume", 0),
    source: answer.text("data.source"),
    as_of: answer.moment("data.timestamp"),
  };
  const { price, change, change_percent, low, high, open, volume, source, as_of } = figures;
  const moved =
    change === null
      ? "how far it has moved is unknown"
      : change === 0
        ? "unchanged from the previous close"
        : `${change > 0 ? "up" : "down"} ${dollars(Math.abs(change))}${change_percent === null ? "" : ` (${Math.abs(change_percent)} percent)`} from the previous close`;
  const day =
    low === null || high === null
      ? ""
      : `; its day runs from ${dollars(low)} to ${dollars(high)}${open === null ? "" : ` and opened at ${dollars(open)}`}`;
  return {
    figures,
    sentence: `The price of ${symbol} is ${dollars(price)} ${from(source, as_of)}: ${moved}${day}; volume is ${grouped(volume)}.`,
  };
};
