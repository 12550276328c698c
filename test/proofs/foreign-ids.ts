import type { Tool } from "../../src/kernel/tool.ts";
import { prepareAgents } from "../support/account-fixtures.ts";
import { a2aCall, a2aErrorCode } from "./a2a.ts";
import {
  mcpCall,
  mcpErrorCode,
  type ProofServer,
  requestOf,
  responseJson,
  sendRequest,
} from "./proof-server.ts";

type Input = Readonly<Record<string, unknown>>;
/** Makes one object of a kind with this Authorization header; its id. */
type Maker = (house: ProofServer, authorization: string) => Promise<string>;

/** How an account comes by an object, and an id that is nobody's, by the input field that names such objects. */
const OBJECTS: Readonly<Record<string, { readonly make: Maker; readonly nobodys: string }>> = {
  note_id: {
    nobodys: "00000000-0000-4000-8000-0000000000ff",
    async make(house, authorization) {
      const made = await sendRequest(house, {
        ...requestOf("POST /api/v1/notes", { text: "mine" }),
        authorization,
      });
      return String((await responseJson(made)).note_id);
    },
  },
  backtest_id: {
    nobodys: `bt_${"0".repeat(20)}`,
    async make(house, authorization) {
      const asked = { symbol: "AAPL", strategy: "buy_hold", picture: false };
      const made = await sendRequest(house, { ...requestOf("POST /api/v1/backtest", asked), authorization });
      return String((await responseJson(made)).id);
    },
  },
  connection_id: { nobodys: `cn_${"0".repeat(20)}`, make: paperConnection },
  ticket_id: {
    nobodys: `tk_${"0".repeat(20)}`,
    make: (house, authorization) =>
      ticket(house, authorization, { symbol: "AAPL", side: "buy", quantity: "1" }),
  },
  order_id: { nobodys: `or_${"0".repeat(20)}`, make: order },
  receipt_id: {
    nobodys: `rc_${"0".repeat(20)}`,
    async make(house, authorization) {
      const asked = { symbol: "AAPL" };
      const made = await sendRequest(house, { ...requestOf("POST /api/v1/receipts", asked), authorization });
      return String((await responseJson(made)).receipt.receipt_id);
    },
  },
  subscription_id: {
    nobodys: `sb_${"0".repeat(20)}`,
    async make(house, authorization) {
      const asked = { symbols: ["AAPL"] };
      const made = await sendRequest(house, {
        ...requestOf("POST /api/v1/subscriptions", asked),
        authorization,
      });
      return String((await responseJson(made)).subscription.subscription_id);
    },
  },
  agent_id: {
    nobodys: `ag_${"0".repeat(20)}`,
    async make(house, authorization) {
      const stop = requestOf("POST /api/v1/agents/stop", { agent: "momentum" });
      await (await sendRequest(house, { ...stop, authorization })).arrayBuffer();
      const asked = { agent: "momentum", every: "1h", symbols: ["AAPL"] };
      const made = await sendRequest(house, {
        ...requestOf("POST /api/v1/agents/start", asked),
        authorization,
      });
      return String((await responseJson(made)).agent.agent_id);
    },
  },
};
const MINUTE_MS = 60_000;

async function paperConnection(house: ProofServer, authorization: string): Promise<string> {
  const listed = await sendRequest(house, { ...requestOf("GET /api/broker/connections", {}), authorization });
  const [one] = (await responseJson(listed)).connections;
  if (one !== undefined) return String(one.connection_id);
  const credentials = { api_key: "any-key", api_secret: "any-secret" };
  const asked = { broker: "paper", account_type: "paper", credentials };
  const made = await sendRequest(house, {
    ...requestOf("POST /api/broker/connect-broker", asked),
    authorization,
  });
  const { connection, connection_id } = await responseJson(made);
  return String(connection?.connection_id ?? connection_id);
}

const ONE_COIN = { symbol: "BTC-USD", side: "buy", quantity: "0.01" };

async function ticket(house: ProofServer, authorization: string, trade: Input): Promise<string> {
  const connection_id = await paperConnection(house, authorization);
  const asked = { ...trade, connection_id };
  const made = await sendRequest(house, {
    ...requestOf("POST /api/broker/preview-trade", asked),
    authorization,
  });
  return String((await responseJson(made)).ticket_id);
}

async function order(house: ProofServer, authorization: string): Promise<string> {
  const asked = { ticket_id: await ticket(house, authorization, ONE_COIN) };
  const made = await sendRequest(house, {
    ...requestOf("POST /api/broker/execute-trade", asked),
    authorization,
  });
  return String((await responseJson(made)).order.order_id);
}

/** An example in which this field may stand: one that names no other object, where there is such a one. */
function exampleFor({ examples }: Tool, field: string): Input {
  const others = (input: Input) => Object.keys(input).filter((name) => name !== field && isId(name));
  const fit = examples.find(({ input }) => others(input as Input).length === 0) ?? examples[0]!;
  // an agent goes by its id or its name, not by both
  return Object.fromEntries(
    Object.entries(fit.input).filter(([name]) => field !== "agent_id" || name !== "agent"),
  );
}
/** Ids of others' systems and names that callers give: of nothing that is kept here. */
const FOREIGN = ["chat_id", "run_id"];
const isId = (name: string): boolean => /(^|_)id$/.test(name) && !FOREIGN.includes(name);

interface Found {
  readonly asked: number;
  readonly broken: readonly string[];
}

/** Asks every tool that takes an id for an object of another account: the same words as for one that never was. */
export async function callForeignIds(house: ProofServer): Promise<Found> {
  const broken: string[] = [];
  let asked = 0;
  const keys = await Promise.all([house.key("enterprise"), house.key("enterprise")]);
  const [owner, other] = keys.map(({ key }) => `Bearer ${key}`) as [string, string];
  const scopes = ["read", "write", "trade:paper"] as const;
  const { account, plan } = keys[0]!;

  for (const tool of house.app.registry.tools)
    for (const field of Object.keys(tool.input.shape).filter(isId)) {
      house.clock.pass(MINUTE_MS);
      const object = OBJECTS[field];
      if (object === undefined) {
        broken.push(`${tool.name} takes "${field}", and nothing here knows how to make one`);
        continue;
      }
      const example = exampleFor(tool, field);
      const { make, nobodys } = object;
      const id = await make(house, owner);
      const answers = await Promise.all(
        doorsTo(tool).map(async ({ name, ask }) => ({
          name,
          foreign: await ask(house, other, { ...example, [field]: id }),
          unknown: await ask(house, other, { ...example, [field]: nobodys }),
        })),
      );
      for (const { name, foreign, unknown } of answers) {
        asked++;
        if (foreign !== "NOT_FOUND" || unknown !== "NOT_FOUND")
          broken.push(
            `${tool.name} over ${name}: ${foreign} for another's, ${unknown} for nobody's ${field}`,
          );
      }
      for (const { name, ask } of doorsTo(tool)) {
        // an agent by its name where it is named by nothing else
        if (tool.needs.includes("automation") && field !== "agent_id")
          await prepareAgents(tool, house.app.ports, { account, plan, scopes });
        const own = await ask(house, owner, { ...example, [field]: await make(house, owner) });
        if (own !== null) broken.push(`${tool.name} over ${name}: ${own} for one's own ${field}`);
      }
    }
  for (const one of [foreignTask, foreignStream])
    for (const [where, told] of await one(house, owner, other)) {
      asked++;
      if (told !== null) broken.push(`${where}: ${told}`);
    }
  return { asked, broken };
}

/** What was asked, and what is wrong with the answer; null where nothing is. */
type Finding = readonly [where: string, told: string | null];

/** The task of one account asked for by another, in every binding. */
async function foreignTask(house: ProofServer, owner: string, other: string): Promise<readonly Finding[]> {
  const [tool] = house.app.registry.tools.filter(
    ({ examples }) => Object.keys(examples[0]!.input).length === 0,
  );
  const sent = await sendRequest(house, { ...a2aCall(tool!.name, {}), authorization: owner });
  const { id } = (await responseJson(sent)).result.task;
  const headers = { "a2a-version": "1.0" };
  const rpc = async (method: string, params: object, authorization: string) => {
    const body = { jsonrpc: "2.0", id: 1, method, params };
    return responseJson(
      await sendRequest(house, { method: "POST", path: "/api/a2a", headers, body, authorization }),
    );
  };
  const rest = async (method: string, path: string) =>
    (await sendRequest(house, { method, path: `/api/a2a/rest${path}`, headers, authorization: other }))
      .status;
  const [own, ...foreign] = await Promise.all([
    rpc("GetTask", { id }, owner),
    ...["GetTask", "CancelTask", "SubscribeToTask"].map((method) => rpc(method, { id }, other)),
  ]);
  const listed = await rpc("ListTasks", {}, other);
  return [
    ["GetTask of one's own task", own.result?.id === id ? null : JSON.stringify(own)],
    ...foreign.map(
      (told): Finding => [
        "another's task over A2A",
        told.error?.code === TASK_NOT_FOUND ? null : JSON.stringify(told),
      ],
    ),
    [
      "ListTasks of another account",
      listed.result?.tasks.some((task: any) => task.id === id) === false ? null : JSON.stringify(listed),
    ],
    ...(await Promise.all(
      (
        [
          ["GET", ""],
          ["POST", ":cancel"],
          ["GET", ":subscribe"],
        ] as const
      ).map(async ([method, verb]): Promise<Finding> => {
        const status = await rest(method, `/tasks/${id}${verb}`);
        return [`${method} of another's task${verb} over A2A`, status === 404 ? null : `status ${status}`];
      }),
    )),
  ];
}
const TASK_NOT_FOUND = -32001;

/** A message posted into the stream of another account. */
async function foreignStream(house: ProofServer, owner: string, other: string): Promise<readonly Finding[]> {
  const stream = await sendRequest(house, { method: "GET", path: "/api/mcp/sse", authorization: owner });
  const reader = stream.body!.getReader();
  const first = new TextDecoder().decode((await reader.read()).value);
  const path = /data: (\S+)/.exec(first)![1]!;
  const body = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const [own, foreign] = await Promise.all(
    [owner, other].map(
      async (authorization) =>
        (await sendRequest(house, { method: "POST", path, body, authorization })).status,
    ),
  );
  await reader.cancel();
  return [
    ["a message into one's own stream", own === 202 ? null : `status ${own}`],
    ["a message into another's stream", foreign === 404 ? null : `status ${foreign}`],
  ];
}

/** The code of a failure, null for an answer. */
type Ask = (house: ProofServer, authorization: string, input: Input) => Promise<string | null>;

function doorsTo(tool: Tool): readonly { readonly name: string; readonly ask: Ask }[] {
  return [
    {
      name: "REST",
      async ask(house, authorization, input) {
        const answer = await sendRequest(house, { ...requestOf(tool.route, input), authorization });
        const { code, status } = await responseJson(answer);
        if (answer.ok) return null;
        return status === 404 ? String(code) : `${status} ${code}`;
      },
    },
    {
      name: "MCP",
      ask: async (house, authorization, input) =>
        mcpErrorCode(await sendRequest(house, { ...mcpCall(tool.name, input), authorization })),
    },
    {
      name: "A2A",
      ask: async (house, authorization, input) =>
        a2aErrorCode(await sendRequest(house, { ...a2aCall(tool.name, input), authorization })),
    },
  ];
}
