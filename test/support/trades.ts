import type { Principal } from "../../src/domain/accounts/access.ts";
import type { Connection, Intent } from "../../src/domain/trading/trading.ts";
import { brokerMarket } from "./brokers.ts";
import { NOW } from "./context.ts";
import { quote } from "./market.ts";

export const CONNECTION = `cn_${"1".repeat(20)}`;
/** The principal in contract tests of tools. */
export const trader: Principal = {
  account: "contract",
  plan: "enterprise",
  scopes: ["read", "write", "trade:paper"],
};
const connection: Connection = {
  connection_id: CONNECTION,
  broker: "paper",
  account_type: "paper",
  account_mask: "4242",
  market: "test",
  connected_at: NOW.toISOString(),
  checked_at: NOW.toISOString(),
};

/** A market with current quotes and one paper connection of the trader. */
export async function tradeMarket() {
  const timestamp = NOW.toISOString();
  const market = await brokerMarket({
    quotes: {
      AAPL: quote({ price: 138, timestamp }),
      "BTC-USD": quote({ price: 138, timestamp, market_state: "always_open" }),
      LINK: quote({ price: 138, timestamp }),
    },
  });
  const credentials = { api_key: "canary-key-7f3a", api_secret: "canary-secret-7f3a" };
  await market.ports.connections.add(trader.account, connection, credentials);
  return market;
}

/** Saves a ticket of the trader; its id consists of `digit`. */
export async function savedTicket(
  { ports }: Awaited<ReturnType<typeof tradeMarket>>,
  digit: string,
  over: Partial<Intent> = {},
): Promise<string> {
  const id = `tk_${digit.repeat(20)}`;
  await ports.tradeRepository.saveTicket(trader.account, {
    id,
    connection: CONNECTION,
    market: "test",
    shown: { quote: { price: "138" } },
    order: null,
    confirmedAt: null,
    createdAt: NOW.toISOString(),
    expiresAt: "2026-01-15T15:05:00.000Z",
    intent: {
      symbol: "AAPL",
      side: "buy",
      type: "market",
      quantity: "1",
      limit_price: null,
      stop_price: null,
      time_in_force: "gtc",
      take_profit: null,
      stop_loss: "130",
      ...over,
    },
  });
  return id;
}
