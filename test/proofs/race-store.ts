import { openBetterAuth } from "../../src/access/sign-in/better-auth.ts";
import type { Subscription } from "../../src/domain/alerts/alerts.ts";
import { idempotency } from "../../src/store/accounts/idempotency.ts";
import { openKeyring } from "../../src/store/accounts/keyring.ts";
import { people } from "../../src/store/accounts/people.ts";
import { signInRecords } from "../../src/store/accounts/sign-in-records.ts";
import { changeRepository } from "../../src/store/alerts/changes.ts";
import { alertQueue } from "../../src/store/alerts/deliveries.ts";
import { deliveryQueue } from "../../src/store/alerts/delivery-queue.ts";
import { subscriptionRepository } from "../../src/store/alerts/subscriptions.ts";
import { auditLog } from "../../src/store/audit/audit-log.ts";
import { confirmationRequests } from "../../src/store/trading/confirmation-requests.ts";
import { tradeRepository } from "../../src/store/trading/trade-repository.ts";
import { subscriptionOf } from "../support/alerts.ts";
import { testHash } from "../support/keyed-hash.ts";
import { openStoreAt } from "./store-at.ts";

/** Time that every row of the race has. */
export const AT = "2026-01-15T15:00:00.000Z";
/** End of everything that expires. */
export const LATER = "2099-01-01T00:00:00.000Z";
export const MARKET = "test";
/** Account whose orders race. */
export const TRADER = "ada";
/** Processes of a race, and attempts of each in a round. */
export const PROCESSES = 4;
export const ATTEMPTS = 3;

const digits = (n: number): string => String(n).padStart(20, "0");
export const connectionId = (round: number): string => `cn_${round}`;
export const orderId = (round: number, n: number): string => `or_${digits(round * 100 + n)}`;
export const ticketId = (round: number, n: number): string => `tk_${digits(round * 100 + n)}`;
/** Account that asks for confirmations in a round. */
export const requester = (round: number): string => `requester ${round}`;
export const linkHash = (round: number): string => `link ${round}`;
export const codeHash = (round: number): string => `code ${round}`;
export const verification = (round: number): string => `verification ${round}`;

export const raceSubscription = (n: number): Subscription => ({
  ...subscriptionOf(`sb_${digits(n)}`, "webhook", "a.example"),
  symbols: ["BTC-USD"],
});

export const raceSession = (id: string) => ({
  id,
  token: `session ${id}`,
  createdAt: AT,
  expiresAt: LATER,
  userAgent: null,
});

/** Opens what races over a database: the address of one of PostgreSQL, or a folder of SQLite. `who`: prefix of its ids. */
export async function openRaceStore(database: string, who: string) {
  const clock = { now: () => new Date() };
  const store = await openStoreAt(
    /^postgres/.test(database) ? { DATABASE_URL: database } : { DATA_DIR: database },
  );
  const { db } = store;
  const here = { db, market: MARKET };
  let made = 0;
  const ids = { uuid: () => `${who}-${++made}` };
  const auth = openBetterAuth({
    db,
    dialect: store.file === null ? "postgres" : "sqlite",
    secret: "secret of the race, which nobody else knows",
    publicUrl: "http://127.0.0.1:1",
    resource: "http://127.0.0.1:1/api/mcp",
    hasOAuth: false,
    isSuspended: async () => false,
    onSession: async () => {},
    log() {},
  });
  return {
    store,
    db,
    ids,
    trades: tradeRepository(here),
    requests: confirmationRequests(here),
    idempotent: idempotency({ ...here, clock, ids, keyedHash: testHash(1) }),
    subscriptions: subscriptionRepository(here),
    alerts: alertQueue(here),
    queue: deliveryQueue(here),
    changes: changeRepository(here),
    // the file of the head is not what races here
    audit: auditLog({ db, dataDir: "", head: { read: () => null, write() {} } }),
    keyring: openKeyring(db),
    people: people(db),
    signIn: signInRecords(db),
    verifications: (await auth.$context).internalAdapter,
  };
}
