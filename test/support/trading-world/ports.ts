import type { Instrument, Quote } from "../../../src/domain/market/market.ts";
import type { Ports } from "../../../src/domain/ports.ts";
import type { Connection } from "../../../src/domain/trading/trading.ts";
import type {
  Audit,
  AuditEvent,
  TicketRecord,
  TradeRepository,
  TradeRules,
} from "../../../src/domain/trading/trading-port.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { sampleMarket } from "../context.ts";
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

/** What one request did, as far as it matters. */
export interface Trace {
  /** Whether it may send what moves real money. */
  readonly live: boolean;
  /** Whether the kill switch has been engaged for certain since before it began. */
  stopped(): boolean;
  sawStopped: boolean;
  /** Whether it is engaged for certain now. */
  stands(): boolean;
  /** Acts that were written down by it. */
  readonly written: (readonly [AuditEvent, Readonly<Record<string, unknown>>])[];
}

/** What a trade is made with. */
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
>;

export interface BrokerLines {
  readonly connections: readonly Connection[];
  readonly brokers: ReadonlyMap<string, FaultyBroker>;
}

/** The ports of one request to a process: every answer of store and broker takes its time, and may not come. */
export function portsOf(
  world: World,
  of: SimulatedProcess,
  at: BrokerLines & {
    readonly book: TradeRepository;
    readonly rules: TradeRules;
    readonly weather: () => BrokerFaults;
    readonly trace: Trace;
    readonly market: string;
    begun(clientOrderId: string, trace: Trace): void;
    sending(clientOrderId: string, trace: Trace): void;
    kept(ticket: TicketRecord): void;
    wrote(): void;
  },
): WorldPorts {
  const { draw } = world;
  const { book, rules, trace } = at;
  const write = <T>(effect: () => Promise<T>): Promise<T> =>
    world.ask({
      of,
      orphaned: "may",
      async effect() {
        const fails = draw.chance(at.weather().store);
        if (fails && draw.chance(0.5)) throw full();
        const value = await effect();
        at.wrote();
        if (fails) throw full();
        return value;
      },
    });
  const read = <T>(effect: () => Promise<T>): Promise<T> => world.ask({ of, effect });
  const stored: TradeRepository = {
    saveTicket: (account, ticket) =>
      write(async () => {
        await book.saveTicket(account, ticket);
        at.kept(ticket);
      }),
    ticket: (...asked) => read(() => book.ticket(...asked)),
    tickets: (...asked) => read(() => book.tickets(...asked)),
    confirm: (...told) => write(() => book.confirm(...told)),
    begin: (...told) =>
      write(async () => {
        const begun = await book.begin(...told);
        if (begun) at.begun(told[1].client_order_id, trace);
        return begun;
      }),
    change: (...told) => write(() => book.change(...told)),
    working: (...asked) => read(() => book.working(...asked)),
    newest: (...asked) => read(() => book.newest(...asked)),
    order: (...asked) => read(() => book.order(...asked)),
    orders: (...asked) => read(() => book.orders(...asked)),
    recordEquity: (...told) => write(() => book.recordEquity(...told)),
  };
  const heeded: TradeRules = {
    limits: (...asked) => read(() => rules.limits(...asked)),
    setLimits: (...told) => write(() => rules.setLimits(...told)),
    async killSwitch(account) {
      const now = await read(() => rules.killSwitch(account));
      if (now.engaged) trace.sawStopped = true;
      return now;
    },
    setKillSwitch: (...told) => write(() => rules.setKillSwitch(...told)),
  };
  const audit: Audit = {
    write: (_, event, about) => write(async () => void trace.written.push([event, about])),
  };
  return {
    tradeRepository: stored,
    tradeRules: heeded,
    audit,
    clock: world.clock,
    log: { info() {}, warn() {}, error() {} },
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

const full = (): ToolError => new ToolError("STORAGE_FULL", "Nothing can be stored now");
