import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectAccessible, hasBrowser, launchBrowser } from "../../dashboard/support/browser.ts";
import { TRADING, useLiveBroker } from "../../support/live-broker.ts";

describe.runIf(hasBrowser)("the confirmation of a live order in a browser", () => {
  const live = useLiveBroker();
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  const faults: unknown[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
    page = await (await browser.newContext()).newPage();
    const { token } = await live.site.app.browserSessions.issueLink();
    await page.goto(`${live.site.url}/open/${token}`);
    await page.goto(`${live.site.url}/confirm`);
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
  }, 60_000);
  afterAll(() => browser?.close());

  it("leads from the agent's call to the page, and from the button to the order", async () => {
    const id = await live.ticket();
    const { key } = await live.site.app.access.create({ account: "owner", plan: "pro", scopes: TRADING });
    const agent = new Client(
      { name: "test", version: "1.0.0" },
      { capabilities: { elicitation: { url: {} } }, versionNegotiation: { mode: "legacy" } },
    );
    agent.setRequestHandler("elicitation/create", async ({ params }) => {
      decide((params as { url: string }).url).catch((fault: unknown) => faults.push(fault));
      return { action: "accept" };
    });
    const decide = async (url: string) => {
      // the installation of the tests knows only this name
      await page.goto(url.replace("localhost", "127.0.0.1"));
      await page.getByRole("heading", { name: "Buy 1 AAPL?" }).waitFor();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Confirm" }).click();
    };
    await agent.connect(
      new StreamableHTTPClientTransport(new URL(`${live.site.url}/api/mcp?toolsets=trading`), {
        requestInit: { headers: { authorization: `Bearer ${key}` } },
      }),
    );
    const result = await agent.callTool({ name: "execute_trade", arguments: { ticket_id: id } });
    expect(result).toMatchObject({ structuredContent: { order: { ticket_id: id, state: "accepted" } } });
    await page.getByText("This was confirmed.").waitFor();
    expect(live.orders()).toBe(1);
    await page.goto(new URL("/confirm", page.url()).href);
    await page.getByText("Nothing waits for the account").waitFor();
    await expectAccessible(page);
    expect([complaints, faults]).toEqual([[], []]);
    await agent.close();
  });
});
