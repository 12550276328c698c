import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Cookie } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { expectAccessible, hasBrowser, useDashboard } from "./support/browser.ts";

const run = promisify(execFile);
const MAIN = join(new URL("../..", import.meta.url).pathname, "dist/main.js");
const READ_ONLY = "Your role may only read; the owner can change it.";
const OWNER_ONLY = "Only the owner of this server sees the installation.";
const ASK_FOR_KEY = "The owner of this server creates keys: ask them for one.";

describe.skipIf(!hasBrowser)("the pages of somebody who may only read", () => {
  const dashboard = useDashboard();
  let cookies: readonly Cookie[] = [];

  beforeAll(async () => {
    const env = { ...process.env, DATA_DIR: dashboard.dataDir, MARKET_DATA: "sample" };
    const { stdout } = await run(process.execPath, [MAIN, "accounts", "invite", "ada", "--role", "viewer"], {
      env,
    });
    const context = await dashboard.browser.newContext();
    const page = await context.newPage();
    await page.goto(/http\S+/.exec(stdout)![0]);
    await page.getByRole("button").click();
    await page.waitForURL(`${dashboard.url}/account`);
    cookies = await context.cookies();
    await context.close();
  });

  async function open(path: string, width = 1440) {
    const context = await dashboard.browser.newContext({ viewport: { width, height: 900 } });
    await context.addCookies([...cookies]);
    const page = await context.newPage();
    const refused: string[] = [];
    page.on("response", (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    await page.goto(`${dashboard.url}${path}`);
    await page.locator("h1").first().waitFor();
    return { page, refused, close: () => context.close() };
  }

  it.each([390, 1440])("shows symbols of the market instead of a watchlist at %i px", async (width) => {
    const { page, refused, close } = await open("/", width);
    const list = page.getByRole("region", { name: "Symbols of this market" });
    await list.getByRole("link", { name: "AAPL", exact: true }).waitFor();
    await list.getByText(READ_ONLY).waitFor();
    await list.locator(".grade").first().waitFor();
    expect(await page.getByText("Start here").count()).toBe(0);
    expect(await page.getByRole("link", { name: "Installation" }).count()).toBe(0);
    await expectAccessible(page);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    expect(refused).toEqual([]);
    await close();
  });

  it("hides the level form", async () => {
    const { page, refused, close } = await open("/symbol/AAPL");
    await page.getByText(READ_ONLY).waitFor();
    expect(await page.getByRole("button", { name: /Draw level|Save level/ }).count()).toBe(0);
    expect(refused).toEqual([]);
    await close();
  });

  it("says who sees the installation and creates keys, once", async () => {
    const { page, refused, close } = await open("/installation");
    expect(await page.getByText(OWNER_ONLY).count()).toBe(1);
    expect(await page.getByRole("alert").count()).toBe(0);
    await page.goto(`${dashboard.url}/connect`);
    await page.getByText(ASK_FOR_KEY).waitFor();
    expect(await page.getByRole("button", { name: "Create a key" }).count()).toBe(0);
    expect(refused).toEqual([]);
    await close();
  });

  it("does not show them the call of another person's agent", async () => {
    const { status } = await fetch(`${dashboard.url}/api/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${dashboard.key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "get_quote", arguments: { symbol: "MSFT" } },
      }),
    });
    expect(status).toBe(200);
    const owner = await dashboard.page("/connect");
    await owner.getByText("Connected:").waitFor();
    const { page, close } = await open("/connect");
    await page.getByText("Waiting for the first call of an agent.").waitFor();
    await owner.context().close();
    await close();
  });

  it("gets their rights from the server", async () => {
    const { page, close } = await open("/");
    const answer = await page.evaluate(`fetch("/api/v1/symbols/AAPL/levels", {
      method: "PUT", headers: { "content-type": "application/json" }, body: '{"levels":[]}',
    }).then((response) => response.json())`);
    expect(answer).toMatchObject({ code: "SCOPE_REQUIRED", hint: READ_ONLY });
    await close();
  });
});
