import {
  type OptionOddsOutcome,
  type OptionOddsRequest,
  optionOddsOf,
} from "../../analytics/check/option-odds.ts";
import { SHARES_PER_CONTRACT } from "../../analytics/flow/contract.ts";
import { openingUnits, type Situation } from "../../analytics/risk/situation.ts";
import type { RuleName } from "../../analytics/risk/verdict.ts";
import type { CheckAnswer, CheckOption, CheckRequest, Unknown } from "../../domain/check/check.ts";
import type { ComputeTask } from "../../domain/compute-port.ts";
import { type OptionContract, occSymbol } from "../../domain/trading/option-contract.ts";
import type { Amount } from "../../domain/trading/trading.ts";
import { type Decimal, decimal, maxDecimal, truncated } from "../../lib/decimal.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { isWeekend } from "../../market/prices/row-check.ts";
import { assessOrder, RULES_VERSION, verdictOf } from "./assess-order.ts";
import {
  type CheckBasis,
  type CheckCaller,
  type CheckPorts,
  present,
  priceFields,
  unreadQuote,
} from "./basis.ts";
import { formatOptionOrder, formatSummary } from "./check.text.ts";
import { checkPrice } from "./check-price.ts";
import { readHoldings } from "./holdings.ts";
import { optionSituation, perShare } from "./option-situation.ts";
import { rangeFields } from "./order-figures.ts";
import { invalid, isClosing } from "./read-order.ts";
import { reportOf, sessionsUntil } from "./report.ts";
import { unknownsOf } from "./unknowns.ts";

const NOT_CHECKED: Unknown = {
  what: "margin, assignment, early exercise and Greeks",
  send: "the preview of your broker",
};

/** Simulates 4,000 paths: about 15 ms. */
export const optionOddsTask: ComputeTask<OptionOddsRequest, OptionOddsOutcome> = {
  name: "option check",
  duration: "short",
  run: optionOddsOf,
};

/** Checks an order for one option contract. @throws ToolError INVALID_INPUT */
export async function checkOption(
  basis: CheckBasis,
  contract: OptionContract,
  { account, signal }: CheckCaller,
  ports: CheckPorts,
): Promise<CheckAnswer> {
  const { request, instrument, series, moment, isPast, isRecent, snapshot } = basis;
  if (request.quantity === undefined)
    throw invalid("quantity", "An order for an option requires quantity, in contracts");
  if (request.type === "trailing_stop")
    throw invalid(
      "type",
      "A trailing stop on an option is not checked",
      "Pass its present trigger as a stop order.",
    );
  if (contract.expiry >= newYorkDate(moment) && isWeekend(Date.parse(contract.expiry)))
    throw invalid(
      "symbol",
      `No option expires on ${contract.expiry}, a Saturday or Sunday`,
      "Pass the expiry that your broker lists, usually the Friday before.",
    );
  // the quote of the broker is of the contract: the underlying has its own price here
  const price = await checkPrice({ ...basis, given: null, signal }, ports);
  const quote = snapshot.quote;
  const middle = quote?.bid != null && quote.ask !== null ? decimal(quote.bid).plus(quote.ask).div(2) : null;
  const premium = request.limit_price ?? quote?.price ?? (middle === null ? null : truncated(middle));
  if (premium !== null && decimal(premium).gt(price.value) && contract.right === "call")
    throw invalid(
      "limit_price",
      `A call is not worth more than its share: ${premium} is above ${price.value}`,
      "Pass the premium of one share, as options are quoted.",
    );
  if (premium !== null && contract.right === "put" && decimal(premium).gt(contract.strike))
    throw invalid(
      "limit_price",
      `A put is not worth more than its strike: ${premium} is above ${contract.strike}`,
      "Pass the premium of one share, as options are quoted.",
    );
  const sessions = sessionsUntil(moment, contract.expiry);
  const terms = {
    right: contract.right,
    strike: contract.strike,
    breakeven: premium === null || isClosing(request) ? null : breakevenOf(contract, premium),
  };
  const odds: OptionOddsOutcome | null =
    isRecent && sessions > 0
      ? await ports.compute.run(optionOddsTask, {
          bars: series.bars,
          symbol: instrument.symbol,
          assetClass: instrument.asset_class,
          from: Number(price.value),
          terms,
          sessions,
        })
      : null;
  const found = odds?.odds ?? null;
  const quoted = quote?.price ?? (middle === null ? null : truncated(middle));
  const asOf = isPast ? moment : undefined;
  const holdings =
    snapshot.holdings === null ? null : await readHoldings(snapshot.holdings, { asOf, signal }, ports);
  const { engaged } = await ports.tradeRules.killSwitch(account);
  const situation = optionSituation({
    basis,
    contract,
    // a limit says nothing of the price: one with a typing error is far from it
    price: quoted ?? premium,
    sharePrice: price.value,
    holdings,
    killSwitch: engaged,
    session: price.session,
  });
  const atRisk = riskOf(contract, premium, situation, found?.range.p5 ?? null);
  const report = await reportOf(
    instrument,
    { moment, isPast, sessions: 0, until: contract.expiry, signal },
    ports,
  );
  const assessed = assessOrder(
    {
      ...situation,
      riskAUnit: atRisk,
      ...(report !== undefined && { report }),
      ...(quoted === null && premium !== null && belowIntrinsic(contract, price.value, request, premium)),
    },
    await ports.tradeRules.limits(account),
    { correlated: [], gaps: null, source: series.source },
  );
  const opens = openingUnits(situation).gt(0);
  const unknown = unknownsOf({
    checks: assessed.checks,
    others: [
      ...basis.others,
      ...(premium === null
        ? [
            {
              what: "largest loss and breakeven",
              send: "limit_price or quote.price of the option",
              required: true as const,
            },
          ]
        : []),
      ...(odds?.reason == null ? [] : [{ what: `odds: ${odds.reason}` }]),
      ...(holdings?.unvalued ?? []).map((what) => ({ what, ...(opens && { required: true as const }) })),
      ...unreadQuote(snapshot.quote),
      ...exitsOf(request),
      NOT_CHECKED,
    ],
    equity: situation.equity,
    isRecent,
    hasPositions: snapshot.holdings !== null,
    opens,
    unreadable: snapshot.unreadable,
  });
  const option: CheckOption = {
    contract: occSymbol(contract),
    bars_left: sessions,
    ...(opens ? amountsOf(contract, premium, situation) : { max_loss: null, max_gain: null }),
    breakeven: terms.breakeven,
    touch_strike: found?.touchStrike.odds ?? null,
    touch_strike_base: found?.touchStrike.base ?? null,
    beyond_breakeven: found?.beyondBreakeven?.odds ?? null,
    beyond_breakeven_base: found?.beyondBreakeven?.base ?? null,
  };
  const fields = present({
    verdict: verdictOf(assessed.rules, unknown),
    rules: assessed.rules.map(perShare),
    unknown: [...unknown],
    passing_quantity: assessed.passingQuantity,
    range: found === null ? null : rangeFields(found.range),
    option,
  });
  return {
    ...fields,
    summary: formatSummary(fields),
    order: formatOptionOrder(request, contract, premium, opens),
    passed: assessed.passed.filter(
      (rule) => (premium !== null || !PRICED_RULES.has(rule)) && (quoted !== null || !QUOTED_RULES.has(rule)),
    ),
    price: priceFields(price),
    source: series.source,
    data_as_of: series.as_of,
    rules_version: RULES_VERSION,
  };
}

/** Returns what an option is worth at once, as the price to compare with, if it is sold for less. */
function belowIntrinsic(
  { right, strike }: OptionContract,
  sharePrice: Amount,
  { side }: CheckRequest,
  premium: Amount,
): Pick<Situation, "reference"> {
  const worth = decimal(sharePrice)
    .minus(strike)
    .times(right === "call" ? 1 : -1);
  return side.startsWith("sell") && worth.gt(premium)
    ? { reference: { price: truncated(worth.times(SHARES_PER_CONTRACT)), isCurrent: false } }
    : {};
}

/** Rules that pass nothing without a quote of the option. */
const QUOTED_RULES: ReadonlySet<string> = new Set<RuleName>([
  "limit_price_off_pct",
  "stop_price_off_pct",
  "stop_price_side",
]);
/** Rules that pass nothing while the premium is unknown. */
const PRICED_RULES: ReadonlySet<string> = new Set<RuleName>([
  "buying_power",
  "trade_risk",
  "position_share",
  "max_notional_usd",
  "max_notional_pct",
  "stop_price_side",
  "stop_price_off_pct",
]);

/** Names the exits of an order for an option, which are not checked. */
const exitsOf = (request: CheckRequest): readonly Unknown[] =>
  (["stop_loss", "take_profit"] as const).flatMap((field) =>
    request[field] === undefined ? [] : [{ what: `${field} of an option` }],
  );

const breakevenOf = ({ right, strike }: OptionContract, premium: Amount): number =>
  (right === "call" ? decimal(strike).plus(premium) : decimal(strike).minus(premium)).toNumber();

/** Returns what one contract risks, USD: its premium, or of a put that is sold the loss at the 5th percentile at expiry. */
function riskOf(
  { right, strike }: OptionContract,
  premium: Amount | null,
  { intent }: Situation,
  p5: number | null,
): Amount | null {
  if (intent.side === "buy")
    return premium === null ? null : truncated(decimal(premium).times(SHARES_PER_CONTRACT));
  if (right === "call" || premium === null || p5 === null) return "0";
  const loss: Decimal = maxDecimal(decimal(strike).minus(premium).minus(p5), decimal(0));
  return truncated(loss.times(SHARES_PER_CONTRACT), 2);
}

/** Returns the largest loss and gain of the opened contracts, USD; null: unlimited, or the premium is unknown. */
function amountsOf({ right, strike }: OptionContract, premium: Amount | null, situation: Situation) {
  if (premium === null) return { max_loss: null, max_gain: null };
  const shares = decimal(situation.intent.quantity).times(SHARES_PER_CONTRACT);
  const paid = shares.times(premium).toNumber();
  const ofPut = shares.times(decimal(strike).minus(premium)).toNumber();
  if (situation.intent.side === "buy") return { max_loss: paid, max_gain: right === "put" ? ofPut : null };
  return { max_loss: right === "put" ? ofPut : null, max_gain: paid };
}
