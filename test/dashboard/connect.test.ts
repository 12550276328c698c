import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { hasBrowser, itIsAccessible, useDashboard } from "./support/browser.ts";

const run = promisify(execFile);

describe.skipIf(!hasBrowser)("Connect", () => {
  const dashboard = useDashboard();

  itIsAccessible(async (look) => {
    const page = await dashboard.page("/connect", look);
    await page.getByRole("heading", { name: "3 The client" }).waitFor();
    return page;
  });

  it("writes the settings of each client for the ticked toolsets", async () => {
    const page = await dashboard.page("/connect");
    await page.getByLabel("flow", { exact: true }).check();
    await page.getByLabel("market", { exact: true }).check();
    await page.getByText("Codex", { exact: true }).click();
    await page.getByLabel("Copy the settings of Codex").click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
      `[mcp_servers.market-signal]\nurl = "${dashboard.url}/api/mcp?toolsets=market,flow"\nbearer_token_env_var = "MARKET_SIGNAL_KEY"\n`,
    );
    await page.getByText("Cursor", { exact: true }).click();
    const cursor = new URL((await page.getByRole("link", { name: "Add to Cursor" }).getAttribute("href"))!);
    expect(JSON.parse(atob(cursor.searchParams.get("config")!)).url).toBe(
      `${dashboard.url}/api/mcp?toolsets=market,flow`,
    );
    await page.getByText("Visual Studio Code", { exact: true }).click();
    const code = (await page.getByRole("link", { name: "Add to Visual Studio Code" }).getAttribute("href"))!;
    expect(JSON.parse(decodeURIComponent(code.replace("vscode:mcp/install?", "")))).toMatchObject({
      name: "market-signal",
      type: "http",
      inputs: [{ id: "market-signal-key", password: true }],
    });
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });

  it("shows commands that work when they are pasted into a shell", async () => {
    const page = await dashboard.page("/connect");
    await page.getByLabel("Name of the new key").fill("shell");
    await page.getByRole("button", { name: "Create a key", exact: true }).click();
    await page.locator(".snippet", { hasText: "ms_" }).first().waitFor();
    const texts = await page.locator(".snippet code").allTextContents();
    const commands = texts.filter((text) => text.startsWith("curl "));
    expect(commands.join()).toContain("/api/v1/signals/");
    for (const command of commands) {
      const { stdout } = await run("bash", ["-c", `${command} -sS -o /dev/null -w '%{http_code}'`]);
      expect(`${stdout} ${command}`).toMatch(/^200 /);
    }
    const addresses = texts.filter((text) => /^http\S+agent-card\.json$/.test(text));
    expect(addresses).toHaveLength(1);
    expect((await fetch(addresses[0]!)).status).toBe(200);
    const widget = texts.map((text) => /src="([^"]+)"/.exec(text)?.[1]).find((url) => url !== undefined);
    expect((await fetch(widget!)).status).toBe(200);
    await page.context().close();
  });

  it("creates a key with which an agent calls, and shows the call", async () => {
    const page = await dashboard.page("/connect");
    expect(await page.textContent(".connection-status")).toContain("Waiting for the first call of an agent.");
    await page.getByLabel("Name of the new key").fill("desk agent");
    await page.getByRole("button", { name: "Create a key", exact: true }).click();
    const key = (await page.locator(".snippet", { hasText: "ms_" }).first().locator("code").textContent())!;
    await page.getByText("Zed", { exact: true }).click();
    expect(await page.locator(".snippet", { hasText: "context_servers" }).textContent()).toContain(key);
    const response = await fetch(`${dashboard.url}/api/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "get_quote", arguments: { symbol: "AAPL" } },
      }),
    });
    expect(response.status).toBe(200);
    await page.locator(".connection-status.on").waitFor();
    expect(await page.textContent(".connection-status")).toMatch(
      /Connected: get_quote over MCP, \d\d:\d\d:\d\d UTC/,
    );
    await page.context().close();
    const installation = await dashboard.page("/installation");
    const row = installation.getByRole("row", { name: /desk agent/ });
    await row.waitFor();
    expect(await row.textContent()).toContain(`…${key.slice(-4)}`);
    await expect.poll(() => row.textContent()).not.toContain("never");
    await installation.context().close();
  });
});
