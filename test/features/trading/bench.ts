import { DEFAULT_LIMITS } from "../../../src/analytics/risk/limits.ts";
import type { Principal } from "../../../src/domain/accounts/access.ts";
import type { AuditEvent } from "../../../src/domain/audit/audit-events.ts";
import type { Symbols } from "../../../src/domain/ports.ts";
import { TradeRequestSchema } from "../../../src/domain/trading/preview.ts";
import type { RiskLimits } from "../../../src/domain/trading/risk.ts";
import type { Connection } from "../../../src/domain/trading/trading.ts";
import type {
  Broker,
  BrokerOrder,
  Connections,
  TicketRecord,
} from "../../../src/domain/trading/trading-port.ts";
import { executeTicket } from "../../../src/features/trading/execute.ts";
import { type PreviewPorts, previewTrade } from "../../../src/features/trading/preview.ts";
import { resolveConnection } from "../../../src/features/trading/resolve-connection.ts";
import type { TradePorts } from "../../../src/features/trading/situation.ts";
import type { TradePlan } from "../../../src/features/trading/size.ts";
import { tradeRepository } from "../../../src/store/trading/trade-repository.ts";
import { tradeRules } from "../../../src/store/trading/trade-rules.ts";
import { intent } from "../../providers/broker-contract.ts";
import { paperBench } from "../../providers/paper/bench.ts";
import { keepConnections } from "../../support/connection-row.ts";
import { collectingLog, inlineCompute, sampleMarket } from "../../support/context.ts";
import { climbingBars, withPrices } from "../../support/market.ts";

/** Time at which the exchange of these tests begins. */
export const T0 = "2026-01-15T15:00:00.000Z";
export const CN = `cn_${"1".repeat(20)}`;
export const ada: Principal = { account: "ada", plan: "pro", scopes: ["read", "write", "trade:paper"] };

/** 300 bars that move by about one percent each and close at 100. */
const bars = withPrices(
  climbingBars({ first: 100, step: 0 }),
  (price, i) => price * (1 + 0.01 * Math.sin(1.7 * (299 - i)) + 0.005 * Math.sin(2.9 * (299 - i))),
);

/** A long signal at 100 dollars, the last close, with a stop at 98 and a target at 104, without a record. */
export const LONG: TradePlan = {
  bars,
  signal: {
    direction: "LONG",
    grade: "A",
    score: 80,
    timeframe: "1d",
    reward_to_risk: 2,
    reason: null,
  },
  entry: { low: 99.5, high: 100.5 },
  stop: 98,
  target: 104,
  record: { n: 0, win_rate: null, mean_win_r: null, mean_loss_r: null },
};

/** A market order to buy one AAPL, working at the broker. */
export const brokerOrder = (over: Partial<BrokerOrder> = {}): BrokerOrder => ({
  id: "b1",
  clientOrderId: "b1",
  symbol: "AAPL",
  side: "buy",
  quantity: "1",
  stopPrice: null,
  leg: null,
  entry: null,
  status: "working",
  filledQuantity: "0",
  averagePrice: null,
  fees: "0",
  reason: null,
  updatedAt: T0,
  ...over,
});

/** A ticket for a live purchase of AAPL with a stop at 95, as preview would store it. */
export const liveTicketOf = (digit: string, over: Partial<TicketRecord["intent"]> = {}): TicketRecord => ({
  id: `tk_${digit.repeat(20)}`,
  connection: CN,
  market: "test",
  shown: { quote: { price: "100" } },
  order: null,
  confirmedAt: null,
  createdAt: T0,
  expiresAt: "2026-01-15T15:05:00.000Z",
  intent: intent("AAPL", { time_in_force: "day", stop_loss: "95", ...over }),
});

interface Options {
  /** Wraps the broker between the tested code and the paper exchange. */
  readonly fault?: (broker: Broker) => Broker;
  readonly live?: boolean;
  /** TRADING_RISK_PCT. Default: 0.5; null for 0. */
  readonly riskPct?: string | null;
  readonly connection?: Partial<Connection>;
}

/** Trading over the real paper exchange and store, with one connection of ada's. */
export async function tradeBench({
  fault = (broker) => broker,
  live = false,
  riskPct = "0.5",
  connection: over = {},
}: Options = {}) {
  const paper = await paperBench();
  const connection: Connection = {
    connection_id: CN,
    broker: "paper",
    account_type: "paper",
    account_mask: "4242",
    market: "test",
    connected_at: "2026-01-15T14:00:00.000Z",
    checked_at: "2026-01-15T14:00:00.000Z",
    ...over,
  };
  await keepConnections(paper.db, "ada", [connection]);
  const credentials = { api_key: "key", api_secret: "secret" };
  const mine = (account: string, id = connection.connection_id) =>
    account === "ada" && id === connection.connection_id;
  const connections: Connections = {
    add: async (_, connection) => connection,
    checked: async () => {},
    remove: async () => false,
    list: async (account) => (mine(account) ? [connection] : []),
    find: async (account, id) => (mine(account, id) ? { connection, credentials } : null),
  };
  const real = paper.open(CN);
  const broker = fault(real);
  const symbols = {
    find: (text: string) => {
      const instrument = ["AAPL", "BTC-USD"].includes(text)
        ? ({
            symbol: text,
            name: text,
            asset_class: text === "AAPL" ? "equity" : "crypto",
            sector: null,
            currency: "USD",
          } as const)
        : null;
      return instrument === null ? null : { instrument, alternatives: [] };
    },
  } as unknown as Symbols;
  const acts: { readonly event: AuditEvent; readonly about: Readonly<Record<string, unknown>> }[] = [];
  const { log, lines } = collectingLog();
  const ports: PreviewPorts = {
    market: sampleMarket,
    compute: inlineCompute(),
    symbols,
    quotes: paper.quotes,
    bars: paper.bars,
    clock: paper.clock,
    brokers: { live, riskPct, requireAvailable: () => undefined, open: () => broker },
    connections,
    tradeRepository: tradeRepository({ db: paper.db, market: "test" }),
    tradeRules: tradeRules({ db: paper.db, defaults: DEFAULT_LIMITS }),
    audit: { write: async (_, event, about) => void acts.push({ event, about }) },
    log,
  };
  let made = 0;
  const preview = async (
    request: Record<string, unknown>,
    plan: TradePlan | null = null,
    symbol = "AAPL",
    over: Partial<TradePorts> = {},
  ) =>
    previewTrade(
      {
        account: "ada",
        digits: String(++made).padStart(20, "0"),
        instrument: symbols.find(symbol)!.instrument,
        trade: TradeRequestSchema.parse(request),
        plan,
      },
      await resolveConnection(ports, "ada", CN),
      { ...ports, ...over },
    );
  const storedTicket = async (id: string | null) => (await ports.tradeRepository.ticket("ada", id!))!;
  const ticketOf = async (
    request: Record<string, unknown> = { side: "buy", quantity: "1" },
    symbol?: string,
  ) => storedTicket((await preview(request, null, symbol)).ticket_id);
  const execute = (ticket: TicketRecord, who = ada, over: Partial<TradePorts> = {}) =>
    executeTicket(ticket, who, { ...ports, ...over });
  return {
    ...paper,
    real,
    ports,
    preview,
    ticket: storedTicket,
    ticketOf,
    acts,
    lines,
    execute,
    /** Previews a trade, executes its ticket and returns the order. */
    trade: async (request?: Record<string, unknown>, symbol?: string) =>
      (await execute(await ticketOf(request, symbol))).order,
    setLimits: (limits: Partial<RiskLimits>) => ports.tradeRules.setLimits("ada", limits, T0),
    setKillSwitch: (engaged: boolean) =>
      ports.tradeRules.setKillSwitch("ada", { engaged, since: T0, reason: null }),
    sent: async () => real.orders({ since: "2000-01-01T00:00:00.000Z" }),
  };
}
