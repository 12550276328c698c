import { DEFAULT_LIMITS } from "../../../src/analytics/risk/limits.ts";
import type { AuditEvent } from "../../../src/domain/audit/audit-events.ts";
import type { Audit } from "../../../src/domain/audit/audit-port.ts";
import type { Ports, Symbols } from "../../../src/domain/ports.ts";
import type { TicketRecord } from "../../../src/domain/trading/trading-port.ts";
import { createConfirmations } from "../../../src/features/trading/confirmations.ts";
import { parseLimits } from "../../../src/features/trading/parse-limits.ts";
import { createTradeOwner } from "../../../src/features/trading/trading-service.ts";
import { confirmTicket } from "../../../src/store/trading/confirm-ticket.ts";
import { confirmationRequests } from "../../../src/store/trading/confirmation-requests.ts";
import { tradeRepository } from "../../../src/store/trading/trade-repository.ts";
import { tradeRules } from "../../../src/store/trading/trade-rules.ts";
import type { CliHost, OpenedTrading } from "../../../src/transports/cli/host.ts";
import { collectingLog } from "../../support/context.ts";
import { movingClock, testStore } from "../../support/store.ts";
import { testCli } from "./test-host.ts";

export const AT = "2026-01-15T15:00:00.000Z";
export const UNTIL = "2026-01-15T15:05:00.000Z";
const SYMBOLS = ["AAPL", "MSFT"];

/** A stored live ticket; its id consists of `digit`. */
export const liveTicket = (digit: string, over: Partial<TicketRecord> = {}): TicketRecord => ({
  id: `tk_${digit.repeat(20)}`,
  connection: `cn_${"1".repeat(20)}`,
  market: "test",
  createdAt: AT,
  expiresAt: UNTIL,
  order: null,
  confirmedAt: null,
  intent: {
    symbol: "AAPL",
    side: "buy",
    type: "limit",
    quantity: "3",
    limit_price: "100",
    stop_price: null,
    time_in_force: "day",
    take_profit: "110",
    stop_loss: "95",
  },
  shown: {
    account_type: "live",
    broker: "alpaca",
    quote: { price: "100.5" },
    maximum_loss: { at_stop: "15", worst: "300" },
  },
  ...over,
});

/** Ports of brokers, of which these commands use none. */
const brokerPorts = { connections: { list: async () => [] } } as unknown as Pick<
  Ports,
  "connections" | "brokers" | "market"
>;

/** The trading commands over a real store, with the accounts `owner` and `acme`. */
export async function testTrading({ tty = false, ...host }: Partial<CliHost> & { tty?: boolean } = {}) {
  const clock = movingClock();
  const { log, lines } = collectingLog();
  const { db } = await testStore();
  const entries: { account: string; event: AuditEvent; about: Readonly<Record<string, unknown>> }[] = [];
  const disk = { full: false };
  const audit: Audit = {
    async write(account, event, about) {
      if (disk.full) throw new Error("disk full");
      entries.push({ account, event, about });
    },
  };
  const rules = tradeRules({ db, defaults: DEFAULT_LIMITS });
  const here = { db, market: "test" };
  const book = tradeRepository({
    ...here,
    async confirmAudited(account, ticket, about) {
      if (disk.full) throw new Error("disk full");
      if (!(await confirmTicket(db, { ...ticket, account, market: here.market }))) return false;
      await audit.write(account, "ticket_confirmed", about);
      return true;
    },
  });
  let made = 0;
  const requests = createConfirmations({
    ports: {
      ...brokerPorts,
      tradeRules: rules,
      tradeRepository: book,
      audit,
      clock,
      log,
      ids: { uuid: () => `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}` },
    },
    requests: confirmationRequests(here),
    baseUrl: () => "http://localhost:8787",
    notify: async () => {},
  });
  let open = 0;
  const find = (text: string) => {
    const symbol = text.toUpperCase();
    return SYMBOLS.includes(symbol) ? { instrument: { symbol }, alternatives: [] } : null;
  };
  const openTrading = async (): Promise<OpenedTrading> => {
    open++;
    return {
      ...createTradeOwner({ tradeRules: rules, tradeRepository: book, audit, clock, log }),
      limits: rules.limits,
      killSwitch: rules.killSwitch,
      live: false,
      parseLimits: (terms) => parseLimits(terms, { find } as unknown as Symbols),
      requests,
      accounts: async () => ["owner", "acme"],
      close: async () => void open--,
    };
  };
  return {
    ...testCli({ tty, host: { openTrading, ...host } }),
    rules,
    book,
    entries,
    clock,
    disk,
    lines,
    requests,
    open: () => open,
  };
}
