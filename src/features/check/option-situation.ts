import { SHARES_PER_CONTRACT } from "../../analytics/flow/contract.ts";
import type { Situation } from "../../analytics/risk/situation.ts";
import type { RuleName } from "../../analytics/risk/verdict.ts";
import type { CheckedRule } from "../../domain/check/check.ts";
import { type OptionContract, occSymbol, parseOccSymbol } from "../../domain/trading/option-contract.ts";
import { priceStepFaults } from "../../domain/trading/price-step.ts";
import type { Amount, OrderType } from "../../domain/trading/trading.ts";
import { decimal, maxDecimal, minDecimal, truncated } from "../../lib/decimal.ts";
import type { CheckBasis } from "./basis.ts";
import type { ReadHoldings } from "./holdings.ts";
import { isClosing } from "./read-order.ts";
import { availableUnits, grossOf, hasAllPositions, lossesOf, openRiskOf } from "./situation.ts";

export interface OptionInput {
  readonly basis: CheckBasis;
  readonly contract: OptionContract;
  /** Of one share; null: unknown. */
  readonly price: Amount | null;
  /** Of the underlying. */
  readonly sharePrice: Amount;
  /** null: the positions are not known. */
  readonly holdings: ReadHoldings | null;
  readonly killSwitch: boolean;
  readonly session: Situation["session"];
}

/** Returns the input of the rules; its prices are of one contract, 100 times those of a share. */
export function optionSituation({
  basis,
  contract,
  price,
  sharePrice,
  holdings,
  killSwitch,
  session,
}: OptionInput): Situation {
  const { request, snapshot, moment, instrument } = basis;
  const { account, quote } = snapshot;
  const ofContract = (amount: Amount | null | undefined): Amount | null =>
    amount == null ? null : truncated(decimal(amount).times(SHARES_PER_CONTRACT));
  const buys = request.side.startsWith("buy");
  const symbol = occSymbol(contract);
  const rows = snapshot.holdings?.filter((row) => row.symbol === symbol) ?? [];
  const working = (snapshot.working ?? []).filter((one) => one.symbol === symbol);
  const closesOnly = isClosing(request);
  const isAssumed = closesOnly && rows.length === 0 && !hasAllPositions(snapshot);
  const holding = isAssumed
    ? decimal(request.quantity!).times(buys ? -1 : 1)
    : rows.reduce((sum, { quantity }) => sum.plus(quantity), decimal(0));
  const spread =
    quote?.bid != null && quote.ask !== null && decimal(quote.ask).gte(quote.bid)
      ? { bid: ofContract(quote.bid)!, ask: ofContract(quote.ask)! }
      : null;
  return {
    intent: {
      symbol,
      side: buys ? "buy" : "sell",
      type: request.type as OrderType,
      quantity: request.quantity!,
      limit_price: ofContract(request.limit_price),
      stop_price: ofContract(request.stop_price),
      time_in_force: "day",
      take_profit: null,
      stop_loss: null,
    },
    assetClass: instrument.asset_class,
    accountType: "live",
    killSwitch,
    now: moment,
    price: ofContract(price) ?? "1",
    pricedAt: quote?.at ?? null,
    session,
    extendedHours: request.extended_hours,
    tick: "1",
    offStep: priceStepFaults({ limit_price: request.limit_price, stop_price: request.stop_price }, "equity"),
    step: "1",
    held: truncated(isAssumed ? holding : availableUnits(holding, working)),
    holding: truncated(holding),
    shorting: request.side === "sell_to_open" || request.side === "sell_short",
    closesOnly,
    equity: account.equity,
    buyingPower: account.buyingPower,
    openRisk: openRiskOf(holdings),
    gross: holdings === null ? null : truncated(grossOf(holdings), 2),
    riskAUnit: null,
    equityBefore: account.equityBefore,
    equityPeak: null,
    orders: (snapshot.fills ?? []).flatMap(({ at }) => at ?? []),
    stopOuts: lossesOf(snapshot),
    ...(spread !== null && { spread }),
    working:
      snapshot.working === null
        ? null
        : working.map((one) => ({
            ...one,
            limitPrice: ofContract(one.limitPrice),
            stopPrice: ofContract(one.stopPrice),
          })),
    fills: (snapshot.fills ?? []).flatMap(({ symbol: of, side, at, realizedPnl }) =>
      of === symbol && at !== null ? [{ side, at, profit: realizedPnl }] : [],
    ),
    option: {
      right: contract.right,
      strikeValue: truncated(decimal(contract.strike).times(SHARES_PER_CONTRACT)),
      expiry: contract.expiry,
      sharesValue: sharesValueOf(basis, sharePrice),
      putsValue: putsValueOf(basis, contract),
      covered: coveredBy(basis, contract, request.quantity!),
    },
  };
}

/** Returns the value of the shares held of the underlying, USD; 0 if they are not known. */
function sharesValueOf({ snapshot, instrument }: CheckBasis, sharePrice: Amount): Amount {
  const shares = (snapshot.holdings ?? [])
    .filter(({ option, symbol }) => option === null && symbol === instrument.symbol)
    .reduce((sum, { quantity }) => sum.plus(quantity), decimal(0));
  return truncated(maxDecimal(shares.times(sharePrice), decimal(0)), 2);
}

/** Returns what the puts already sold on the underlying are worth at their strikes, USD. */
function putsValueOf({ snapshot }: CheckBasis, { underlying }: OptionContract): Amount {
  const value = (snapshot.holdings ?? []).reduce(
    (sum, { option, quantity }) =>
      option?.right === "put" && option.underlying === underlying && decimal(quantity).lt(0)
        ? sum.minus(decimal(quantity).times(option.strike).times(SHARES_PER_CONTRACT))
        : sum,
    decimal(0),
  );
  return truncated(value, 2);
}

/**
 * Returns the contracts that the shares held cover, less the calls already sold on them; null if positions that are not
 * known may cover the rest of the order.
 */
function coveredBy(
  { snapshot, instrument }: CheckBasis,
  { underlying }: OptionContract,
  quantity: Amount,
): Amount | null {
  if (snapshot.holdings === null) return null;
  const shares = snapshot.holdings
    .filter(({ option, symbol }) => option === null && symbol === instrument.symbol)
    .reduce((sum, { quantity }) => sum.plus(quantity), decimal(0));
  const working = snapshot.working ?? [];
  const unitsOf = (isTaking: (symbol: string) => boolean) =>
    working
      .filter(({ symbol, side }) => side === "sell" && isTaking(symbol))
      .reduce((sum, { quantity }) => sum.plus(quantity ?? 0), decimal(0));
  const isCall = (symbol: string) => {
    const contract = parseOccSymbol(symbol);
    return contract?.right === "call" && contract.underlying === underlying;
  };
  const held = snapshot.holdings
    .filter(({ option }) => option?.right === "call" && option.underlying === underlying)
    .reduce((sum, { quantity }) => sum.minus(minDecimal(decimal(quantity), decimal(0))), decimal(0));
  const sold = held.plus(unitsOf(isCall));
  const free = shares.minus(unitsOf((symbol) => symbol === instrument.symbol));
  const covered = maxDecimal(
    maxDecimal(free, decimal(0)).div(SHARES_PER_CONTRACT).round(0, 0).minus(sold),
    decimal(0),
  );
  return covered.lt(quantity) && !hasAllPositions(snapshot) ? null : truncated(covered);
}

/** Prices of a contract in a rule: after the name of a field, or alone with their unit. */
const CONTRACT_PRICE = /(?<=(?:_price|below|above) )\d+(?:\.\d+)?|^\d+(?:\.\d+)?(?= USD$)/g;
/** Rules whose figures are prices, not amounts of money. */
const PRICE_RULES: ReadonlySet<string> = new Set<RuleName>([
  "limit_price_off_pct",
  "stop_price_off_pct",
  "stop_price_side",
  "crosses_own",
  "spread",
]);

/** Returns a rule with the prices of one share, as options are quoted. */
export function perShare(rule: CheckedRule): CheckedRule {
  const { value, limit, would_pass } = rule;
  if (rule.rule === "tick") return { ...rule, limit: "steps of 0.01 USD" };
  if (!PRICE_RULES.has(rule.rule)) return rule;
  const ofShare = (text: string) =>
    text.replace(CONTRACT_PRICE, (price) => decimal(price).div(SHARES_PER_CONTRACT).toFixed(2));
  return {
    ...rule,
    value: ofShare(value),
    limit: ofShare(limit),
    ...(would_pass !== undefined && { would_pass: ofShare(would_pass) }),
  };
}
