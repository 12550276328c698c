import { readdirSync, statSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Tool } from "../../src/kernel/tool.ts";
import * as catalogue from "../../tools/index.ts";
import { type AppHost, type HostPage, openHost, startAppHost } from "./support/app-host.ts";
import { hasBrowser, useDashboard } from "./support/browser.ts";

const VIEWS = new URL("../../dist/dashboard/views", import.meta.url).pathname;
const MAX_VIEW_BYTES = 250_000;
const tools = (Object.values(catalogue) as unknown as readonly Tool[]).filter(
  ({ view }) => view !== undefined,
);
/** Inputs of tools whose first example is of another account. */
const INPUTS: Readonly<Record<string, object>> = {
  preview_trade: { symbol: "AAPL", side: "buy", quantity: "1", stop_loss: "200" },
};
const BACKTEST = { symbol: "AAPL", strategy: "sma_cross", params: { fast: 10, slow: 20 } };
const inputOf = ({ name, examples }: Tool): object => INPUTS[name] ?? examples[0]!.input;

/** Colours of a host, which the views take over. */
const contextOf = (theme: "dark" | "light") => ({
  theme,
  displayMode: "inline",
  platform: "web",
  styles: {
    variables: {
      "--color-background-primary": theme === "dark" ? "#262624" : "#fffdf5",
      "--color-text-primary": theme === "dark" ? "#faf9f5" : "#141413",
      "--color-text-secondary": theme === "dark" ? "#b7b5a9" : "#5e5d59",
      "--font-sans": "Georgia, serif",
    },
  },
});
const BACKGROUNDS = { dark: "rgb(38, 38, 36)", light: "rgb(255, 253, 245)" } as const;

describe("the built views", () => {
  it("are one file each, smaller than 250 kB, for every view that a tool names", () => {
    const files = readdirSync(VIEWS);
    const named = [...new Set(tools.map(({ view }) => `${view!.name}.html`))].sort();
    expect(files.sort()).toEqual(named);
    expect(files.filter((file) => statSync(`${VIEWS}/${file}`).size >= MAX_VIEW_BYTES)).toEqual([]);
  });

  it("call only tools that read", () => {
    const byName = new Map(
      (Object.values(catalogue) as unknown as readonly Tool[]).map((tool) => [tool.name, tool]),
    );
    const called = tools.flatMap(({ view }) => view!.calls ?? []);
    expect(called.filter((name) => byName.get(name)?.effect !== "read")).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)("views in a host of MCP Apps", () => {
  const env: Record<string, string> = {};
  let apps: AppHost;
  beforeAll(async () => {
    apps = await startAppHost();
    env.CORS_ORIGINS = apps.origin;
  });
  const dashboard = useDashboard(env);
  afterAll(() => apps.close());
  let page: HostPage;
  afterEach(() => page?.context().close());

  /** Opens a host that is connected to the server. */
  async function connected(options?: Parameters<typeof openHost>[2]) {
    page = await openHost(dashboard.browser, apps, options);
    const listed = await page.host("connect", `${dashboard.url}/api/mcp?toolsets=all`, dashboard.key);
    return {
      ...listed,
      htmlOf: async (uri: string): Promise<string> => (await page.host("read", uri))[0].text,
    };
  }

  it("are named by tools in both keys, and declare that they load nothing, on the list and the resource", async () => {
    const { tools: listed, resources } = await connected();
    for (const { name, view } of tools) {
      const uri = `ui://market-signal/${view!.name}`;
      const tool = listed.find((one: any) => one.name === name);
      expect(tool._meta, name).toEqual({
        ui: { resourceUri: uri, visibility: ["model", "app"] },
        "ui/resourceUri": uri,
      });
      expect(tool.uri).toBe(uri);
      const meta = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } };
      const resource = resources.find((one: any) => one.uri === uri);
      expect(resource).toMatchObject({ mimeType: "text/html;profile=mcp-app", _meta: meta });
      const contents = await page.host("read", uri);
      expect(contents).toEqual([
        {
          uri,
          mimeType: "text/html;profile=mcp-app",
          text: expect.stringMatching(/^<!doctype html>/),
          _meta: meta,
        },
      ]);
    }
  });

  it.each(
    tools.flatMap((tool) => [
      [tool.name, "dark", 760, tool] as const,
      [tool.name, "light", 390, tool] as const,
    ]),
  )("draw %s in %s colours of the host at %i px", async (name, theme, width, tool) => {
    const { htmlOf } = await connected({ width, scheme: theme });
    const html = await htmlOf(`ui://market-signal/${tool.view!.name}`);
    const input = inputOf(tool);
    if (name === "get_backtest") await page.host("callTool", "run_backtest", BACKTEST);
    const result = await page.host("callTool", name, input);
    expect(result.isError, JSON.stringify(result.content)).not.toBe(true);
    page.complaints.length = 0;
    await page.host("open", { html, sandbox: apps.sandbox, context: contextOf(theme), input, result });
    const view = page.view();
    await view.locator("article.view").waitFor();
    const output = result.structuredContent ?? result._meta["market-signal/output"];
    const text = (await view.locator("article.view").allInnerTexts()).join(" ").replace(/\s+/g, " ");
    expect(text).toContain("SAMPLE");
    for (const expected of visibleTexts(name, output)) expect(text).toContain(expected);
    expect(await view.evaluate("getComputedStyle(document.body).backgroundColor")).toBe(BACKGROUNDS[theme]);
    await expect.poll(async () => (await page.seen()).sizes.length).toBeGreaterThan(0);
    const shots = process.env.VIEW_SHOTS;
    if (shots !== undefined) {
      await page.waitForTimeout(1_500);
      await page.screenshot({ path: `${shots}/${name}-${theme}-${width}.png`, fullPage: true });
    }
    expect(await view.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    const { calls } = await page.seen();
    expect(calls.filter((call) => !(tool.view!.calls ?? []).includes(call.name))).toEqual([]);
    expect(page.complaints).toEqual([]);
  });

  it("call further tools through their host, and none in a host that lets them call none", async () => {
    const { htmlOf } = await connected();
    const result = await page.host("callTool", "get_odds", { symbol: "AAPL" });
    const html = await htmlOf("ui://market-signal/odds");
    const given = { html, sandbox: apps.sandbox, context: contextOf("dark"), result };
    page.complaints.length = 0;
    await page.host("open", given);
    await expect
      .poll(async () => (await page.seen()).calls.map(({ name }) => name).sort())
      .toEqual(["get_history", "get_odds"]);
    await page.view().locator(".legend", { hasText: "Close" }).waitFor();

    await page.host("open", { ...given, capabilities: {} });
    await page.view().locator("article.view").waitFor();
    expect((await page.view().locator(".legend").allInnerTexts()).join(" ")).not.toContain("Close");
    expect((await page.seen()).calls).toEqual([]);
    expect(page.complaints).toEqual([]);
  });

  it.each(["get_signal", "get_analysis"])("draw the bars that come with %s without a call", async (name) => {
    const { htmlOf } = await connected();
    const result = await page.host("callTool", name, { symbol: "AAPL" });
    const html = await htmlOf("ui://market-signal/signal");
    page.complaints.length = 0;
    const given = { html, sandbox: apps.sandbox, context: contextOf("dark"), result };
    await page.host("open", { ...given, capabilities: {} });
    await page.view().locator(".chart-canvas canvas").first().waitFor();
    expect(await page.view().getByText("This host does not let views").count()).toBe(0);
    await page.host("open", given);
    await page.view().locator(".chart-canvas canvas").first().waitFor();
    expect((await page.seen()).calls).toEqual([]);
    expect(page.complaints).toEqual([]);
  });

  it("show the text of a result that they cannot draw, and the next result", async () => {
    const { htmlOf } = await connected();
    const html = await htmlOf("ui://market-signal/odds");
    const result = { content: [{ type: "text", text: "In words" }], structuredContent: { odds: "<img>" } };
    await page.host("open", { html, sandbox: apps.sandbox, context: contextOf("dark"), result });
    await page.view().getByText("In words").waitFor();
    await page.host("sendResult", await page.host("callTool", "get_odds", { symbol: "AAPL" }));
    await page.view().locator("article.view").waitFor();
  });

  it("leave the answers of a client without the extension as they are", async () => {
    await connected();
    const withViews = await page.host("callTool", "get_signal_index", {});
    expect(
      (await page.host("callTool", "run_backtest", BACKTEST))._meta["market-signal/output"],
    ).toMatchObject({
      symbol: "AAPL",
    });
    await page.host("connect", `${dashboard.url}/api/mcp?toolsets=all`, dashboard.key, false);
    const without = await page.host("callTool", "get_signal_index", {});
    expect(without.content).toEqual(withViews.content);
    expect(without._meta?.["market-signal/output"]).toBeUndefined();
    const drawn = await page.host("callTool", "run_backtest", BACKTEST);
    expect(drawn._meta?.["market-signal/output"]).toBeUndefined();
    expect(drawn.content.map(({ type }: { type: string }) => type)).toEqual(["text", "image"]);
  });
});

const fixed = (value: number, digits = 2): string =>
  value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

/** Returns texts of an answer that its view must show. */
function visibleTexts(name: string, output: any): readonly string[] {
  switch (name) {
    case "get_signal":
      return [output.data.signal.symbol, fixed(output.data.price), output.data.signal.direction];
    case "get_odds":
      return [output.symbol, fixed(output.from), ...output.levels.map(({ price }: any) => fixed(price))];
    case "get_track_record":
      return [output.signals.toLocaleString("en-US"), ...output.summary];
    case "get_signal_index":
    case "get_service_index":
      return [
        output.value.toFixed(1),
        ...output.parts.map(({ value }: any) => (value === null ? "–" : value.toFixed(0))),
      ];
    case "check_order":
      return [
        output.order,
        output.verdict.toUpperCase(),
        percent(output.odds.target_first),
        "places nothing",
      ];
    case "preview_trade":
      return [output.quote.price, output.maximum_loss.basis, output.hint, "Nothing was sent"];
    case "run_backtest":
    case "get_backtest":
      return [output.symbol, output.from, `of ${output.metrics.trade_count}`, ...output.warnings];
    default:
      return [];
  }
}
