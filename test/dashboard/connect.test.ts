import { describe, expect, it } from "vitest";
import { expectAccessible, hasBrowser, useDashboard } from "./support/browser.ts";

describe.skipIf(!hasBrowser)("Connect", () => {
  const dashboard = useDashboard();

  it.each([
    [1440, "dark"],
    [1440, "light"],
    [390, "dark"],
    [390, "light"],
  ] as const)("is accessible and without a complaint at %i px in %s", async (width, scheme) => {
    const page = await dashboard.page("/connect", { width, scheme });
    await page.getByRole("heading", { name: "3 The client" }).waitFor();
    await expectAccessible(page);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    expect(page.complaints).toEqual([]);
    await page.context().close();
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

  it("makes a key, with which an agent calls; the sign turns green", async () => {
    const page = await dashboard.page("/connect");
    expect(await page.textContent(".client-sign")).toContain("Waiting for the first call of an agent.");
    await page.getByLabel("Name of the new key").fill("desk agent");
    await page.getByRole("button", { name: "Make a key", exact: true }).click();
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
    await page.locator(".client-sign.on").waitFor();
    expect(await page.textContent(".client-sign")).toMatch(
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
