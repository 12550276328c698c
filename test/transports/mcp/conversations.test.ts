import { readFileSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { maxEffect } from "../../../src/kernel/tool.ts";
import { useInstallation } from "../../support/installation.ts";

type Arguments = Readonly<Record<string, unknown>>;

interface Turn {
  readonly say: string;
  /** The tool that answers it. */
  readonly tool: string;
  /** Arguments as a language model writes them. */
  readonly args: Arguments;
}
interface Conversation {
  readonly title: string;
  readonly turns: readonly Turn[];
}

const conversations: readonly Conversation[] = JSON.parse(
  readFileSync(new URL("../../bench/asks/conversations.json", import.meta.url), "utf8"),
);
/** Number of tools that the client asks `find_tools` for. */
const FOUND = 5;
/** Minimum share of turns whose tool is listed or found. */
const MIN_REACHED = 0.95;

const installation = useInstallation("sample");
let client: Client;
let listed: ReadonlySet<string>;

beforeAll(async () => {
  const { key } = await installation.key("enterprise", ["read", "write", "trade:paper"]);
  client = new Client({ name: "scripted", version: "1.0.0" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${installation.url}/api/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  );
  listed = new Set((await client.listTools()).tools.map(({ name }) => name));
});
afterAll(() => client.close());

/** The tools that the client knows for a request: those of the list, then those it finds. */
async function knownTools(query: string): Promise<ReadonlySet<string>> {
  const found = await client.callTool({ name: "find_tools", arguments: { query, limit: FOUND } });
  const { tools } = found.structuredContent as { readonly tools: readonly { readonly name: string }[] };
  return new Set([...listed, ...tools.map(({ name }) => name)]);
}

/** The call of an unlisted tool: a trade has its own name. */
function throughDispatcher(name: string, args: Arguments) {
  const effect = maxEffect(installation.app.registry.tools.find((tool) => tool.name === name)!);
  if (effect === "trade") return { name, arguments: { ...args } };
  const dispatcher = effect === "read" ? "call_tool" : "call_action";
  return { name: dispatcher, arguments: { name, arguments: JSON.stringify(args) } };
}

/** Returns the error text of a call; null for a result. */
async function errorOf(name: string, args: Arguments): Promise<string | null> {
  const result = await client.callTool(
    listed.has(name) ? { name, arguments: { ...args } } : throughDispatcher(name, args),
  );
  const [content] = result.content as readonly { readonly text?: string }[];
  return result.isError === true ? (content?.text ?? "") : null;
}

/** Follows an error: leaves out the fields that it calls unknown, or whose value it refuses. */
function corrected(args: Arguments, error: string): Arguments {
  const refused = [...error.matchAll(/(?:: |; )(\w+): (?:unknown field|must be one of)/g)].map(
    ([, field]) => field,
  );
  return Object.fromEntries(Object.entries(args).filter(([field]) => !refused.includes(field)));
}

/** What the server asks for if the person has not said it: a field, an id of an earlier answer, one of several names. */
const ASKS =
  /is required|^INVALID_INPUT: Pass |No symbols were given|must be an id|names several instruments|must be 1 to 40/;

describe("whole conversations", () => {
  it("reach the right tools, and every call is understood", async () => {
    const turns = conversations.flatMap((conversation) => conversation.turns);
    const unreached: string[] = [];
    const misunderstood: string[] = [];
    for (const { say, tool, args } of turns) {
      if (!(await knownTools(say)).has(tool)) unreached.push(`${say} (${tool})`);
      const first = await errorOf(tool, args);
      const error = first?.startsWith("INVALID_INPUT") ? await errorOf(tool, corrected(args, first)) : first;
      if (error?.startsWith("INVALID_INPUT") && !ASKS.test(error)) misunderstood.push(`${say}: ${error}`);
      expect(error ?? "").not.toMatch(/^INTERNAL/);
    }
    expect(conversations).toHaveLength(40);
    expect(misunderstood).toEqual([]);
    expect(1 - unreached.length / turns.length, unreached.join("\n")).toBeGreaterThanOrEqual(MIN_REACHED);
  });
});
