import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Fields } from "../../src/lib/fields.ts";
import type { AlpacaAccount } from "./fake-alpaca-account.ts";

/** A stand-in for the MCP server of a broker, and a client that is connected to it. */
export interface BrokerMcp {
  /** Names of all tools. */
  readonly tools: readonly string[];
  /** Calls a tool and returns its result. @throws Error if it fails */
  call(tool: string, input?: Fields): Promise<any>;
  /** Orders that were placed, as they were sent. */
  readonly placed: readonly Fields[];
  close(): Promise<void>;
}

interface BrokerTool {
  readonly input?: z.ZodRawShape;
  /** true: it places an order. Default: false. */
  readonly places?: boolean;
  answer(input: any): object;
}

const text = z.string().optional();
const symbols = { symbols: z.union([z.string(), z.array(z.string())]) };

async function connected(name: string, tools: Readonly<Record<string, BrokerTool>>): Promise<BrokerMcp> {
  const placed: Fields[] = [];
  const server = new McpServer({ name, version: "1.0.0" });
  for (const [tool, { input = {}, places = false, answer }] of Object.entries(tools))
    server.registerTool(
      tool,
      { description: tool, inputSchema: z.strictObject(input), annotations: { readOnlyHint: !places } },
      async (sent: unknown) => {
        if (places) placed.push(sent as Fields);
        return { content: [{ type: "text" as const, text: JSON.stringify(answer(sent)) }] };
      },
    );
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "assistant", version: "1.0.0" });
  await Promise.all([server.connect(far), client.connect(near)]);
  const listed = await client.listTools();
  return {
    tools: listed.tools.map((tool) => tool.name),
    placed,
    async call(tool, input = {}) {
      const { content, isError } = await client.callTool({ name: tool, arguments: { ...input } });
      const [part] = content as readonly { readonly text: string }[];
      if (isError === true) throw new Error(part!.text);
      return JSON.parse(part!.text);
    },
    close: async () => {
      await client.close();
      await server.close();
    },
  };
}

/** What a stand-in quotes: US dollars and the time in ISO 8601. */
export interface StandInQuote {
  readonly symbol: string;
  readonly price: number;
  readonly at: string;
}

/** A stand-in with the tools of Robinhood's MCP server that an assistant needs for an order of shares. */
export const robinhoodMcp = ({ symbol, price, at }: StandInQuote): Promise<BrokerMcp> =>
  connected("robinhood", {
    get_portfolio: {
      answer: () => ({
        account_number: "STANDIN42",
        total_value: "100000.00",
        cash: "90743.0000",
        buying_power: { buying_power: "90743.0000", unleveraged_buying_power: "90743.0000" },
      }),
    },
    get_equity_positions: {
      answer: () => ({
        results: [
          {
            symbol: "MSFT",
            quantity: "20.000000",
            intraday_quantity: "0.000000",
            average_buy_price: "400.100000",
            shares_available_for_sells: "20.000000",
            type: "long",
          },
        ],
      }),
    },
    get_equity_orders: {
      answer: () => ({
        results: [
          {
            id: "00000000-0000-4000-8000-000000000001",
            symbol: "KO",
            side: "buy",
            type: "limit",
            trigger: "immediate",
            state: "confirmed",
            quantity: "5.00000000",
            cumulative_quantity: "0.00000000",
            price: "80.00000000",
            average_price: null,
            created_at: at,
          },
        ],
      }),
    },
    get_equity_quotes: {
      input: symbols,
      answer: () => ({
        results: [
          {
            symbol,
            last_trade_price: price.toFixed(6),
            bid_price: (price - 0.01).toFixed(6),
            bid_size: 200,
            ask_price: (price + 0.01).toFixed(6),
            ask_size: 300,
            venue_last_trade_time: at,
            state: "active",
          },
        ],
      }),
    },
    place_equity_order: {
      input: {
        account_number: z.string(),
        symbol: z.string(),
        side: z.enum(["buy", "sell"]),
        type: z.enum(["market", "limit", "stop_market", "stop_limit"]),
        quantity: text,
        dollar_amount: text,
        limit_price: text,
        stop_price: text,
        market_hours: text,
        time_in_force: text,
        ref_id: text,
      },
      places: true,
      answer: ({ ref_id }) => ({ id: "00000000-0000-4000-8000-000000000002", ref_id, state: "queued" }),
    },
  });

/** A stand-in with the tools of Alpaca's MCP server, over a simulated account. */
export const alpacaMcp = (account: AlpacaAccount, { symbol, price, at }: StandInQuote): Promise<BrokerMcp> =>
  connected("alpaca", {
    get_account_info: { answer: () => account.account() },
    get_all_positions: { answer: () => ({ result: account.positions() }) },
    get_orders: {
      input: { status: text, limit: z.number().optional(), nested: z.boolean().optional() },
      answer: (input) => ({
        result: account.list(
          new URLSearchParams(
            Object.entries(input).map(([name, one]): [string, string] => [name, String(one)]),
          ),
        ),
      }),
    },
    get_stock_latest_quote: {
      input: symbols,
      answer: () => ({
        quotes: {
          [symbol]: { ap: price + 0.01, as: 3, ax: "V", bp: price - 0.01, bs: 2, bx: "V", c: ["R"], t: at },
        },
      }),
    },
    place_stock_order: {
      input: {
        symbol: z.string(),
        side: z.enum(["buy", "sell"]),
        qty: text,
        notional: text,
        type: text,
        time_in_force: text,
        limit_price: text,
        stop_price: text,
        trail_price: text,
        trail_percent: text,
        extended_hours: z.boolean().optional(),
        client_order_id: z.string(),
        order_class: text,
        take_profit_limit_price: text,
        stop_loss_stop_price: text,
        stop_loss_limit_price: text,
      },
      places: true,
      answer: ({ take_profit_limit_price: target, stop_loss_stop_price: stop, ...sent }) =>
        account.send({
          type: "market",
          time_in_force: "day",
          ...sent,
          ...(target && { take_profit: { limit_price: target } }),
          ...(stop && { stop_loss: { stop_price: stop } }),
        }),
    },
  });
