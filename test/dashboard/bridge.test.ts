import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type AppHost, type HostPage, openHost, startAppHost } from "./support/app-host.ts";
import { hasBrowser, launchBrowser } from "./support/browser.ts";

/** A page that writes what its bridge receives into `received`. */
const PAGE = `import { connectToHost } from "./src/dashboard/mcp/bridge.ts";
globalThis.received = { inputs: [], results: [], contexts: [] };
const handlers = {
  onInput: (input) => received.inputs.push(input),
  onResult: (result) => received.results.push(result),
  onContext: (context) => received.contexts.push(context),
};
connectToHost({ name: "market-signal/test", version: "1" }, handlers).then((bridge) => { globalThis.bridge = bridge; });`;

describe.skipIf(!hasBrowser)("the bridge of a view, against the official host", () => {
  let apps: AppHost;
  let browser: Awaited<ReturnType<typeof launchBrowser>>;
  let html: string;
  let page: HostPage;
  beforeAll(async () => {
    apps = await startAppHost();
    browser = await launchBrowser();
    const resolveDir = new URL("../..", import.meta.url).pathname;
    const stdin = { contents: PAGE, resolveDir, loader: "ts" as const };
    const { outputFiles } = await build({
      stdin,
      bundle: true,
      write: false,
      format: "esm",
      logLevel: "error",
    });
    html = `<!doctype html><html lang="en"><body><p style="height:300px;margin:0">view</p><script type="module">${outputFiles[0]!.text}</script></body></html>`;
  });
  afterAll(async () => {
    await browser.close();
    apps.close();
  });
  afterEach(() => page.context().close());

  const received = () => page.view().evaluate("globalThis.received") as Promise<any>;
  async function open(over: object = {}) {
    page = await openHost(browser, apps);
    const given = { html, sandbox: apps.sandbox, context: { theme: "dark" }, input: { symbol: "AAPL" } };
    await page.host("open", { ...given, ...over });
    await page.view().waitForFunction("globalThis.bridge !== undefined");
  }

  it("connects, and receives the input, the result and the context", async () => {
    await open({ result: { content: [], structuredContent: { ok: true } } });
    expect(await page.host("app")).toEqual({ name: "market-signal/test", version: "1" });
    await expect.poll(async () => (await received()).results).toHaveLength(1);
    expect(await received()).toMatchObject({
      inputs: [{ symbol: "AAPL" }],
      results: [{ structuredContent: { ok: true } }],
      contexts: [{ theme: "dark" }],
    });
    await page.host("setContext", { theme: "light" });
    await expect.poll(async () => (await received()).contexts.at(-1)).toEqual({ theme: "light" });
    expect(page.complaints).toEqual([]);
  });

  it("receives an error result", async () => {
    await open({ result: { content: [{ type: "text", text: "NOT_FOUND: none" }], isError: true } });
    await expect.poll(async () => (await received()).results[0]?.isError).toBe(true);
  });

  it("reports its height, and again when it grows", async () => {
    await open();
    await expect.poll(async () => (await page.seen()).sizes.at(-1)).toBe(300);
    await page.view().evaluate('document.querySelector("p").style.height = "420px"');
    await expect.poll(async () => (await page.seen()).sizes.at(-1)).toBe(420);
  });

  it("answers a ping and the end of the view", async () => {
    await open();
    expect(await page.host("ping")).toEqual({});
    expect(await page.host("teardown")).toEqual({});
  });

  it("calls tools and opens links through the host", async () => {
    await open();
    expect(await page.view().evaluate('bridge.callTool("get_history", { symbol: "AAPL" })')).toMatchObject({
      structuredContent: {},
    });
    await page.view().evaluate('bridge.openLink("https://example.com/")');
    const seen = await page.seen();
    expect(seen.calls).toMatchObject([{ name: "get_history", arguments: { symbol: "AAPL" } }]);
    expect(seen.logs).toEqual([{ url: "https://example.com/" }]);
  });

  it("detects a host that lets views call no tools", async () => {
    await open({ capabilities: {} });
    expect(await page.view().evaluate("bridge.canCall")).toBe(false);
  });

  it("ignores messages of other windows", async () => {
    await open();
    await page.view().evaluate(`postMessage({
      jsonrpc: "2.0", method: "ui/notifications/tool-result", params: { structuredContent: { forged: true } },
    }, "*")`);
    await page.host("sendResult", { content: [], structuredContent: { real: true } });
    await expect
      .poll(async () => (await received()).results)
      .toMatchObject([{ structuredContent: { real: true } }]);
  });
});
