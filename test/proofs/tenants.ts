import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ROLE_SCOPES } from "../../src/domain/accounts/people.ts";
import { listenRequest } from "../support/listen-request.ts";
import type { openPeople } from "./people.ts";
import { mcpCall, type ProofServer, requestOf, sendRequest } from "./proof-server.ts";

type Headers = Readonly<Record<string, string>>;

/** An account with a key, the session of its person and an app that may do all that they may allow. */
export interface Tenant {
  readonly account: string;
  /** Authorization header of the key. */
  readonly authorization: string;
  readonly session: Headers & { readonly cookie: string };
  readonly app: Headers & { readonly authorization: string };
  /** Id of the app. */
  readonly client: string;
}

/** A call and the fault of its response; null if it is right. */
export type Finding = readonly [where: string, fault: string | null];

export async function openTenant(
  server: ProofServer,
  site: ReturnType<typeof openPeople>,
  account: string,
): Promise<Tenant> {
  const { cookie } = await site.person(account);
  const { client, access } = await site.connected(cookie, { scope: ROLE_SCOPES.member.join(" ") });
  const { key } = await server.app.access.create({ account });
  return {
    account,
    authorization: `Bearer ${key}`,
    session: { cookie, origin: "http://127.0.0.1" },
    app: { authorization: `Bearer ${access}` },
    client,
  };
}

const MINUTE_MS = 60_000;
const NAME = "canary-of-the-tenant";
const WRITTEN = [
  [`POST /api/v1/watchlists/${NAME}`, { symbols: ["AAPL"] }],
  ["POST /api/v1/claims", { author: NAME, symbol: "AAPL", side: "LONG" }],
  ["PUT /api/v1/symbols/AAPL/levels", { note: NAME }],
] as const;

/** Reads with every tool as another account: no answer has a name or an id of the first one. */
export async function findTraces(
  server: ProofServer,
  owner: Tenant,
  other: Tenant,
  ids: readonly string[],
): Promise<readonly Finding[]> {
  for (const [route, input] of WRITTEN) {
    const response = await sendRequest(server, { ...requestOf(route, input), headers: owner.session });
    if (!response.ok)
      throw new Error(`${route} is answered with ${response.status}: ${await response.text()}`);
  }
  const traces = [...ids, owner.account, NAME];
  const found: Finding[] = [];
  const seenByOwner = new Set<string>();
  for (const tool of server.app.registry.tools.filter(({ effect }) => effect === "read")) {
    server.clock.pass(MINUTE_MS);
    // a list without a filter
    const input = tool.input.safeParse({}).success
      ? {}
      : (tool.examples[0]!.input as Readonly<Record<string, unknown>>);
    const { headers, ...call } = mcpCall(tool.name, input);
    const textFor = async (tenant: Tenant) => [
      await (await sendRequest(server, { ...requestOf(tool.route, input), headers: tenant.session })).text(),
      await (await sendRequest(server, { ...call, headers: { ...headers, ...tenant.app } })).text(),
    ];
    for (const [i, text] of (await textFor(other)).entries()) {
      const hits = traces.filter((trace) => new RegExp(`\\b${trace}\\b`).test(text));
      const where = `${tool.name} ${i === 0 ? "with a session" : "by an app"} of another account`;
      found.push([where, hits.length === 0 ? null : `shows ${hits.join(", ")}`]);
    }
    for (const text of await textFor(owner)) if (text.includes(NAME)) seenByOwner.add(tool.name);
  }
  found.push([
    "what the tenant wrote, read by the tenant",
    seenByOwner.size >= WRITTEN.length ? null : `is in the answers of ${[...seenByOwner].join(", ")} alone`,
  ]);
  return found;
}

/** Repeats a call with its idempotency key: by the credentials of one account it runs once, by another account again. */
export async function repeatAsOther(
  server: ProofServer,
  owner: Tenant,
  other: Tenant,
): Promise<readonly Finding[]> {
  const key = { "idempotency-key": randomUUID() };
  const request = requestOf("POST /api/v1/notes", { text: "mine" });
  const send = async (headers: Headers) => {
    const response = await sendRequest(server, { ...request, headers: { ...headers, ...key } });
    return `${response.status} ${response.headers.get("idempotency-replayed") ?? "run"}`;
  };
  const is = async (where: string, headers: Headers, expected: string): Promise<Finding> => {
    const actual = await send(headers);
    return [where, actual === expected ? null : `${actual} instead of ${expected}`];
  };
  const byKey = ({ authorization }: Tenant) => ({ authorization });
  return [
    await is("a call with a session", owner.session, "200 run"),
    await is("its repetition with a key of the account", byKey(owner), "200 true"),
    await is("its repetition with another session", other.session, "200 run"),
    await is("its repetition with another key", byKey(other), "200 true"),
  ];
}

const END_MS = 5_000;

/** Opens streams with a session and by an app: they end when the session ends and the app is disconnected. */
export async function endStreams(
  server: ProofServer,
  site: ReturnType<typeof openPeople>,
  { account, session, app, client }: Tenant,
): Promise<readonly Finding[]> {
  const listen = listenRequest(["signal://AAPL/1d"]);
  const opened = {
    "a stream of a session": await sendRequest(server, {
      method: "GET",
      path: "/api/v1/quotes/stream?symbols=AAPL",
      headers: session,
    }),
    "a subscription of an app": await sendRequest(server, {
      ...listen,
      headers: { ...listen.headers, ...app },
    }),
  };
  await site.send(
    "/sign-out",
    { cookie: session.cookie, origin: server.url, "sec-fetch-site": "same-origin" },
    "",
  );
  await site.people.disconnect(account, client, "proof");
  return Promise.all(
    Object.entries(opened).map(async ([where, response]): Promise<Finding> => {
      const isStream = (response.headers.get("content-type") ?? "").startsWith("text/event-stream");
      if (!response.ok || !isStream)
        return [where, `is answered with ${response.status}: ${await response.text()}`];
      const left = await Promise.race([
        response.text().then(() => null),
        sleep(END_MS).then(() => "goes on"),
      ]);
      return [`${where} whose authority ended`, left];
    }),
  );
}
