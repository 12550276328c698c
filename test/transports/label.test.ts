import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { z } from "zod";
import { catalogue } from "../../src/app/catalogue.ts";
import type { Principal } from "../../src/domain/accounts/access.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { carriesPrices, isSimulated } from "../../src/kernel/sample-label.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { runCommand } from "../../src/transports/cli/run.ts";
import { createClaim, createReceipt, createSubscription, withOwnIds } from "../support/account-fixtures.ts";
import { DIP_BUYER } from "../support/agents.ts";
import { sampleMarket } from "../support/context.ts";
import { useInstallation } from "../support/installation.ts";
import { type McpResult, mcpData } from "../support/mcp-data.ts";
import { httpClient } from "./mcp/clients.ts";

it("labels all trading tools", () => {
  const trading = Object.values<Tool>(catalogue).filter(({ toolset }) => toolset === "trading");
  expect(trading.filter((tool) => !isSimulated(tool, sampleMarket))).toEqual([]);
  expect(trading.map(({ name }) => name)).toContain("set_kill_switch");
});

it.each(
  Object.values<Tool>(catalogue).flatMap((tool) =>
    tool.toolset === "trading" ? [[tool.name, tool] as const] : [],
  ),
)("requires the market field in the output of %s", (_, { output, needs }) => {
  const { market } = output.shape as Record<string, z.ZodType | undefined>;
  expect(["sample", "files", "live"].map((mode) => market?.parse(mode))).toEqual(["sample", "files", "live"]);
  expect(market?.safeParse(undefined).success).toBe(false);
  expect(market?.safeParse("sample-v2").success).toBe(false);
  expect(needs).toContain("market");
});

const installation = useInstallation("sample");
/** Principals of the clients and of the command line. */
const callers: Principal[] = [];
const clients: Client[] = [];
beforeAll(async () => {
  await installation.app.engine.run({ universe: { name: "all" } });
  const scopes = ["read", "write", "trade:paper"] as const;
  const { key, account, plan } = await installation.key("enterprise", [...scopes]);
  // objects that examples refer to, for the principal of this key and for the owner
  callers.push({ account, plan, scopes }, installation.app.owner);
  for (const principal of callers) {
    await invoke(
      catalogue.runBacktest,
      { symbol: "AAPL", strategy: "buy_hold", picture: false },
      { ports: installation.app.ports, principal, transport: "test" },
    );
  }
  const url = new URL(`${installation.url}/api/mcp?toolsets=all`);
  for (const mode of ["auto", "legacy"] as const) clients.push(await httpClient(url, key, mode));
}, 60_000);
afterAll(async () => {
  for (const client of clients) await client.close();
});

const isObject = (value: unknown): boolean => typeof value === "object" && !Array.isArray(value);

/** An example with ids of receipts and subscriptions that the caller owns. */
const inNamesOf = async (principal: Principal, input: Record<string, unknown>) =>
  withOwnIds(input, {
    ...("receipt_id" in input && (await createReceipt(installation.app.ports, principal))),
    ...("claim_id" in input && (await createClaim(installation.app.ports, principal))),
    ...("subscription_id" in input && (await createSubscription(installation.app.ports, principal))),
  });

/** The command's output for a tool's first example, without fields that a command line cannot express. */
async function printed({ name }: Tool, input: object): Promise<string> {
  const options = Object.entries(input)
    .filter(([, value]) => !isObject(value))
    .map(([field, value]) => `--${field.replaceAll("_", "-")}=${String(value)}`);
  let text = "";
  const write = (more: string) => {
    text += more;
  };
  const screen = { write, isTTY: false, colour: false };
  await runCommand([name.replaceAll("_", "-"), ...options], {
    version: "0.0.0",
    catalogue: installation.app.registry.tools,
    out: screen,
    err: screen,
    signal: new AbortController().signal,
    settings: async () => [],
    settingOptions: [],
    providerKeys: async () => [],
    storeSetting: () => Promise.reject(new Error("not available in this test")),
    dataVersion: async () => null,
    database: () => Promise.reject(new Error("not provided")),
    open: async () => ({ ...installation.app, close: async () => {} }),
    openKeys: async () => ({ ...installation.app, close: async () => {} }),
    openVault: async () => ({ ...installation.app.secretStore, close: async () => {} }),
    openAudit: () => Promise.reject(new Error("not provided")),
    backUp: () => Promise.reject(new Error("not provided")),
    openAccounts: () => Promise.reject(new Error("not provided")),
    restore: () => Promise.reject(new Error("not provided")),
    openTrading: () => Promise.reject(new Error("not provided")),
    importBars: () => Promise.reject(new Error("not provided")),
    serve: async () => 0,
    stdio: async () => {},
    work: async () => {},
    folder: installation.dir,
    splitFault: async () => null,
    publicUrl: async () => "",
  });
  return text;
}

it.each(Object.values<Tool>(catalogue).map((tool) => [tool.name, tool] as const))(
  "starts every text of %s with the label, and has it as a field, if prices are simulated",
  async (name, tool) => {
    for (const principal of tool.needs.includes("automation") ? callers : [])
      await installation.app.ports.automation.save(principal, DIP_BUYER);
    // the examples of connect_broker open several paper accounts, among which the others would have to choose
    for (const principal of tool.needs.includes("connections") ? callers : [])
      for (const { connection_id } of (
        await installation.app.ports.connections.list(principal.account)
      ).slice(1))
        await installation.app.ports.connections.remove(principal.account, connection_id);
    const example = tool.examples[0]!.input;
    const [keyed, owner] = callers as [Principal, Principal];
    const results = await Promise.all(
      clients.map(async (client) => client.callTool({ name, arguments: await inNamesOf(keyed, example) })),
    );
    const madeUp =
      ((["agents", "system"].includes(tool.toolset) || tool.needs.includes("claims")) &&
        "market" in tool.output.shape &&
        isSimulated(tool, sampleMarket)) ||
      tool.toolset === "trading" ||
      /"(source|provider|dataSource)\W{2,6}sample\W|"venue\W{2,6}SIM\W/.test(JSON.stringify(results[0]));
    const texts = [
      ...results.map(({ content }) => content.find((part) => part.type === "text")!.text),
      // objects, such as credentials, are prompted for on the command line
      ...(Object.values(example).some(isObject)
        ? []
        : [await printed(tool, await inNamesOf(owner, example))]),
    ];
    // the trade or app named in an example does not exist here
    const refused = results.some(({ isError }) => isError);
    const mayRefuse =
      tool.toolset === "trading" || tool.needs.includes("automation") || tool.needs.includes("connectedApps");
    if (refused && mayRefuse) return;
    if (tool.toolset === "trading")
      expect(results.map(({ structuredContent }) => structuredContent)).toMatchObject([
        { market: "sample" },
        { market: "sample" },
      ]);
    expect(results.map(({ isError = false }) => isError)).toEqual([false, false]);
    expect(texts.map((text) => text.startsWith("SAMPLE (simulated)"))).toEqual(texts.map(() => madeUp));
    const labels = results.map((result) => mcpData(result as McpResult).label);
    expect(labels).toEqual(results.map(() => (madeUp ? "SAMPLE (simulated)" : undefined)));
    expect("label" in tool.output.shape).toBe(carriesPrices(tool));
  },
);
