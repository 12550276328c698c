import { assess } from "../../analytics/risk/assess.ts";
import type { Situation } from "../../analytics/risk/situation.ts";
import { step } from "../../analytics/sizing/units.ts";
import type { Instrument, Quote } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import type { Preview, TradeRequest } from "../../domain/trading/preview.ts";
import type { RiskLimits } from "../../domain/trading/risk.ts";
import type { Intent, RiskCheck, Side } from "../../domain/trading/trading.ts";
import { type Decimal, decimal, truncated } from "../../lib/decimal.ts";
import { maximumLoss } from "./maximum-loss.ts";
import { formatNextStep, maxPassingQuantity } from "./next-step.ts";
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
import { validateAgainstPrice, validateExits, validateTradeRequest } from "./validate-trade-request.ts";

const TICKET_TTL_MS = 300_000;

export interface PreviewRequest {
  readonly account: string;
  /** Twenty hexadecimal digits that name the ticket. */
  readonly digits: string;
  readonly instrument: Instrument;
  readonly asked: TradeRequest;
  /** What the signal says; null where there are too few bars for one. */
  readonly plan: TradePlan | null;
}

/** Sizes and checks a trade at the price of now, and keeps a ticket of it for five minutes where it may be sent. */
export async function previewTrade(
  request: PreviewRequest,
  line: BrokerConnection,
  ports: TradePorts & Pick<Ports, "market">,
): Promise<Preview> {
  const { account, asked, instrument, plan } = request;
  validateTradeRequest(asked);
  const { connection } = line;
  const quote = await ports.quotes.latest(instrument);
  const side = asked.side ?? SIDES[plan?.signal.direction ?? "WAIT"];
  validateAgainstPrice(decimal(quote.price).toFixed(), side, asked);
  const standing = await readAccountState(account, line, ports);
  const held = availableUnits(instrument.symbol, standing);
  const holding = heldUnits(instrument.symbol, standing);
  const at = { line, quote, side, standing, held, holding };
  const {
    intent,
    size,
    situation,
    checks,
    brokerRefusal: untaken,
    left,
  } = await draftTrade(request, at, ports);
  const broken = checks.filter(({ passed }) => !passed);
  const reason =
    size.reason ??
    (broken.length === 0 ? untaken : `Refused by ${broken.map(({ rule }) => rule).join(", ")}`);
  const now = ports.clock.now();
  const expiresAt = new Date(now.getTime() + TICKET_TTL_MS).toISOString();
  const id = `tk_${request.digits}`;
  const sent = reason === null && intent !== null;
  const told: Omit<Preview, "hint"> = {
    ticket_id: sent ? id : null,
    reason,
    expires_at: sent ? expiresAt : null,
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
      steps: [...size.steps],
    },
    checks: [...checks],
    maximum_loss: maximumLoss(situation),
    account: {
      equity: standing.account.equity,
      buying_power: standing.account.buyingPower,
      held: truncated(holding),
    },
  };
  const next = formatNextStep({ shown: told, side, asked, type: connection.account_type });
  const shown = { ...told, hint: left === undefined ? next : `${left} ${next}` };
  if (sent)
    await ports.tradeBook.keepTicket(account, {
      id,
      connection: connection.connection_id,
      market: ports.market.id,
      intent,
      shown: { ...shown, asked },
      createdAt: now.toISOString(),
      expiresAt,
      order: null,
      confirmedAt: null,
    });
  return shown;
}

/** A trade as it may be sent: its size, what the rules and the broker say of it, and what was left out of it. */
interface TradeDraft {
  readonly intent: Intent | null;
  readonly size: SizingResult;
  readonly situation: Situation | null;
  readonly checks: readonly RiskCheck[];
  readonly brokerRefusal: string | null;
  readonly left: string | undefined;
}

async function draftTrade(
  { instrument, asked, plan }: PreviewRequest,
  at: {
    readonly line: BrokerConnection;
    readonly quote: Quote;
    readonly side: Side | null;
    readonly standing: AccountState;
    readonly held: Decimal;
    readonly holding: Decimal;
  },
  ports: TradePorts,
): Promise<TradeDraft> {
  const { line, quote, side, standing, held, holding } = at;
  const sizedBy = (by: TradePlan | null) =>
    sizeTrade({
      // what rests beside it is for the rules: closing is sized as closing
      side,
      held: holding,
      quote,
      instrument,
      standing,
      asked,
      plan: by,
      type: line.connection.account_type,
    });
  const intentBy = (size: SizingResult): Intent | null =>
    side === null || size.quantity === null ? null : intentOf(instrument, asked, { ...size, side });
  const untakenBy = (intent: Intent | null) =>
    intent === null ? null : (line.broker.refusal?.(intent) ?? null);
  const whole = sizedBy(plan);
  // where until cancelled is enough to keep them, that is for the caller to say
  const kept = intentBy(whole);
  const never = kept !== null && untakenBy({ ...kept, time_in_force: "gtc" }) !== null;
  const bare = hasOnlySignalExits(asked) && never && untakenBy(kept) !== null ? sizedBy(null) : null;
  const leaves = bare !== null && bare.quantity !== null && untakenBy(intentBy(bare)) === null;
  const sized = leaves ? bare : whole;
  const situate = (intent: Intent | null) =>
    intent === null ? null : buildSituation(intent, { line, standing, instrument, quote }, ports);
  const first = intentBy(sized);
  const { intent: fits, size } = fitToLimits(first, sized, await situate(first), standing.limits);
  const closes = fits !== null && isClosing(held, fits.side, fits.quantity);
  if (closes) validateExits(fits, asked);
  const intent = closes ? { ...fits, stop_loss: null, take_profit: null } : fits;
  const situation = await situate(intent);
  const checks = situation === null ? [] : assess(situation, standing.limits);
  const left = leaves ? EXITS_LEFT_OUT : sized.leftOut;
  return { intent, size, situation, checks, brokerRefusal: untakenBy(intent), left };
}

/** What was reckoned and not asked for is made as small as the owner's limits on size want it. */
function fitToLimits(
  intent: Intent | null,
  size: SizingResult,
  situation: Situation | null,
  limits: RiskLimits,
): { readonly intent: Intent | null; readonly size: SizingResult } {
  const as = { intent, size };
  if (intent === null || situation === null || size.method === "quantity") return as;
  const broken = assess(situation, limits).filter(({ passed }) => !passed);
  const most = maxPassingQuantity(broken);
  if (most === null || decimal(most).gte(intent.quantity)) return as;
  const rule = broken.find(({ would_pass }) => would_pass !== null && decimal(would_pass).eq(most))!.rule;
  const quantity = most;
  const atRisk = decimal(size.atRisk ?? 0)
    .times(quantity)
    .div(intent.quantity);
  return {
    intent: { ...intent, quantity },
    size: {
      ...size,
      quantity,
      atRisk: truncated(atRisk),
      boundBy: rule,
      steps: [...size.steps, step("within_limits", `the most that ${rule} lets pass`, decimal(quantity))],
    },
  };
}

const EXITS_LEFT_OUT =
  "This broker takes no stop loss and no take profit with such an order: those of the signal are left out.";
/** Whether only the signal brings a stop or a target to so many units. */
const hasOnlySignalExits = ({ quantity, stop_loss, take_profit }: TradeRequest): boolean =>
  quantity !== undefined && stop_loss === undefined && take_profit === undefined;

const SIDES = { LONG: "buy", SHORT: "sell", WAIT: null } as const;

const quoteOf = (quote: Quote, now: number): Preview["quote"] => ({
  price: truncated(decimal(quote.price)),
  price_source: quote.price_source,
  traded_at: quote.timestamp,
  age_seconds: (now - Date.parse(quote.timestamp)) / 1_000,
  market_state: quote.market_state,
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
