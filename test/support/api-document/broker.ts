import { z } from "zod";
import { num, ok, shape, text } from "./fields.ts";
import { type DocumentedRoute, get, post } from "./routes.ts";

const SECRET = "the-secret-of-the-broker";
/** Line 155: connections are returned without credentials. */
const withoutSecret = (fields: z.ZodRawShape) =>
  shape(fields).refine((body) => !JSON.stringify(body).includes(SECRET), "no credentials");

const CREDENTIALS = { api_key: "the-key-of-the-broker", api_secret: SECRET };
const connection = { connection_id: text, account_type: z.enum(["paper", "live"]) };

/** Routes of brokers, lines 195-199, in the order in which a client calls them. */
export const BROKER_ROUTES: readonly DocumentedRoute[] = [
  {
    line: 195,
    route: "POST /api/broker/connect-broker",
    plan: "pro",
    tool: "connect_broker",
    requests: [
      post(
        "/api/broker/connect-broker",
        { broker: "paper", account_type: "paper", credentials: CREDENTIALS },
        withoutSecret({ ok, connection: shape(connection) }),
      ),
    ],
  },
  {
    line: 196,
    route: "POST /api/broker/execute-trade",
    plan: "pro",
    tool: "execute_trade",
    requests: [
      post(
        "/api/broker/execute-trade",
        { symbol: "XOM" },
        shape({
          ok,
          order: shape({ order_id: text }),
          sizing: shape({ steps: z.array(shape({ step: text })) }).refine(
            ({ steps }) => steps.some(({ step }) => step === "kelly"),
            "sized by Kelly",
          ),
        }),
      ),
    ],
  },
  {
    line: 198,
    route: "POST /api/broker/sync-positions",
    plan: "pro",
    tool: "sync_positions",
    requests: [post("/api/broker/sync-positions", {}, shape({ ok, positions: num }))],
  },
  {
    line: 197,
    route: "GET /api/broker/positions",
    plan: "pro",
    tool: "list_positions",
    requests: [
      get(
        "/api/broker/positions",
        {},
        shape({ ok, positions: z.array(shape({ symbol: text, edge: shape({ action: text }) })).min(1) }),
      ),
    ],
  },
  {
    line: 199,
    route: "GET /api/broker/connections",
    plan: "pro",
    tool: "list_connections",
    requests: [
      get(
        "/api/broker/connections",
        {},
        withoutSecret({ ok, connections: z.array(shape(connection)).min(1) }),
      ),
    ],
  },
];
