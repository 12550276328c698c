import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll } from "vitest";
import { catalogue } from "../../src/app/catalogue.ts";
import type { Principal } from "../../src/domain/accounts/access.ts";
import { withoutFile } from "../../src/domain/media.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { httpClient } from "../transports/mcp/clients.ts";
import {
  createClaim,
  createReceipt,
  createSubscription,
  createTradingFixture,
  prepareAgents,
  withOwnIds,
} from "./account-fixtures.ts";
import { saveAllowedApp } from "./connected-apps.ts";
import { type Installation, useInstallation } from "./installation.ts";
import { type McpResult, mcpData } from "./mcp-data.ts";
import { exampleCases } from "./parity.ts";
import { movingClock } from "./store.ts";

const NOW = "2026-07-01T14:00:00.000Z";
const MINUTE_MS = 60_000;

/** The answer to one published example over MCP. */
export interface ExampleAnswer {
  readonly tool: Tool;
  /** The input of the example, with ids of objects that the caller owns. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Code of the error; null if the call was completed. */
  readonly error: string | null;
  readonly text: string;
  readonly content: McpResult["content"];
  readonly structured: Readonly<Record<string, unknown>> | undefined;
  /** The data, from the structured content or the text, without the bytes of a file. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The data in full detail, for a tool that only reads; otherwise empty. */
  readonly full: Readonly<Record<string, unknown>>;
}

/** Calls every published example of every tool once over MCP and once in full, on the simulated market. */
export function useExampleAnswers(): { readonly answers: readonly ExampleAnswer[] } {
  const clock = movingClock(new Date(NOW));
  const installation = useInstallation("sample", {}, { clock });
  const answers: ExampleAnswer[] = [];
  let client: Client;
  beforeAll(async () => {
    const { app, url } = installation;
    await app.engine.run({ universe: { name: "all" } });
    const { key } = await installation.key("enterprise", ["read", "write", "trade:paper"]);
    const principal = await app.authenticate(key, "127.0.0.1");
    const call = (tool: Tool, input: object) =>
      invoke(tool, input, { ports: app.ports, principal, transport: "test", nested: true });
    await call(catalogue.runBacktest, { symbol: "AAPL", strategy: "buy_hold", picture: false });
    client = await httpClient(new URL(`${url}/api/mcp?toolsets=all`), key);
    for (const { tool, input } of exampleCases()) {
      clock.pass(MINUTE_MS);
      const owned = await ownInput(installation, tool, principal, input);
      const full =
        tool.effect === "read" ? withoutFile((await call(tool, owned)) as Record<string, unknown>) : {};
      const result = (await client.callTool({ name: tool.name, arguments: owned })) as McpResult;
      answers.push({ tool, input: owned, full, ...partsOf(result) });
    }
  }, 180_000);
  afterAll(async () => {
    await client.close();
  });
  return { answers };
}

function partsOf(
  result: McpResult,
): Pick<ExampleAnswer, "error" | "text" | "content" | "structured" | "data"> {
  const { content, structuredContent: structured, isError } = result;
  const text = content.find(({ type }) => type === "text")?.text ?? "";
  const error = isError === true ? text.split("\n")[0]! : null;
  return { error, text, content, structured, data: error === null ? withoutFile(mcpData(result)) : {} };
}

/** Returns the input with ids of objects that the caller owns; creates them. */
async function ownInput(
  { app: { ports, store } }: Installation,
  tool: Tool,
  principal: Principal,
  input: object,
): Promise<Record<string, unknown>> {
  if (tool.needs.includes("automation")) await prepareAgents(tool, ports, principal);
  if (tool.needs.includes("connectedApps"))
    await saveAllowedApp(store.db, {
      account: principal.account,
      client: "abc",
      at: ports.clock.now().toISOString(),
    });
  return withOwnIds(
    { ...input, ...("force" in tool.input.shape && { force: true }) },
    {
      ...(tool.toolset === "trading" && (await createTradingFixture(ports, principal))),
      ...("receipt_id" in input && (await createReceipt(ports, principal))),
      ...("claim_id" in input && (await createClaim(ports, principal))),
      ...("subscription_id" in input && (await createSubscription(ports, principal))),
    },
  );
}
