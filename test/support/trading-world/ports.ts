import type { AuditEvent } from "../../../src/domain/audit/audit-events.ts";
import type { Audit } from "../../../src/domain/audit/audit-port.ts";
import type { Instrument, Quote } from "../../../src/domain/market/market.ts";
import type { Ports } from "../../../src/domain/ports.ts";
import type { Connection } from "../../../src/domain/trading/trading.ts";
import type { TicketRecord, TradeRepository, TradeRules } from "../../../src/domain/trading/trading-port.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { inlineCompute, sampleMarket } from "../context.ts";
import type { BrokerFaults, FaultyBroker } from "./broker.ts";
import type { SimulatedProcess, World } from "./world.ts";

export const ACCOUNT = "ada";
const PRICE = 100;
export const SHARE: Instrument = {
  symbol: "AAPL",
  name: "Apple",
  asset_class: "equity",
  sector: null,
  currency: "USD",
};

/** Facts about one request that the checker needs. */
export interface Trace {
  /** True if the request may place live orders. */
  readonly live: boolean;
  /** True if the kill switch was engaged before the request began and still is. */
  engagedSinceStart(): boolean;
  sawEngaged: boolean;
  /** True if the kill switch is known to be engaged. */
  engagedNow(): boolean;
  /** Audit entries written by the request. */
  readonly written: (readonly [AuditEvent, Readonly<Record<string, unknown>>])[];
}

/** Ports used by trading. */
export type WorldPorts = Pick<
  Ports,
  | "brokers"
  | "connections"
  | "tradeRepository"
  | "tradeRules"
  | "audit"
  | "quotes"
  | "symbols"
  | "bars"
  | "clock"
  | "log"
  | "market"
  | "compute"
>;

export interface BrokerLines {
  readonly connections: readonly Connection[];
  readonly brokers: ReadonlyMap<string, FaultyBroker>;
}

/** Ports of one request to a process: every response of store and broker is delayed and may be lost. */
export function portsOf(
  world: World,
  of: SimulatedProcess,
  at: BrokerLines & {
    readonly repository: TradeRepository;
    readonly rules: TradeRules;
    readonly faults: () => BrokerFaults;
    readonly trace: Trace;
    readonly market: string;
    begun(clientOrderId: string, trace: Trace): void;
    sending(clientOrderId: string, trace: Trace): void;
    ticketSaved(ticket: TicketRecord): void;
    wrote(): void;
  },
): WorldPorts {
  const { draw } = world;
  const { repository, rules, trace } = at;
  const write = <T>(effect: () => Promise<T>): Promise<T> =>
    world.schedule({
      of,
      orphaned: "may",
      async effect() {
        const fails = draw.chance(at.faults().store);
        if (fails && draw.chance(0.5)) throw storageFull();
        const value = await effect();
        at.wrote();
        if (fails) throw storageFull();
        return value;
      },
    });
  const read = <T>(effect: () => Promise<T>): Promise<T> => world.schedule({ of, effect });
  const stored: TradeRepository = {
    saveTicket: (account, ticket) =>
      write(async () => {
        await repository.saveTicket(account, ticket);
        at.ticketSaved(ticket);
      }),
    ticket: (...args) => read(() => repository.ticket(...args)),
    tickets: (...args) => read(() => repository.tickets(...args)),
    confirm: (...args) => write(() => repository.confirm(...args)),
    refuse: (...args) => write(() => repository.refuse(...args)),
    requestConfirmation: (...args) => write(() => repository.requestConfirmation(...args)),
    sentUnconfirmed: (...args) => read(() => repository.sentUnconfirmed(...args)),
    begin: (...args) =>
      write(async () => {
        const begun = await repository.begin(...args);
        if (begun) at.begun(args[1].client_order_id, trace);
        return begun;
      }),
    change: (...args) => write(() => repository.change(...args)),
    working: (...args) => read(() => repository.working(...args)),
    newest: (...args) => read(() => repository.newest(...args)),
    order: (...args) => read(() => repository.order(...args)),
    orders: (...args) => read(() => repository.orders(...args)),
    unreconciled: (...args) => read(() => repository.unreconciled(...args)),
    setReconciled: (...args) => write(() => repository.setReconciled(...args)),
    recordEquity: (...args) => write(() => repository.recordEquity(...args)),
  };
  const observedRules: TradeRules = {
    limits: (...args) => read(() => rules.limits(...args)),
    setLimits: (...args) => write(() => rules.setLimits(...args)),
    async killSwitch(account) {
      const now = await read(() => rules.killSwitch(account));
      if (now.engaged) trace.sawEngaged = true;
      return now;
    },
    setKillSwitch: (...args) => write(() => rules.setKillSwitch(...args)),
  };
  const audit: Audit = {
    write: (_, event, about) => write(async () => void trace.written.push([event, about])),
  };
  return {
    tradeRepository: stored,
    tradeRules: observedRules,
    audit,
    clock: world.clock,
    log: { info() {}, warn() {}, error() {} },
    compute: inlineCompute(),
    market: { ...sampleMarket, id: at.market },
    symbols: {
      find: (text: string) => (text === SHARE.symbol ? { instrument: SHARE, alternatives: [] } : null),
    } as unknown as Ports["symbols"],
    quotes: {
      latest: async () =>
        ({
          price: PRICE,
          timestamp: world.clock.now().toISOString(),
          price_source: "live_quote",
          market_state: "regular",
        }) as Quote,
    },
    bars: {
      history: async () => {
        throw new ToolError("NOT_ENOUGH_DATA", "There are no bars");
      },
    } as unknown as Ports["bars"],
    brokers: {
      live: true,
      riskPct: "0.5",
      requireAvailable: () => undefined,
      open: ({ connection }) => at.brokers.get(connection)!.reach(of, (id) => at.sending(id, trace)),
    },
    connections: {
      add: async (_, connection) => connection,
      checked: async () => {},
      remove: async () => false,
      list: async () => at.connections,
      async find(_, id) {
        const connection = at.connections.find(({ connection_id }) => connection_id === id);
        return connection === undefined ? null : { connection, credentials: { api_key: "", api_secret: "" } };
      },
    },
  };
}

const storageFull = (): ToolError => new ToolError("STORAGE_FULL", "Nothing can be stored now");
