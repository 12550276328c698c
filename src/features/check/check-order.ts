import { dayReturns } from "../../analytics/check/day-returns.ts";
import { gapsOf } from "../../analytics/check/gaps.ts";
import { type AccountRisk, accountRisk } from "../../analytics/check/portfolio.ts";
import { SHARES_PER_CONTRACT } from "../../analytics/flow/contract.ts";
import { oddsFault } from "../../analytics/odds/odds.ts";
import { ODDS_BARS } from "../../analytics/odds/range-model.ts";
import { closingUnits, openingUnits, type Situation } from "../../analytics/risk/situation.ts";
import type { CheckAnswer, CheckedRule, CheckRequest, Unknown } from "../../domain/check/check.ts";
import { type Resolution, unambiguousSymbol } from "../../domain/market/market.ts";
import { findByName } from "../../domain/market/resolve-name.ts";
import { type OptionContract, occSymbol, parseOptionContract } from "../../domain/trading/option-contract.ts";
import type { Amount } from "../../domain/trading/trading.ts";
import { decimal, truncated } from "../../lib/decimal.ts";
import { plainText } from "../../lib/plain-text.ts";
import { closedBars } from "../signal/closed-bars.ts";
import { requestedTime } from "../signal/past-time.ts";
import { addsOf, lossOf } from "./amounts.ts";
import { assessOrder, isLossUnknown, RULES_VERSION, verdictOf } from "./assess-order.ts";
import {
  type CheckBasis,
  type CheckCaller,
  type CheckPorts,
  present,
  priceFields,
  unreadQuote,
} from "./basis.ts";
import { formatOrderRead, formatSummary } from "./check.text.ts";
import { checkOption } from "./check-option.ts";
import { checkPrice } from "./check-price.ts";
import { type ReadHoldings, readHoldings, valueOfHolding } from "./holdings.ts";
import { logCheckedOrder } from "./log-checked-order.ts";
import { orderFiguresTask } from "./order-figures.ts";
import { planOf } from "./order-plan.ts";
import { invalid, readOrder, validateOrder } from "./read-order.ts";
import { reportOf } from "./report.ts";
import { situationOf } from "./situation.ts";
import { readSnapshot, type Snapshot } from "./snapshot/snapshot.ts";
import { unknownsOf } from "./unknowns.ts";

const NO_RANGE: Unknown = { what: "loss of the order: no average daily range", send: "stop_loss" };
/** Age of the last bar in ms above which there are no odds. */
const OLD_BARS_MS = 5 * 86_400_000;

/**
 * Checks an order that the caller plans to place at any broker. Places nothing, and stores nothing but its levels and odds. @throws ToolError
 * INVALID_INPUT, UNKNOWN_SYMBOL, NOT_ENOUGH_DATA
 */
export async function checkOrder(
  request: CheckRequest,
  caller: CheckCaller,
  ports: CheckPorts,
): Promise<CheckAnswer> {
  const contract = parseOptionContract(request.symbol);
  if (contract === "several_legs")
    throw invalid(
      "symbol",
      "One order of several option legs is not checked",
      "Check one contract at a time, or use the preview of your broker.",
    );
  const resolution =
    contract === null ? ports.symbols.resolve(request.symbol) : underlyingOf(contract, ports.symbols);
  validateOrder(request);
  const { instrument, alternatives } = resolution;
  const now = ports.clock.now();
  const moment = requestedTime(request.as_of, now);
  const series = await closedBars(
    resolution,
    { timeframe: "1d", limit: ODDS_BARS, as_of: request.as_of, signal: caller.signal },
    ports,
  );
  const isRecent = moment - Date.parse(series.as_of) <= OLD_BARS_MS;
  const old = {
    what: `odds, range, gaps and liquidity: bars here end on ${series.as_of.slice(0, 10)}`,
    send: "as_of, or connect a provider here",
    required: true as const,
  };
  const snapshot = readSnapshot(request);
  const fault = quoteFault(snapshot.quote, (symbol) =>
    contract === null
      ? findByName(symbol, ports.symbols)?.instrument.symbol === instrument.symbol
      : isContract(symbol, contract),
  );
  const unread: readonly Unknown[] =
    fault === null ? [] : [{ what: `quote, ignored: ${fault}`, send: "quote of this order", required: true }];
  const basis: CheckBasis = {
    request,
    instrument,
    series,
    moment,
    isPast: request.as_of !== undefined && moment < now.getTime(),
    isRecent,
    snapshot: fault === null ? snapshot : { ...snapshot, quote: null },
    otherNames: contract === null ? alternatives.map(unambiguousSymbol) : [],
    others: [...unread, ...(isRecent ? [] : [old])],
  };
  return contract === null ? checkShares(basis, caller, ports) : checkOption(basis, contract, caller, ports);
}

/** Returns the US listing of an option's underlying, also where a coin has the same ticker. @throws ToolError UNKNOWN_SYMBOL */
function underlyingOf({ underlying }: OptionContract, symbols: CheckPorts["symbols"]): Resolution {
  const found = symbols.resolve(underlying);
  return found.instrument.asset_class === "crypto" ? symbols.resolve(`${underlying}.US`) : found;
}

/** Returns why a quote is not used: it names another instrument, or crosses; null if it is. */
function quoteFault(quote: Snapshot["quote"], isOfOrder: (symbol: string) => boolean): string | null {
  if (quote === null) return null;
  const { symbol, bid, ask } = quote;
  if (symbol !== null && !isOfOrder(symbol)) return `it names ${plainText(symbol, MAX_ECHO)}`;
  return bid !== null && ask !== null && decimal(bid).gt(ask) ? "its bid is above its ask" : null;
}
const MAX_ECHO = 20;

/** Returns true for a text that names an option contract. */
function isContract(text: string, contract: OptionContract): boolean {
  const named = parseOptionContract(text);
  return named !== null && named !== "several_legs" && occSymbol(named) === occSymbol(contract);
}

async function checkShares(basis: CheckBasis, caller: CheckCaller, ports: CheckPorts): Promise<CheckAnswer> {
  const { request, instrument, series, moment, isPast, isRecent, snapshot } = basis;
  const { signal, account } = caller;
  const { bars } = series;
  const asOf = isPast ? moment : undefined;
  const price = await checkPrice({ ...basis, given: snapshot.quote, signal }, ports);
  const order = readOrder(request, price.value, instrument.asset_class);
  const held =
    snapshot.holdings === null ? null : await readHoldings(snapshot.holdings, { asOf, signal }, ports);
  const isSame = (symbol: string) => {
    const found = findByName(symbol, ports.symbols)?.instrument.symbol ?? symbol;
    return found === instrument.symbol;
  };
  const way = order.side === "buy" ? 1 : -1;
  const risk =
    held === null ? null : riskWith(held, basis, way * Number(order.quantity) * Number(price.value));
  const unplanned = situationOf({
    request,
    order,
    instrument,
    bars,
    isRecent,
    price,
    moment,
    snapshot,
    holdings: held,
    accountRisk: risk,
    report: await reportOf(instrument, { moment, isPast, sessions: request.horizon, signal }, ports),
    otherNames: basis.otherNames,
    killSwitch: (await ports.tradeRules.killSwitch(account)).engaged,
    isSame,
  });
  const fault = isRecent ? oddsFault(bars) : null;
  const plan = request.type === "trailing_stop" ? null : planOf(unplanned);
  const figures =
    !isRecent || fault !== null
      ? { odds: null, range: null, reason: fault }
      : await ports.compute.run(orderFiguresTask, {
          bars,
          instrument,
          price: Number(price.value),
          horizon: request.horizon,
          plan,
        });
  const situation: Situation = { ...unplanned, odds: exitOddsOf(figures.odds) };
  const direction = order.side === "buy" ? "LONG" : "SHORT";
  const gaps = isRecent && instrument.asset_class !== "crypto" ? gapsOf(bars, direction) : null;
  const { checks, rules, passed, passingQuantity } = assessOrder(
    situation,
    await ports.tradeRules.limits(account),
    {
      correlated:
        risk?.cluster.holdings.map(({ symbol, correlation }) => `${symbol} (${correlation.toFixed(2)})`) ??
        [],
      gaps: gaps && {
        ...gaps,
        worstAt: gaps.worstAt === null ? null : new Date(gaps.worstAt).toISOString().slice(0, 10),
      },
      source: series.source,
    },
  );
  logCheckedOrder(basis, { plan, odds: figures.odds, price }, { account, ...ports });
  const [opens, closes] = [openingUnits(situation), closingUnits(situation)];
  const units = opens.plus(closes);
  const unknown = unknownsOf({
    checks,
    others: [
      ...basis.others,
      ...(figures.reason === null ? [] : [{ what: `odds: ${figures.reason}` }]),
      ...(request.type === "trailing_stop"
        ? [{ what: "odds of a trailing stop, which moves with the price" }]
        : []),
      ...unreadQuote(snapshot.quote),
      ...coveringCalls(basis, truncated(closes)),
      ...(isLossUnknown(situation) ? [NO_RANGE] : []),
      ...(held?.missing ?? []).map((what) => ({ what })),
      ...(held?.unvalued ?? []).map((what) => ({ what, ...(opens.gt(0) && { required: true as const }) })),
      ...(snapshot.working?.some(({ quantity, symbol }) => quantity === null && isSame(symbol))
        ? [{ what: "the units of a working order that is sized in dollars" }]
        : []),
      ...(situation.spread === undefined ? [{ what: "spread", send: "quote.bid and quote.ask" }] : []),
    ],
    equity: situation.equity,
    isRecent,
    hasPositions: snapshot.holdings !== null,
    opens: opens.gt(0),
    isAssumed: snapshot.holdings === null && order.closesOnly,
    unreadable: snapshot.unreadable,
  });
  const assessed = present({
    verdict: verdictOf(rules, unknown),
    rules: rules.map((rule) => withTrail(rule, request, price.value)),
    unknown: [...unknown],
    passing_quantity: passingQuantity,
    loss: lossOf(situation, gaps),
    odds: figures.odds,
    range: figures.range,
    adds:
      held === null || units.eq(0)
        ? null
        : addsOf(situation, held, riskWith(held, basis, units.times(way).times(price.value).toNumber())),
  });
  return {
    ...assessed,
    summary: formatSummary(assessed),
    order: formatOrderRead(
      request,
      order,
      { closes: truncated(closes), opens: truncated(opens) },
      instrument.symbol,
    ),
    passed: [...passed],
    price: priceFields(price),
    source: series.source,
    data_as_of: series.as_of,
    rules_version: RULES_VERSION,
  };
}

/** Returns the odds of both exits, for the rule on them; null unless the order has both. */
const exitOddsOf = (odds: CheckAnswer["odds"] | null): NonNullable<Situation["odds"]> | null =>
  odds?.stop_first == null || odds.target_first == null
    ? null
    : { stop_first: odds.stop_first, target_first: odds.target_first };

/** Names the trigger that would pass of a trailing stop as its distance from the price. */
function withTrail(rule: CheckedRule, { type }: CheckRequest, price: Amount): CheckedRule {
  const [, trigger] = /^stop_price (\d\S*)$/.exec(rule.would_pass ?? "") ?? [];
  return type !== "trailing_stop" || trigger === undefined
    ? rule
    : { ...rule, would_pass: `trail_amount ${truncated(decimal(price).minus(trigger).abs())}` };
}

/** Returns that calls were sold on shares which an order sells: without them a call has no largest loss. */
function coveringCalls({ snapshot, instrument }: CheckBasis, closes: Amount): readonly Unknown[] {
  const rows = snapshot.holdings ?? [];
  const shares = rows
    .filter(({ option, symbol }) => option === null && symbol === instrument.symbol)
    .reduce((sum, { quantity }) => sum.plus(quantity), decimal(0));
  const sold = rows
    .filter(({ option }) => option?.right === "call" && option.underlying === instrument.symbol)
    .reduce((sum, { quantity }) => sum.minus(quantity), decimal(0));
  const isUncovered =
    decimal(closes).gt(0) && shares.minus(closes).lt(sold.times(SHARES_PER_CONTRACT)) && sold.gt(0);
  return isUncovered
    ? [
        {
          what: `${truncated(sold)} sold ${sold.eq(1) ? "call" : "calls"} that these shares cover`,
          send: "a check of buy_to_close first",
          required: true,
        },
      ]
    : [];
}

/** Returns what an order of a value adds to the daily moves of the holdings. */
function riskWith(held: ReadHoldings, { instrument, series }: CheckBasis, value: number): AccountRisk {
  const rows = held.holdings.flatMap((one) =>
    one.returns === null
      ? []
      : [{ symbol: one.symbol, value: valueOfHolding(one).toNumber(), returns: one.returns }],
  );
  return accountRisk(rows, { symbol: instrument.symbol, value, returns: dayReturns(series.bars) });
}
