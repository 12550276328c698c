import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { TRADING, useLiveBroker } from "../../support/live-broker.ts";
import { sendTo } from "../../support/oauth-app.ts";

const live = useLiveBroker();
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});
let key: string;
beforeAll(async () => {
  ({ key } = await live.site.app.access.create({ account: "owner", plan: "pro", scopes: TRADING }));
});

type Elicitation = { form?: Record<string, never>; url?: Record<string, never> };
type Action = "accept" | "decline" | "cancel";

/** Connects a client that opens a page by `open`. */
async function client(
  mode: "legacy" | "auto",
  elicitation: Elicitation | null,
  open: (url: string) => Promise<Action> | Action,
) {
  const opened: { readonly mode: string; readonly url: string; readonly id: string | undefined }[] = [];
  const completed: string[] = [];
  const connected = new Client(
    { name: "test", version: "1.0.0" },
    { versionNegotiation: { mode }, capabilities: elicitation === null ? {} : { elicitation } },
  );
  if (elicitation !== null)
    connected.setRequestHandler("elicitation/create", async ({ params }) => {
      const { mode = "form", url = "", elicitationId: id } = params as Record<string, string | undefined>;
      opened.push({ mode, url, id });
      return { action: await open(url) };
    });
  connected.setNotificationHandler("notifications/elicitation/complete", ({ params }) => {
    completed.push(params.elicitationId);
  });
  const url = new URL(`${live.site.url}/api/mcp?toolsets=trading`);
  await connected.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
  );
  ends.push(() => connected.close());
  return {
    opened,
    completed,
    execute: (ticket_id: string) =>
      connected.callTool({ name: "execute_trade", arguments: { ticket_id } }) as Promise<{
        readonly isError?: boolean;
        readonly structuredContent?: { readonly order: { readonly status: string } };
        readonly content: readonly { readonly text: string }[];
      }>,
  };
}

/** Decides on the page at an address, as a person in a browser does. */
async function decide(url: string, decision: "confirm" | "refuse"): Promise<void> {
  const cookie = await live.signIn("owner");
  const { pathname } = new URL(url);
  const headers = {
    cookie,
    origin: live.site.url,
    "content-type": "application/x-www-form-urlencoded",
  };
  const { status } = await sendTo(live.site.url, pathname, headers, `decision=${decision}`);
  expect(status).toBe(303);
}

describe.each(["legacy", "auto"] as const)("a client that opens pages, in mode %s", (mode) => {
  it("opens the page of a live order, waits for the person, and sends the order once", async () => {
    const before = live.orders();
    const id = await live.ticket();
    let later = Promise.resolve();
    const agent = await client(mode, { url: {} }, (url) => {
      // the person decides after the page has opened
      later = new Promise((done) => void setTimeout(done, 300)).then(() => decide(url, "confirm"));
      return "accept";
    });
    const result = await agent.execute(id);
    await later;
    expect(result).toMatchObject({ structuredContent: { order: { ticket_id: id, state: "accepted" } } });
    expect(agent.opened.map(({ mode, url }) => [mode, new URL(url).pathname])).toEqual([
      ["url", `/confirm/${id}`],
    ]);
    expect(agent.completed).toEqual(mode === "legacy" ? [id] : []);
    expect(live.orders() - before).toBe(1);
  });

  it("gets the refusal of the person, and of a user who does not open the page", async () => {
    const before = live.orders();
    const id = await live.ticket();
    const agent = await client(mode, { form: {}, url: {} }, async (url): Promise<Action> => {
      await decide(url, "refuse");
      return "accept";
    });
    expect(await agent.execute(id)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("A person of this account refused this trade") }],
    });
    const declining = await client(mode, { url: {} }, () => "decline");
    const other = await live.ticket();
    expect(await declining.execute(other)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining(`/confirm/${other}`) }],
    });
    expect(live.orders() - before).toBe(0);
  });

  it.each([null, { form: {} }])(
    "is not asked with the capabilities %j, and gets the address",
    async (able) => {
      const id = await live.ticket();
      const agent = await client(mode, able, () => "accept");
      expect(await agent.execute(id)).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining(`/confirm/${id}`) }],
      });
      expect(agent.opened).toEqual([]);
    },
  );
});

it("an answer of the client alone confirms nothing", async () => {
  const before = live.orders();
  const id = await live.ticket();
  const agent = await client("legacy", { url: {} }, () => "accept");
  const result = agent.execute(id);
  await new Promise((done) => setTimeout(done, 1_500));
  live.stage.clock.move(15 * 60_000);
  expect(await result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining("The ticket expired at") }],
  });
  expect(live.orders() - before).toBe(0);
});
