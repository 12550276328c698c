import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newKey } from "../../src/access/keys/key-format.ts";
import { a2aCall } from "./a2a.ts";
import { mcpCall, type SiteRequest } from "./proof-server.ts";

/** Ways to send credentials to the server. */
interface Voice {
  /** Sends a request with the key of an account; returns its status. */
  ask(knock: SiteRequest): Promise<number>;
  /** Runs a command line and ignores its exit code. */
  run(...argv: readonly string[]): Promise<void>;
  /** Working folder. */
  readonly dir: string;
}

/** A credential that was sent, and the field it was sent in. */
export interface SentSecret {
  readonly what: string;
  readonly text: string;
}

const REST = "/api/broker/connect-broker";

/** An A2A request with a text message. */
const message = (text: string): ReturnType<typeof a2aCall> => {
  const call = a2aCall("", {}) as { body: { params: { message: { parts: unknown } } } } & SiteRequest;
  call.body.params.message.parts = [{ text }];
  return call;
};

/** Connects brokers over every transport and command with valid and invalid input, then uses and removes the connections. */
export async function sendCredentials({ ask, run, dir }: Voice): Promise<readonly SentSecret[]> {
  const spoken: SentSecret[] = [];
  const canary = (what: string): string => {
    const text = `canary${newKey("live").slice(8)}`;
    spoken.push({ what, text });
    return text;
  };
  const credentials = (where: string) => ({
    api_key: canary(`the broker key of ${where}`),
    api_secret: canary(`the broker secret of ${where}`),
  });
  const paper = (where: string) => ({
    broker: "paper",
    account_type: "paper",
    credentials: credentials(where),
  });
  const rest = (body: unknown, path = REST): SiteRequest => ({
    method: "POST",
    path,
    body,
    headers: { "idempotency-key": randomUUID() },
  });
  const connected = [
    await ask(rest(paper("a connection over REST"))),
    await ask(mcpCall("connect_broker", paper("a connection over MCP"))),
    await ask(a2aCall("connect_broker", paper("a connection over A2A"))),
  ];
  if (connected.some((status) => status >= 300)) throw new Error(`not connected: ${connected}`);

  const wrong = (where: string): readonly Readonly<Record<string, unknown>>[] => [
    { ...paper(`an unknown broker over ${where}`), broker: "unknown" },
    { ...paper(`a broker of another market over ${where}`), broker: "alpaca" },
    { ...paper(`a live account over ${where}`), account_type: "live" },
    { ...paper(`an odd type over ${where}`), account_type: canary(`an account type over ${where}`) },
    { ...paper(""), credentials: canary(`credentials as text over ${where}`) },
    { ...paper(""), credentials: [canary(`credentials as a list over ${where}`)] },
    {
      ...paper(""),
      credentials: { ...credentials(`one too many over ${where}`), more: canary(`more over ${where}`) },
    },
    {
      ...paper(""),
      credentials: {
        apiKey: canary(`a misnamed key over ${where}`),
        secret: canary(`a misnamed secret over ${where}`),
      },
    },
    {
      ...paper(""),
      credentials: { api_key: canary(`a key that is too long over ${where}`).repeat(9), api_secret: 1 },
    },
    { ...paper(`a field too many over ${where}`), api_secret: canary(`a stray secret over ${where}`) },
    { credentials: credentials(`nothing but credentials over ${where}`) },
  ];
  for (const input of wrong("REST")) await ask(rest(input));
  for (const input of wrong("MCP")) await ask(mcpCall("connect_broker", input));
  for (const input of wrong("A2A")) await ask(a2aCall("connect_broker", input));
  // sent to tools that do not take credentials
  for (const tool of ["list_connections", "execute_trade", "no_such_tool"])
    for (const call of [mcpCall, a2aCall]) await ask(call(tool, paper(`a call of ${tool}`)));
  await ask(rest(paper("a call of execute_trade over REST"), "/api/broker/execute-trade"));
  const { api_key, api_secret } = credentials("a sentence over A2A");
  await ask(message(`Connect my paper broker with the API key ${api_key} and the secret ${api_secret}`));
  await ask(message(JSON.stringify({ skill: "connect_broker", input: paper("JSON as text over A2A") })));
  await ask(message(`connect_broker ${JSON.stringify(paper("half JSON as text over A2A"))}`));
  await ask({
    ...rest(undefined),
    headers: { "content-type": "application/json" },
    raw: `{"broker":"paper","credentials":{"api_key":"${canary("a key in broken JSON")}","api_secret":"${canary("a secret in broken JSON")}"`,
  });

  const flags = (where: string) => {
    const { api_key, api_secret } = credentials(where);
    return ["--api-key", api_key, "--api-secret", api_secret];
  };
  await run("connect", "paper", ...flags("the command line"));
  await run("connect", "alpaca", ...flags("a command for another market"));
  await run("connect", "paper", "--credentials", canary("credentials as text on the command line"));
  const file = join(dir, "credentials.json");
  writeFileSync(file, JSON.stringify(credentials("a file for the command line")));
  await run("connect", "paper", "--credentials", `@${file}`, "--json");
  writeFileSync(file, `{"api_key":"${canary("a key in a broken file")}`);
  await run("connect", "paper", "--credentials", `@${file}`);

  const coin = { symbol: "BTC-USD", side: "buy", quantity: "0.001" };
  for (const [name, path, input] of [
    ["list_connections", "/api/broker/connections", null],
    ["sync_positions", "/api/broker/sync-positions", {}],
    ["preview_trade", "/api/broker/preview-trade", coin],
    ["execute_trade", "/api/broker/execute-trade", { ...coin, idempotency_key: randomUUID() }],
    ["reconcile_orders", "/api/broker/reconcile-orders", {}],
  ] as const) {
    await ask(input === null ? { method: "GET", path } : rest(input, path));
    await ask(mcpCall(name, input ?? {}));
    await ask(a2aCall(name, input ?? {}));
  }
  await ask({
    method: "POST",
    path: "/api/a2a",
    headers: { "a2a-version": "1.0" },
    body: {
      jsonrpc: "2.0",
      id: 1,
      method: "ListTasks",
      params: { includeArtifacts: true, historyLength: 10 },
    },
  });
  await run("audit", "export");
  await run("audit", "verify", "--json");
  return spoken;
}
