import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import type { Principal, Scope } from "../../src/domain/accounts/access.ts";
import type { Connection } from "../../src/domain/trading/trading.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import type { InputOf, OutputOf, Tool } from "../../src/kernel/tool.ts";
import { idDigits } from "../../src/lib/id-digits.ts";
import { connectBroker } from "../../tools/connect-broker.ts";
import { FAKE_ALPACA_KEY, type FakeAlpaca, startFakeAlpaca } from "./fake-alpaca.ts";
import type { Installation } from "./installation.ts";
import { type LiveStage, stageAt } from "./live.ts";
import { suiteDir } from "./temp-dir.ts";

export const TRADING: readonly Scope[] = ["read", "write", "trade:paper", "trade:live"];
const NOON = "2026-01-15T17:00:00.000Z";

/** An installation with live prices of a replay, and a stand-in for a broker's live accounts. */
export interface LiveBroker {
  readonly stage: LiveStage;
  readonly site: Installation;
  readonly broker: FakeAlpaca;
  /** Orders that the broker has received. */
  orders(): number;
  /** Signs a person in by a link and returns the cookie of the session. */
  signIn(account: string, role?: "owner" | "member" | "viewer"): Promise<string>;
  /** Calls a tool as an account, with a key of that id. */
  call<T extends Tool>(tool: T, input: InputOf<T>, account?: string, keyId?: string): Promise<OutputOf<T>>;
  /** Connects the live account at the broker. */
  connect(account?: string): Promise<Connection>;
  /** Saves the ticket of a purchase with money and returns its id. */
  ticket(account?: string): Promise<string>;
}

/** Opens an installation for the tests of a file or group. The members are available once the tests run. */
export function useLiveBroker(env: Record<string, string> = {}): LiveBroker {
  const live = liveBroker(env);
  beforeAll(live.open, 60_000);
  afterAll(live.close);
  return live;
}

/** An installation that is opened and closed by its user, in this order. */
export function liveBroker(
  env: Record<string, string> = {},
): LiveBroker & { open(): Promise<void>; close(): Promise<void> } {
  const { dir, remove } = suiteDir();
  const stage = stageAt(NOON);
  const opened = { stage } as { stage: LiveStage; site: Installation; broker: FakeAlpaca };
  const price = () => Number(stage.world.trade("AAPL")!.price.toFixed(2));
  const call = <T extends Tool>(tool: T, input: InputOf<T>, account = "owner", keyId = "key_agent") => {
    const principal: Principal = { account, plan: "pro", scopes: TRADING, keyId };
    return invoke(tool, input, {
      ports: opened.site.app.ports,
      principal,
      transport: "test",
      detail: "full",
    });
  };
  const connections = new Map<string, Connection>();
  const connect = async (account = "owner") => {
    const credentials = { ...FAKE_ALPACA_KEY };
    const { connection } = await call(
      connectBroker,
      { broker: "alpaca", account_type: "live", credentials },
      account,
    );
    connections.set(account, connection);
    return connection;
  };
  return Object.assign(opened, {
    async open() {
      opened.broker = await startFakeAlpaca({
        now: () => stage.clock.at(),
        asset: (symbol) => (symbol === "AAPL" ? { price: price() } : undefined),
      });
      opened.site = await stage.open(dir, { ...opened.broker.env, TRADING_LIVE: "1", OAUTH: "on", ...env });
    },
    async close() {
      await opened.site.stop();
      await opened.broker.close();
      remove();
    },
    orders: () => opened.broker.calls().filter(({ method }) => method === "POST").length,
    async signIn(account: string, role: "owner" | "member" | "viewer" = "owner") {
      const { app, url } = opened.site;
      const { token } = await app.browserSessions.issueLink({ account, name: account, role });
      const { headers } = await fetch(`${url}/open/${token}`, { redirect: "manual" });
      return headers.getSetCookie()[0]!.split(";")[0]!;
    },
    call,
    connect,
    async ticket(account = "owner") {
      const { connection_id } = connections.get(account) ?? (await connect(account));
      const id = `tk_${idDigits(randomUUID())}`;
      const now = stage.clock.at();
      const at = (ms: number) => new Date(now + ms).toISOString();
      // previews follow the signal of the day; what they store is the same
      await opened.site.app.ports.tradeRepository.saveTicket(account, {
        id,
        connection: connection_id,
        market: opened.site.app.ports.market.id,
        intent: {
          symbol: "AAPL",
          side: "buy",
          type: "market",
          quantity: "1",
          limit_price: null,
          stop_price: null,
          time_in_force: "day",
          take_profit: null,
          stop_loss: null,
        },
        shown: {
          account_type: "live",
          broker: "alpaca",
          quote: { price: String(price()) },
          maximum_loss: { at_stop: null, worst: String(price()), basis: "The price" },
          odds: null,
          odds_reason: "No stop or target",
        },
        createdAt: at(0),
        expiresAt: at(300_000),
        order: null,
        confirmedAt: null,
      });
      return id;
    },
  });
}
