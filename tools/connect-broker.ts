import { z } from "zod";
import { MarketMode, Succeeded } from "../src/domain/answers.ts";
import { AccountAnswer } from "../src/domain/trading/positions.ts";
import {
  AccountType,
  BrokerName,
  Connection,
  PaperEquity,
  PaperFills,
} from "../src/domain/trading/trading.ts";
import { accountAnswer, formatAccount, formatConnection } from "../src/features/trading/connection.text.ts";
import { connectOrRequest } from "../src/features/trading/request-credentials.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Connects a brokerage account. Stores nothing until the broker accepts the credentials. */
export const connectBroker = defineTool({
  name: "connect_broker",
  title: "Connect broker",
  description:
    "Connects a brokerage account, paper or live, with its API key and secret: the broker checks them, then they are stored encrypted and never shown. Without credentials, returns a page to type them. Use it to link, hook up or add a broker account such as Alpaca, to replace its keys, or to set up an account of the built-in paper simulator. list_connections lists them; disconnect_broker removes one.",
  topics: [
    "connect my broker",
    "link my broker",
    "broker api key",
    "replace broker keys",
    "new paper account",
  ],
  toolset: "trading",
  plan: "pro",
  effect: "write",
  destructive: true,
  route: "POST /api/broker/connect-broker",
  cli: { command: "connect", positionals: ["broker"] },
  needs: ["brokers", "connections", "confirmations", "audit", "clock", "ids", "market"],
  secrets: { input: ["credentials"] },
  input: z.object({
    broker: BrokerName.describe(
      "paper: opens another account of the built-in simulator, without credentials",
    ),
    account_type: AccountType.default("paper"),
    credentials: z
      .strictObject({
        api_key: z.string().trim().min(1).max(200).describe("API key of the broker"),
        api_secret: z.string().trim().min(1).max(400).describe("API secret of the broker"),
      })
      .optional()
      .describe(
        "Stored encrypted, never returned. Without them, a person of the account types them on a page of the server; paper opens a new account.",
      ),
    equity: z
      .preprocess((value) => (typeof value === "number" ? String(value) : value), PaperEquity)
      .optional()
      .describe(
        "Paper only: cash to start with, US dollars, as text or number. Default: the owner's PAPER_EQUITY.",
      ),
    fills: PaperFills.optional().describe(
      "Paper only; cannot be changed later. market: fills with spread, impact and fees; next_open: fills in full at the next daily open, as in backtests. Default: market.",
    ),
  }),
  output: z.object({
    ...Succeeded,
    connection: Connection,
    created: z.boolean().describe("true: this call stored a new connection"),
    account: AccountAnswer,
    market: MarketMode,
  }),
  examples: [
    {
      ask: "Open a new paper account with 25,000 dollars",
      input: { broker: "paper", account_type: "paper", equity: "25000" },
    },
  ],
  terminal: ({ connection, created, account }, paint) =>
    [
      created ? "connected" : "already connected",
      ...formatConnection(connection, paint),
      ...formatAccount(account, paint),
      paint("dim", "preview_trade sizes and checks a trade, execute_trade sends it."),
    ].join("\n"),

  async handler({ broker, account_type, credentials, equity, fills }, ctx) {
    const { connection, created, account } = await connectOrRequest(
      { broker, type: account_type, credentials, equity, fills, signal: ctx.signal },
      ctx.principal,
      ctx,
    );
    return {
      connection,
      created,
      account: accountAnswer(account),
      market: ctx.market.mode,
    };
  },
});
