import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DEFAULT_LIMITS } from "../../src/analytics/risk/limits.ts";
import { readConfig } from "../../src/app/config.ts";
import { openInstallation } from "../../src/app/installation.ts";
import { SCOPES } from "../../src/domain/accounts/access.ts";
import { openStore } from "../../src/store/open-store.ts";
import { tradeRules } from "../../src/store/trading/trade-rules.ts";
import { compile, serveOn } from "../support/compiled.ts";
import { collectingLog } from "../support/context.ts";
import { writeBars } from "../support/installation.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { drawsOf } from "../support/trading-world/draw.ts";
import { ledgerFaults, type ReportedOrder } from "../support/trading-world/ledger-faults.ts";
import type { Proof } from "./proof.ts";
import { fetchFromServer } from "./proof-server.ts";

const KILLS = { quick: 3, full: 200 } as const;
const CLIENTS = 6;
const TRADERS = 60;
/** Slightly longer than the time for which an order with unknown outcome blocks its account. */
const OPEN_MS = 63_000;
const clock = { now: () => new Date() };

/** One account with one connection, and its order without a response. */
interface Trader {
  readonly key: string;
  connected: boolean;
  pending: Readonly<Record<string, unknown>> | null;
  blockedUntil: number;
  side: "buy" | "sell";
}

/** Repeatedly kills a server while orders are placed with it, on one data folder. */
export const ledger: Proof = {
  name: "ledger",
  claim:
    "After kill -9 the ledger matches what clients received: every order once and complete, every booking balanced",

  async run({ scale, seed, report }) {
    const { dir, remove } = suiteDir();
    const dataDir = join(dir, "data");
    const built = await compile();
    const { whole, chance } = drawsOf(seed);
    const broken: string[] = [];
    const reported = new Map<string, ReportedOrder>();
    const traders = await openAccounts(dataDir);
    const count = { acknowledged: 0, unanswered: 0, repeated: 0, orders: 0, fills: 0 };
    /** Orders whose outcome a kill left unknown. */
    const left = new Set<string>();
    // a small market, so that the server has only orders to process after a short time
    const bars = await writeBars(dir, [["BTC-USD", "1d"]]);
    const env = { DATA_DIR: dataDir, HOME: dir, MARKET_DATA: `files:${bars}` };
    const free = () => traders.find(({ blockedUntil }) => blockedUntil < performance.now());

    /** Places orders one after another, starting with the unanswered one, until the server is killed. */
    async function trades(url: string, life: { over: boolean }): Promise<void> {
      while (!life.over) {
        const trader = free();
        if (trader === undefined) return;
        trader.blockedUntil = Number.POSITIVE_INFINITY;
        let blocked = 0;
        try {
          if (!trader.connected) {
            const credentials = { api_key: "any-key", api_secret: "any-secret" };
            const body = { broker: "paper", account_type: "paper", credentials };
            trader.connected = (await post(url, trader.key, "connect-broker", body)).status < 300;
          }
          const again = trader.pending !== null;
          const limit = chance(0.3) ? { type: "limit", limit_price: "9999999" } : {};
          trader.pending ??= {
            symbol: "BTC-USD",
            side: trader.side,
            quantity: "0.001",
            idempotency_key: randomUUID(),
            ...(trader.side === "buy" && limit),
          };
          const { status, body } = await post(url, trader.key, "execute-trade", trader.pending);
          if (status === 200) {
            reported.set(body.order.client_order_id, body.order);
            count.acknowledged++;
            if (again && body.repeated) count.repeated++;
            if (body.order.state === "submitting" || body.order.state === "unknown") blocked = OPEN_MS;
            else {
              trader.pending = null;
              trader.side = trader.side === "buy" ? "sell" : "buy";
            }
          } else if (status === 409) blocked = OPEN_MS;
          else if (status === 422 || status === 429) trader.pending = null;
          else if (!life.over) broken.push(`status ${status}: ${JSON.stringify(body)}`);
        } catch {
          count.unanswered++;
        }
        trader.blockedUntil = performance.now() + blocked;
      }
    }

    async function check(when: string, settled = false): Promise<void> {
      const store = await openStore({ dataDir, clock });
      const found = await ledgerFaults(store.db, reported, { settled });
      broken.push(...found.faults.map((fault) => `${when}: ${fault}`));
      const open = await store.db
        .selectFrom("trade_orders")
        .select("id")
        .where("state", "=", "submitting")
        .execute();
      await store.close();
      for (const { id } of open) left.add(id);
      Object.assign(count, { orders: found.orders, fills: found.fills });
    }

    let next = serveOn(built.product, env);
    try {
      for (let kill = 1; kill <= KILLS[scale]; kill++) {
        const server = await next;
        const life = { over: false };
        const before = count.acknowledged;
        const clients = Array.from({ length: CLIENTS }, () => trades(server.url, life));
        const wanted = whole(0, 12);
        const patience = performance.now() + 5_000;
        while (count.acknowledged - before < wanted && performance.now() < patience) await sleep(1);
        await sleep(whole(0, 40));
        life.over = true;
        server.child.kill("SIGKILL");
        if ((await server.ended) !== "SIGKILL") broken.push(`the server ended by itself: ${server.seen.err}`);
        await Promise.all(clients);
        await check(`kill ${kill}`);
        next = serveOn(built.product, env);
        if (kill % 10 === 0) report(`${kill} kills, ${count.acknowledged} acknowledged orders`);
      }
      const last = await next;
      if (scale === "full") {
        await sleep(OPEN_MS);
        for (const { key, connected } of traders.filter((one) => one.connected)) {
          const { status } = await post(last.url, key, "reconcile-orders", {});
          if (connected && status !== 200) broken.push(`reading back answered ${status}`);
        }
      }
      last.child.kill("SIGKILL");
      await last.ended;
      await check("in the end", scale === "full");
      return {
        figure: `${KILLS[scale]} kills under load: ${count.acknowledged} acknowledged and ${count.unanswered} unanswered orders (${count.repeated} sent again and answered), ${left.size} left open${scale === "full" ? " and read back" : ""}; ${count.orders} orders, ${count.fills} fills on disk, ${broken.length} lost, doubled, by halves or unbalanced`,
        broken,
      };
    } finally {
      const server = await next;
      server.child.kill("SIGKILL");
      await server.ended;
      built.remove();
      remove();
    }
  },
};

/** Creates accounts whose limits allow many orders. */
async function openAccounts(dataDir: string): Promise<Trader[]> {
  const installation = await openInstallation(readConfig({ DATA_DIR: dataDir }), {
    log: collectingLog().log,
  });
  const rules = tradeRules({ db: installation.store.db, defaults: DEFAULT_LIMITS });
  const made: Trader[] = [];
  for (let i = 0; i < TRADERS; i++) {
    const { key } = await installation.access.create({ plan: "enterprise", scopes: SCOPES });
    const { account } = await installation.access.identify(key);
    const none = {
      max_orders_a_minute: null,
      max_open_risk_pct: null,
      max_price_off_pct: null,
      max_quote_age_seconds: null,
    };
    await rules.setLimits(account, none, clock.now().toISOString());
    made.push({ key, connected: false, pending: null, blockedUntil: 0, side: "buy" });
  }
  await installation.close();
  return made;
}

async function post(url: string, key: string, path: string, body: unknown) {
  const authorization = `Bearer ${key}`;
  const request = { method: "POST", path: `/api/broker/${path}`, authorization, body };
  const response = await fetchFromServer(url, request);
  return { status: response.status, body: (await response.json()) as any };
}
