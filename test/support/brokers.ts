import { afterAll } from "vitest";
import { auditOf } from "../../src/access/audit/audit.ts";
import { createVault, masterKey } from "../../src/access/vault/vault.ts";
import { DEFAULT_LIMITS } from "../../src/analytics/risk/limits.ts";
import { brokersOf } from "../../src/app/providers/brokers.ts";
import type { NotedHead } from "../../src/domain/audit/audit.ts";
import { withPaperAccount } from "../../src/features/trading/built-in-paper.ts";
import { createConfirmations } from "../../src/features/trading/confirmations.ts";
import { accountNumber } from "../../src/providers/paper/order.ts";
import type { AuditHeadStore } from "../../src/store/audit/audit-head.ts";
import { auditLog } from "../../src/store/audit/audit-log.ts";
import { confirmationRequests } from "../../src/store/trading/confirmation-requests.ts";
import { connections } from "../../src/store/trading/connections.ts";
import { paperRepository } from "../../src/store/trading/paper-repository.ts";
import { positionRepository } from "../../src/store/trading/positions.ts";
import { tradeNotes } from "../../src/store/trading/trade-notes.ts";
import { tradeRepository } from "../../src/store/trading/trade-repository.ts";
import { tradeRules } from "../../src/store/trading/trade-rules.ts";
import { collectingLog } from "./context.ts";
import { type FakeMarket, quote, smallMarket } from "./market.ts";
import { movingClock, openMemoryStore } from "./store.ts";

function memoryHead(): AuditHeadStore {
  let last: NotedHead | null = null;
  return {
    read: () => last,
    write: (head) => {
      last = head;
    },
  };
}

/** A small market with paper accounts and an in-memory store, closed after the file's tests. */
export async function brokerMarket(over: Partial<FakeMarket> = {}) {
  const clock = movingClock();
  const { ports: market, requests } = smallMarket({
    clock,
    quotes: { AAPL: quote({ price: 138 }), MSFT: quote({ price: 162 }), "BTC-USD": quote({ price: 138 }) },
    ...over,
  });
  const store = await openMemoryStore();
  afterAll(() => store.close());
  const key = masterKey(Buffer.alloc(32, 7).toString("hex"))!;
  const here = { db: store.db, market: market.market.id };
  const vault = createVault(() => key);
  const book = auditLog({ db: store.db, dataDir: "", head: memoryHead() });
  const paperBook = paperRepository(here);
  const audit = auditOf({ repository: book, vault, clock, market: market.market.id });
  let made = 0;
  const traded = {
    ...market,
    brokers: brokersOf({ ...market, clock, book: paperBook, live: false, riskPct: "0.5" }),
    connections: withPaperAccount({
      connections: connections({ ...here, vault }),
      paperBook,
      market: market.market.id,
      audit,
      clock,
      numberOf: accountNumber,
    }),
    tradeRepository: tradeRepository(here),
    audit,
    tradeRules: tradeRules({ db: store.db, defaults: DEFAULT_LIMITS }),
    positionRepository: positionRepository({ ...here, clock }),
    tradeNotes: tradeNotes(here),
  };
  const { log } = collectingLog();
  const ports = {
    ...traded,
    confirmations: createConfirmations({
      ports: {
        ...traded,
        log,
        ids: { uuid: () => `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}` },
      },
      requests: confirmationRequests(here),
      baseUrl: () => "http://localhost:8787",
      notify: async () => {},
    }),
  };
  /** Audit events of an account and their subjects. */
  const writtenBy = async (account: string) =>
    (await book.entries(0, 10_000))
      .filter((entry) => entry.account === account)
      .map(({ event, about }) => [event, JSON.parse(about) as Record<string, unknown>] as const);
  return { ports, requests, clock, store, writtenBy };
}
