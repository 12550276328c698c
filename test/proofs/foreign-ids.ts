import { SESSION_SCOPES } from "../../src/domain/accounts/people.ts";
import { scopesOf, type Tool } from "../../src/kernel/tool.ts";
import { prepareAgents } from "../support/account-fixtures.ts";
import { FULL } from "../support/draws.ts";
import { a2aCall, a2aErrorCode } from "./a2a.ts";
import { takesApp } from "./expected-access.ts";
import { foreignStream, foreignTask } from "./foreign-tasks.ts";
import { openPeople } from "./people.ts";
import {
  mcpCall,
  mcpErrorCode,
  type ProofServer,
  requestOf,
  responseJson,
  sendRequest,
} from "./proof-server.ts";
import { endStreams, findTraces, openTenant, repeatAsOther, type Tenant } from "./tenants.ts";

type Input = Readonly<Record<string, unknown>>;
/** Creates an object with this Authorization header, or connects an app; returns its id. */
type Maker = (
  server: ProofServer,
  authorization: string,
  connectApp: () => Promise<string>,
) => Promise<string>;

/** Calls a route with this Authorization header; returns the JSON of the response. @throws Error with the body of a refusal */
async function callRoute(
  server: ProofServer,
  authorization: string,
  route: string,
  input: Input = {},
): Promise<any> {
  const response = await sendRequest(server, { ...requestOf(route, input), authorization });
  const body = await responseJson(response);
  if (!response.ok)
    throw new Error(
      [`${route} ${JSON.stringify(input)}:`, JSON.stringify(body), ...server.errors].join("\n"),
    );
  return body;
}

/** How an account creates an object, and an id that no account has, by the input field that takes such ids. */
const OBJECTS: Readonly<Record<string, { readonly make: Maker; readonly unknownId: string }>> = {
  client_id: { unknownId: "x".repeat(32), make: (_server, _authorization, connectApp) => connectApp() },
  note_id: {
    unknownId: "00000000-0000-4000-8000-0000000000ff",
    make: async (server, authorization) =>
      (await callRoute(server, authorization, "POST /api/v1/notes", { text: "mine" })).note_id,
  },
  backtest_id: {
    unknownId: `bt_${"0".repeat(20)}`,
    async make(server, authorization) {
      const input = { symbol: "AAPL", strategy: "buy_hold", picture: false };
      return (await callRoute(server, authorization, "POST /api/v1/backtest", input)).id;
    },
  },
  connection_id: { unknownId: `cn_${"0".repeat(20)}`, make: paperConnection },
  ticket_id: {
    unknownId: `tk_${"0".repeat(20)}`,
    make: (server, authorization) =>
      ticket(server, authorization, { symbol: "AAPL", side: "buy", quantity: "1" }),
  },
  order_id: { unknownId: `or_${"0".repeat(20)}`, make: order },
  receipt_id: {
    unknownId: `rc_${"0".repeat(20)}`,
    make: async (server, authorization) =>
      (await callRoute(server, authorization, "POST /api/v1/receipts", { symbol: "AAPL" })).receipt
        .receipt_id,
  },
  subscription_id: {
    unknownId: `sb_${"0".repeat(20)}`,
    async make(server, authorization) {
      const input = { symbols: ["AAPL"] };
      const made = await callRoute(server, authorization, "POST /api/v1/subscriptions", input);
      return made.subscription.subscription_id;
    },
  },
  claim_id: {
    unknownId: `cl_${"0".repeat(20)}`,
    async make(server, authorization) {
      const input = { author: "A friend", symbol: "AAPL", side: "LONG" };
      return (await callRoute(server, authorization, "POST /api/v1/claims", input)).claim.claim_id;
    },
  },
  agent_id: {
    unknownId: `ag_${"0".repeat(20)}`,
    async make(server, authorization) {
      const stop = requestOf("POST /api/v1/agents/stop", { agent: "momentum" });
      await sendRequest(server, { ...stop, authorization }); // of an agent that an earlier tool started
      const input = { agent: "momentum", every: "1h", symbols: ["AAPL"] };
      return (await callRoute(server, authorization, "POST /api/v1/agents/start", input)).agent.agent_id;
    },
  },
};
const MINUTE_MS = 60_000;

async function paperConnection(server: ProofServer, authorization: string): Promise<string> {
  const { connections } = await callRoute(server, authorization, "GET /api/broker/connections");
  const [stored] = connections.filter((one: Input) => one.connected_at !== null);
  if (stored !== undefined) return stored.connection_id;
  const credentials = { api_key: "any-key", api_secret: "any-secret" };
  const input = { broker: "paper", account_type: "paper", credentials };
  const made = await callRoute(server, authorization, "POST /api/broker/connect-broker", input);
  return made.connection.connection_id;
}

const ONE_COIN = { symbol: "BTC-USD", side: "buy", quantity: "0.01" };

async function ticket(server: ProofServer, authorization: string, trade: Input): Promise<string> {
  const input = { ...trade, connection_id: await paperConnection(server, authorization) };
  return (await callRoute(server, authorization, "POST /api/broker/preview-trade", input)).ticket_id;
}

async function order(server: ProofServer, authorization: string): Promise<string> {
  const input = { ticket_id: await ticket(server, authorization, ONE_COIN) };
  return (await callRoute(server, authorization, "POST /api/broker/execute-trade", input)).order.order_id;
}

/** An example to put this id into: preferably one that names no other object. */
function exampleFor({ examples }: Tool, field: string): Input {
  const others = (input: Input) => Object.keys(input).filter((name) => name !== field && isId(name));
  const fit = examples.find(({ input }) => others(input as Input).length === 0) ?? examples[0]!;
  // An agent is identified by its id or its name, never both.
  return Object.fromEntries(
    Object.entries(fit.input).filter(([name]) => field !== "agent_id" || name !== "agent"),
  );
}
/** Ids of other systems or chosen by callers; they refer to nothing stored here. */
const FOREIGN = ["chat_id", "run_id"];
const isId = (name: string): boolean => /(^|_)id$/.test(name) && !FOREIGN.includes(name);

interface Found {
  readonly calls: number;
  readonly broken: readonly string[];
}

/** Calls every tool that takes an id with another account's object: the response equals that for an unknown id. */
export async function callForeignIds(server: ProofServer): Promise<Found> {
  const broken: string[] = [];
  const owned: string[] = [];
  let calls = 0;
  const site = openPeople(server);
  const [owner, other] = [
    await openTenant(server, site, "first-tenant"),
    await openTenant(server, site, "second-tenant"),
  ];
  const scopes = ["read", "write", "trade:paper"] as const;
  const { account } = owner;
  const connectApp = async () => (await site.connected(owner.session.cookie)).client;

  for (const tool of server.app.registry.tools)
    for (const field of Object.keys(tool.input.shape).filter(isId)) {
      server.clock.pass(MINUTE_MS);
      const object = OBJECTS[field];
      if (object === undefined) {
        broken.push(`${tool.name} takes "${field}", and this proof cannot create one`);
        continue;
      }
      const example = exampleFor(tool, field);
      const { make, unknownId } = object;
      const makeOwn = () => make(server, owner.authorization, connectApp);
      const id = await makeOwn();
      owned.push(id);
      const answers = await Promise.all(
        transportsTo(tool).map(async ({ name, call }) => ({
          name,
          foreign: await call(server, other, { ...example, [field]: id }),
          unknown: await call(server, other, { ...example, [field]: unknownId }),
        })),
      );
      for (const { name, foreign, unknown } of answers) {
        calls++;
        if (foreign !== "NOT_FOUND" || unknown !== "NOT_FOUND")
          broken.push(
            `${tool.name} over ${name}: ${foreign} for another account's, ${unknown} for an unknown ${field}`,
          );
      }
      const transports = transportsTo(tool);
      // each is one of many ways to the same handler
      for (const { name, call } of FULL ? transports : [transports[owned.length % transports.length]!]) {
        // Agents are found by name if the input has no agent_id.
        if (tool.needs.includes("automation") && field !== "agent_id")
          await prepareAgents(tool, server.app.ports, { account, plan: "enterprise", scopes });
        const own = await call(server, owner, {
          ...example,
          [field]: await makeOwn(),
        });
        if (own !== null) broken.push(`${tool.name} over ${name}: ${own} for the account's own ${field}`);
      }
    }
  const found = [
    ...(await foreignTask(server, owner.authorization, other.authorization)),
    ...(await foreignStream(server, owner.authorization, other.authorization)),
    ...(await findTraces(server, owner, other, owned)),
    ...(await repeatAsOther(server, owner, other)),
    ...(await endStreams(server, site, owner)),
  ];
  for (const [where, fault] of found) {
    calls++;
    if (fault !== null) broken.push(`${where}: ${fault}`);
  }
  return { calls, broken };
}

/** Error code; null for a result. */
type Call = (server: ProofServer, tenant: Tenant, input: Input) => Promise<string | null>;

interface Transport {
  readonly name: string;
  readonly call: Call;
}

/** Every transport with every credential that may call the tool over it. */
function transportsTo(tool: Tool): readonly Transport[] {
  const overRest =
    (headersOf: (tenant: Tenant) => Readonly<Record<string, string>>): Call =>
    async (server, tenant, input) => {
      const headers = headersOf(tenant);
      const answer = await sendRequest(server, { ...requestOf(tool.route, input), headers });
      const { code, status } = await responseJson(answer);
      if (answer.ok) return null;
      return status === 404 ? String(code) : `${status} ${code}`;
    };
  const overMcp =
    (headersOf: (tenant: Tenant) => Readonly<Record<string, string>>): Call =>
    async (server, tenant, input) => {
      const { headers, ...call } = mcpCall(tool.name, input);
      return mcpErrorCode(
        await sendRequest(server, { ...call, headers: { ...headers, ...headersOf(tenant) } }),
      );
    };
  const byKey = ({ authorization }: Tenant) => ({ authorization });
  const isForSessions = scopesOf(tool).every((scope) => SESSION_SCOPES.includes(scope));
  return [
    { name: "REST", call: overRest(byKey) },
    ...(isForSessions ? [{ name: "REST with a session", call: overRest(({ session }) => session) }] : []),
    { name: "MCP", call: overMcp(byKey) },
    ...(takesApp(tool) ? [] : [{ name: "MCP by an app", call: overMcp(({ app }) => app) }]),
    {
      name: "A2A",
      call: async (server, { authorization }, input) =>
        a2aErrorCode(await sendRequest(server, { ...a2aCall(tool.name, input), authorization })),
    },
  ];
}
