import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { beforeAll, describe, expect, it } from "vitest";
import { clientNode, librariesAreInstalled } from "../clients/libraries.ts";
import { freePort } from "../support/free-port.ts";
import { useInstallation } from "../support/installation.ts";
import { allowApp, sendTo } from "../support/oauth-app.ts";
import { start } from "../support/program.ts";

const moduleOf = (path: string) => fileURLToPath(new URL(`../clients/node_modules/${path}`, import.meta.url));
const MCP_REMOTE = moduleOf("mcp-remote/dist/proxy.js");
const INSPECTOR = moduleOf("@modelcontextprotocol/inspector/clients/launcher/build/index.js");
const ASKS = /(http:\S+\/auth\/oauth2\/authorize\?\S+)\s/;

describe.skipIf(!librariesAreInstalled)("a client without a key", { timeout: 120_000 }, () => {
  const site = useInstallation("sample", { OAUTH: "on" });
  let cookie: string;
  beforeAll(async () => {
    const { token } = await site.app.browserSessions.issueLink();
    cookie = (await sendTo(site.url, `/open/${token}`)).cookies[0]!.split(";")[0]!;
  });
  /** Allows what a client asks for, and sends its person back. */
  const allow = async (address: string) => {
    const { origin, pathname, search } = new URL(await allowApp(site.url, cookie, address));
    expect((await sendTo(origin, `${pathname}${search}`)).status).toBe(200);
  };
  const folder = (name: string) => {
    const path = join(site.dir, name);
    mkdirSync(path);
    return path;
  };

  it("connects with mcp-remote after its person allowed it", async () => {
    const transport = new StdioClientTransport({
      command: clientNode(),
      args: [MCP_REMOTE, `${site.url}/api/mcp`, String(await freePort()), "--transport", "http-only"],
      env: { HOME: folder("mcp-remote") },
      stderr: "pipe",
    });
    let said = "";
    const allowed = new Promise<void>((resolve, reject) => {
      transport.stderr!.on("data", (part: Buffer) => {
        const [, before] = ASKS.exec(said) ?? [];
        said += part.toString();
        const [, address] = ASKS.exec(said) ?? [];
        if (before === undefined && address !== undefined) allow(address).then(resolve, reject);
      });
    });
    const client = new Client({ name: "test", version: "1.0.0" });
    try {
      await Promise.all([client.connect(transport, { timeout: 60_000 }), allowed]);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain("get_signal");
      const { structuredContent } = await client.callTool({ name: "get_quota", arguments: {} });
      expect(structuredContent).toMatchObject({ scopes: ["read"] });
    } finally {
      await client.close();
    }
  });

  it("connects with the command line of the Inspector after its person allowed it", async () => {
    const callback = `http://127.0.0.1:${await freePort()}/oauth/callback`;
    const server = [`${site.url}/api/mcp`, "--transport", "http", "--callback-url", callback];
    const call = ["--method", "tools/call", "--tool-name", "get_quote", "--tool-arg", "symbol=AAPL"];
    const { says, ended, seen } = start([clientNode(), INSPECTOR, "--cli", ...server, ...call], {
      HOME: folder("inspector"),
      // it signs in without a terminal then; no browser is found
      MCP_AUTO_OPEN_ENABLED: "true",
    });
    const [, address] = await says(ASKS);
    await allow(address!);
    expect([await ended, seen.out], seen.err).toEqual([
      0,
      expect.stringContaining("SAMPLE (simulated) | AAPL"),
    ]);
  });

  it("is listed with what it may do", async () => {
    const apps = await site.app.peopleAdmin.apps("owner");
    expect(apps.map(({ name, scopes }) => [name, scopes.includes("read"), scopes.includes("write")])).toEqual(
      [
        [expect.stringContaining("Inspector"), true, false],
        [expect.any(String), true, false],
      ],
    );
  });
});
