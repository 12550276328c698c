import { assess } from "../../analytics/risk/assess.ts";
import { bestEntry, type Situation } from "../../analytics/risk/situation.ts";
import { isBroken } from "../../analytics/risk/verdict.ts";
import { oddsKellySteps } from "../../analytics/sizing/odds-kelly.ts";
import { sizingStep } from "../../analytics/sizing/units.ts";
import type { Instrument, Quote } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import type { Preview, TradeRequest } from "../../domain/trading/preview.ts";
import { priceStepFault } from "../../domain/trading/price-step.ts";
import type { RiskLimits } from "../../domain/trading/risk.ts";
import type { Intent, Side } from "../../domain/trading/trading.ts";
import { type Decimal, decimal, truncated } from "../../lib/decimal.ts";
import { noTradeOdds, type TradeOdds } from "../signal/trade-odds.ts";
import { exitOdds } from "./exit-odds.ts";
import { maximumLoss, ONLY_CLOSES } from "./maximum-loss.ts";
import {
  formatDefaultSize,
  formatNextStep,
  formatOddsKelly,
  HEADROOM,
  maxPassingQuantity,
} from "./next-step.ts";
import { outsidePlanNote } from "./plan-levels.ts";
import type { BrokerConnection } from "./resolve-connection.ts";
import {
  type AccountState,
  availableUnits,
  buildSituation,
  heldUnits,
  isClosing,
  readAccountState,
  type TradePorts,
} from "./situation.ts";
import { type SizingResult, sizeTrade, type TradePlan } from "./size.ts";
import { TICKET_TTL_MS } from "./ticket-expiry.ts";
import { validateAmounts, validateTradeRequest } from "./validate-trade-request.ts";
import { sizeFault } from "./venue-fault.ts";

export interface PreviewRequest {
  readonly account: string;
  /** Twenty hexadecimal digits; part of the ticket id. */
  readonly digits: string;
  readonly instrument: Instrument;
  readonly trade: TradeRequest;
  /** null when there are too few bars for a signal. */
  readonly plan: TradePlan | null;
}

export type PreviewPorts = TradePorts & Pick<Ports, "market" | "compute">;

/** Sizes and checks a trade at the current price. When it may be sent, stores a ticket that is valid for five minutes. */
export async function previewTrade(
  request: PreviewRequest,
  brokerConnection: BrokerConnection,
  ports: PreviewPorts,
): Promise<Preview> {
  const { account, trade, instrument, plan } = request;
  validateTradeRequest(trade);
  const { connection } = brokerConnection;
  const quote = await ports.quotes.latest(instrument, { verify: true });
  const stale = plan?.stale ?? null;
  const side = trade.side ?? (stale === null ? SIDES[plan?.signal.direction ?? "WAIT"] : null);
  validateAmounts(decimal(quote.price).toFixed(), trade);
  const state = await readAccountState(account, brokerConnection, ports);
  const available = availableUnits(instrument.symbol, state);
  const held = heldUnits(instrument.symbol, state);
  const market = { brokerConnection, quote, side, state, available, held };
  const draft = await draftTrade(request, market, ports);
  const { intent, size, situation, checks, omittedExits, odds, closes } = draft;
  const broken = checks.filter(isBroken).map(({ rule }) => rule);
  const price = truncated(decimal(quote.price));
  const tooSmall =
    intent === null || draft.brokerRefusal !== null
      ? null
      : sizeFault(intent, instrument, { ...brokerConnection, price, available });
  const venueFault = broken.length === 0 ? tooSmall : null;
  const offStep = priceStepFault({ ...trade, ...intent }, instrument.asset_class);
  const refusal = broken.length === 0 ? draft.brokerRefusal : `Refused by ${broken.join(", ")}`;
  const reason = offStep?.reason ?? venueFault?.reason ?? size.reason ?? refusal;
  const now = ports.clock.now();
  const [expiresAt, id] = [new Date(now.getTime() + TICKET_TTL_MS).toISOString(), `tk_${request.digits}`];
  const sendable = reason === null && intent !== null;
  const base: Omit<Preview, "hint"> = {
    ticket_id: sendable ? id : null,
    reason,
    expires_at: sendable ? expiresAt : null,
    connection_id: connection.connection_id,
    broker: connection.broker,
    account_type: connection.account_type,
    intent,
    quote: quoteOf(quote, now.getTime()),
    signal: plan?.signal ?? null,
    sizing: {
      method: size.method,
      quantity: size.quantity,
      at_risk: size.atRisk,
      bound_by: size.boundBy,
      reason: size.reason,
      steps: [
        ...(size.method === "risk_pct" && odds.results !== null ? oddsKellySteps(odds.results) : []),
        ...size.steps,
      ],
    },
    odds: odds.odds,
    fill: odds.fill,
    odds_reason: odds.odds_reason,
    checks: [...checks],
    maximum_loss: maximumLoss(situation),
    account: {
      equity: state.account.equity,
      buying_power: state.account.buyingPower,
      held: truncated(held),
    },
  };
  const { riskPct } = ports.brokers;
  const hasDefaultSize = isDefaultSize(size, trade) && riskPct !== null && intent !== null && !closes;
  const hint = [
    reason === stale ? null : stale,
    plan === null || side === null ? null : outsidePlanNote(plan, side, entryPrice(trade, side, quote)),
    omittedExits ?? null,
    hasDefaultSize ? formatDefaultSize(riskPct) : null,
    hasDefaultSize && odds.results !== null ? formatOddsKelly(odds.results) : null,
    venueFault?.remedy ?? formatNextStep(base, { ...size, offStep, side, trade }),
  ]
    .filter((sentence) => sentence !== null)
    .join(" ");
  const shown = { ...base, hint };
  if (sendable)
    await ports.tradeRepository.saveTicket(account, {
      id,
      connection: connection.connection_id,
      market: ports.market.id,
      intent,
      shown: { ...shown, requested: trade, left_out: omittedExits ?? null },
      createdAt: now.toISOString(),
      expiresAt,
      order: null,
      confirmedAt: null,
    });
  return shown;
}

/** Returns the price at which a trade would fill: for a limit beyond the market, that of the market. */
function entryPrice({ limit_price, stop_price }: TradeRequest, side: Side, { price }: Quote): number {
  const intent = { side, limit_price: limit_price ?? null, stop_price: stop_price ?? null };
  return bestEntry({ intent, price: decimal(price).toFixed() }).toNumber();
}

/** Account and price with which a trade is sized and checked. */
interface TradeMarket {
  readonly brokerConnection: BrokerConnection;
  readonly quote: Quote;
  readonly side: Side | null;
  readonly state: AccountState;
  readonly available: Decimal;
  readonly held: Decimal;
}

/** Sizes and checks a trade; `omittedExits` explains which exits were omitted. */
async function draftTrade(
  { instrument, trade, plan }: PreviewRequest,
  { brokerConnection, quote, side, state, available, held }: TradeMarket,
  ports: PreviewPorts,
) {
  const type = brokerConnection.connection.account_type;
  const { riskPct } = ports.brokers;
  // working orders are checked by the rules, not by sizing
  const sizeWith = (by: TradePlan | null) =>
    sizeTrade({ side, held, quote, instrument, state, trade, plan: by, type, riskPct });
  const intentWith = (size: SizingResult): Intent | null =>
    side === null || size.quantity === null ? null : intentOf(instrument, trade, { ...size, side });
  const brokerRefusalOf = (intent: Intent | null) =>
    intent === null ? null : (brokerConnection.broker.refusal?.(intent) ?? null);
  const withExits = sizeWith(plan);
  // exits that are allowed with "gtc" are not dropped: the caller may choose "gtc"
  const intentWithExits = intentWith(withExits);
  const refusedAlways =
    intentWithExits !== null && brokerRefusalOf({ ...intentWithExits, time_in_force: "gtc" }) !== null;
  const withoutExits =
    hasOnlySignalExits(trade) && refusedAlways && brokerRefusalOf(intentWithExits) !== null
      ? sizeWith(null)
      : null;
  const omitsExits =
    withoutExits !== null &&
    withoutExits.quantity !== null &&
    brokerRefusalOf(intentWith(withoutExits)) === null;
  const chosen = omitsExits ? withoutExits : withExits;
  const { stop, target } = chosen;
  const entry = side === null ? null : entryPrice(trade, side, quote);
  const ofExits =
    chosen.remedy === undefined
      ? await exitOdds({ plan, instrument, side, stop, target, entry, price: quote.price, trade }, ports)
      : noTradeOdds(chosen.reason ?? "The exits do not fit the entry");
  const situate = (intent: Intent | null) =>
    intent === null
      ? null
      : buildSituation(intent, { brokerConnection, state, instrument, quote, odds: ofExits.odds }, ports);
  const first = intentWith(chosen);
  const { intent: fitted, size } = fitToLimits(
    first,
    chosen,
    await situate(first),
    state.limits,
    trade.type === "market" && isDefaultSize(chosen, trade),
  );
  const closes = fitted !== null && isClosing(available, fitted.side, fitted.quantity);
  // exits of the signal are left out of an order that only closes; requested ones are refused by their rule
  const { stop_loss = null, take_profit = null } = trade;
  const intent = closes ? { ...fitted, stop_loss, take_profit } : fitted;
  const situation = await situate(intent);
  const checks = situation === null ? [] : assess(situation, state.limits);
  const omittedExits = omitsExits ? EXITS_OMITTED_NOTE : chosen.leftOut;
  const odds: TradeOdds = closes ? noTradeOdds(ONLY_CLOSES) : ofExits;
  return {
    intent,
    size,
    situation,
    checks,
    brokerRefusal: brokerRefusalOf(intent),
    omittedExits,
    odds,
    closes,
  };
}

/** Returns true if the owner's default share sizes the trade. */
const isDefaultSize = ({ method }: SizingResult, { risk_pct }: TradeRequest): boolean =>
  method === "risk_pct" && risk_pct === undefined;

/**
 * Reduces a computed quantity to the owner's size limits, with headroom for a higher price if requested; never reduces
 * a requested quantity.
 */
function fitToLimits(
  intent: Intent | null,
  size: SizingResult,
  situation: Situation | null,
  limits: RiskLimits,
  hasHeadroom: boolean,
): { readonly intent: Intent | null; readonly size: SizingResult } {
  const unchanged = { intent, size };
  if (intent === null || situation === null || size.method === "quantity") return unchanged;
  const price = hasHeadroom ? truncated(decimal(situation.price).div(HEADROOM)) : situation.price;
  const broken = assess({ ...situation, price }, limits).filter(isBroken);
  const quantity = maxPassingQuantity(broken);
  if (quantity === null || decimal(quantity).gte(intent.quantity)) return unchanged;
  const { rule } = broken.find(({ would_pass }) => would_pass !== null && decimal(would_pass).eq(quantity))!;
  const atRisk = decimal(size.atRisk ?? 0).times(quantity);
  const formula = `the largest quantity that ${rule} allows${hasHeadroom ? " if the price rises by 0.5 %" : ""}`;
  const fitted = sizingStep("within_limits", formula, decimal(quantity));
  return {
    intent: { ...intent, quantity },
    size: {
      ...size,
      quantity,
      atRisk: truncated(atRisk.div(intent.quantity)),
      boundBy: rule,
      steps: [...size.steps, fitted],
    },
  };
}

const EXITS_OMITTED_NOTE =
  "This broker accepts no stop loss or take profit on this order type: those of the signal were left out.";
/** Returns true when a trade sets a quantity and no exits, so that its only exits are those of the signal. */
const hasOnlySignalExits = ({ quantity, stop_loss, take_profit }: TradeRequest): boolean =>
  quantity !== undefined && stop_loss === undefined && take_profit === undefined;

const SIDES = { LONG: "buy", SHORT: "sell", WAIT: null } as const;

const quoteOf = (quote: Quote, now: number): Preview["quote"] => ({
  price: truncated(decimal(quote.price)),
  price_source: quote.price_source,
  traded_at: quote.timestamp,
  age_seconds: (now - Date.parse(quote.timestamp)) / 1_000,
  market_state: quote.market_state,
  comparison: quote.origin?.comparison ?? null,
});

const intentOf = (
  { symbol }: Instrument,
  { type, limit_price, stop_price, time_in_force }: TradeRequest,
  size: {
    readonly side: Side;
    readonly quantity: string | null;
    readonly stop: string | null;
    readonly target: string | null;
  },
): Intent => ({
  symbol,
  side: size.side,
  type,
  quantity: size.quantity!,
  limit_price: limit_price ?? null,
  stop_price: stop_price ?? null,
  time_in_force,
  take_profit: size.target,
  stop_loss: size.stop,
});
