import { because, dollars, from, grouped, listed, millions, show, type Teller } from "./told.ts";

/** What options traders do in one symbol. */
export const toldOptions: Teller = (answer, symbol, brief) => {
  const figures = {
    put_call: answer.number("volume.put_call", 2),
    ...(!brief && {
      call_volume: answer.number("volume.call", 0),
      put_volume: answer.number("volume.put", 0),
      expected_move_percent: answer.number("expected_move.percent"),
      expected_move_until: answer.text("expected_move.expiry"),
    }),
    call_premium_millions: answer.millions("premium.call"),
    put_premium_millions: answer.millions("premium.put"),
    iv_rank: answer.number("iv.rank"),
    net_gamma_millions: answer.millions("gamma.net"),
    unusual_contracts: answer.number("unusual.count", 0),
    source: answer.text("provenance.provider"),
    as_of: answer.moment("as_of"),
    reason: answer.reason("coverage.reason"),
  };
  if (figures.put_call === null)
    return {
      figures,
      sentence: `Nothing is known of options of ${symbol}${because(figures.reason, ": ")}.`,
    };
  const lean =
    figures.put_call > 1
      ? "more puts than calls"
      : figures.put_call < 1
        ? "more calls than puts"
        : "as many puts as calls";
  return {
    figures,
    sentence: `Options traders in ${symbol} deal in ${lean}: the put/call ratio of volume is ${figures.put_call}, with ${millions(figures.put_premium_millions)} of put premium against ${millions(figures.call_premium_millions)} of calls; IV rank ${show(figures.iv_rank)}, unusual contracts ${grouped(figures.unusual_contracts)} ${from(figures.source, figures.as_of)}.`,
  };
};

/** Put/call ratios of the market. */
export const toldTide: Teller = (answer) => {
  const figures = {
    direction: answer.text("direction"),
    put_call: answer.number("put_call.total.latest", 2),
    mean_5: answer.number("put_call.total.mean_5", 2),
    mean_20: answer.number("put_call.total.mean_20", 2),
    day: answer.text("days.0.date"),
    source: answer.text("provenance.provider"),
    reason: answer.reason("reason"),
  };
  return {
    figures,
    sentence:
      figures.put_call === null
        ? `Put/call ratios of the market are not known${because(figures.reason, ": ")}.`
        : `Options of the whole market lean ${figures.direction}: the put/call ratio is ${figures.put_call}, its mean of 5 days ${show(figures.mean_5)} and that of 20 days ${show(figures.mean_20)} ${from(figures.source, figures.day)}.`,
  };
};

/** Large trades off exchange, of a symbol or of the market. */
export const toldPrints: Teller = (answer, symbol) => {
  const prints = answer.list("prints").map((print) => ({
    symbol: print.text("symbol"),
    price: print.price("price"),
    size: print.number("size", 0),
    millions: print.millions("notional"),
    side: print.text("side"),
    at: print.moment("executed_at"),
  }));
  const largest = prints.toSorted((a, b) => (b.millions ?? 0) - (a.millions ?? 0))[0];
  const figures = {
    largest_of_newest: largest ?? null,
    conviction: answer.text("conviction.conviction"),
    conviction_score: answer.number("conviction.score"),
    source: answer.text("coverage.source"),
    as_of: answer.moment("coverage.as_of"),
    reason: answer.reason("coverage.reason"),
  };
  const of = symbol ?? "the market";
  if (largest === undefined)
    return {
      figures,
      sentence: `No dark-pool prints of ${of} are known${because(figures.reason, ": ")}.`,
    };
  const whose = symbol === null ? ` of ${largest.symbol}` : "";
  const sided = largest.side === "buy" || largest.side === "sell" ? `, ${largest.side} side` : "";
  const conviction =
    figures.conviction_score === null
      ? ""
      : `; institutional conviction is ${figures.conviction_score}, ${figures.conviction}`;
  return {
    figures,
    sentence: `The largest of the newest dark-pool prints of ${of} is ${grouped(largest.size)} shares${whose} at ${dollars(largest.price)} (${millions(largest.millions)}${sided}) of ${show(largest.at)}${conviction} ${from(figures.source, figures.as_of)}.`,
  };
};

const BUYS = /\b(buy|buys|buying|bought|buyers?|purchas\w+|acquir\w+|accumulat\w+|adding)\b/i;
const SELLS = /\b(sell|sells|selling|sold|sellers?|sales?|dump\w*|unload\w*|dispos\w+|offload\w*)\b/i;

/** Formats disclosures by members of Congress; for the whole market, the requested side. */
export const toldCongress: Teller = (answer, symbol, _brief, asked) => {
  const tickers = (path: string) =>
    answer
      .list(path)
      .slice(0, SHOWN)
      .map((one) => ({
        symbol: one.text("ticker"),
        buying: one.number("buying", 0),
        selling: one.number("selling", 0),
      }));
  const figures = {
    signal: answer.text("signal"),
    buying: answer.number("members.buying", 0),
    selling: answer.number("members.selling", 0),
    net_millions: answer.millions("usd.net", 2),
    most_bought: tickers("most_bought"),
    most_sold: tickers("most_sold"),
    from: answer.text("from"),
    to: answer.text("to"),
    source: answer.text("source"),
    held: answer.text("held"),
    reason: answer.reason("held_reason") ?? answer.reason("reason"),
  };
  const about = symbol === null ? "" : ` on ${symbol}`;
  if (figures.signal === null || figures.buying === null)
    return {
      figures,
      sentence: `Nothing can be said of Congress${about}${because(figures.reason, ": ")}.`,
    };
  const query = asked?.query ?? "";
  const bought = figures.most_bought.map((one) => `${one.symbol} (${one.buying} to ${one.selling})`);
  const sold = figures.most_sold.map((one) => `${one.symbol} (${one.selling} to ${one.buying})`);
  const isOfSales = SELLS.test(query);
  const lists = [
    ...(bought.length === 0 || (isOfSales && !BUYS.test(query))
      ? []
      : [` Bought by the most members, buyers to sellers: ${listed(bought)}.`]),
    ...(sold.length === 0 || !isOfSales
      ? []
      : [` Sold by the most members, sellers to buyers: ${listed(sold)}.`]),
  ];
  const most = symbol === null ? lists.join("") : "";
  const why = symbol === null ? "" : because(figures.reason, "; ");
  return {
    figures,
    sentence: `Congress${about} is ${figures.signal} by filings of ${figures.from} to ${figures.to}: ${figures.buying} ${figures.buying === 1 ? "member was a net buyer" : "members were net buyers"} and ${show(figures.selling)} ${figures.selling === 1 ? "a net seller" : "net sellers"}${why} (${show(figures.source)}).${most}`,
  };
};
const SHOWN = 5;
