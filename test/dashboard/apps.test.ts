import { readdirSync, statSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Tool } from "../../src/kernel/tool.ts";
import * as catalogue from "../../tools/index.ts";
import { type AppHost, type HostPage, openHost, startAppHost } from "./support/app-host.ts";
import { expectAccessible, hasBrowser, useDashboard } from "./support/browser.ts";

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

/** Widths and themes in turn, of which each differs in one from that before. */
const DRAWN = [
  [1440, "dark"],
  [1440, "light"],
  [390, "light"],
  [390, "dark"],
] as const;

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

  it.each(tools)("draw $name in the colours of the host, accessible", async (tool) => {
    const { name, view: named } = tool;
    const { htmlOf } = await connected({ width: 1440 });
    const html = await htmlOf(`ui://market-signal/${named!.name}`);
    const input = inputOf(tool);
    if (name === "get_backtest") await page.host("callTool", "run_backtest", BACKTEST);
    const result = await page.host("callTool", name, input);
    expect(result.isError, JSON.stringify(result.content)).not.toBe(true);
    page.complaints.length = 0;
    await page.host("open", { html, sandbox: apps.sandbox, context: contextOf("dark"), input, result });
    const view = page.view();
    await view.locator("article.view").waitFor();
    const output = result.structuredContent ?? result._meta["market-signal/output"];
    const text = (await view.locator("article.view").allInnerTexts()).join(" ").replace(/\s+/g, " ");
    expect(text).toContain("SAMPLE");
    for (const expected of visibleTexts(name, output)) expect(text).toContain(expected);
    await expect.poll(async () => (await page.seen()).sizes.length).toBeGreaterThan(0);
    // the answer brings what the view would call first
    const calls = await answeredCalls(named!.firstCall === undefined ? (named!.calls ?? []) : []);
    expect(calls.filter((call) => !(named!.calls ?? []).includes(call.name))).toEqual([]);
    for (const [width, theme] of DRAWN) {
      await page.setViewportSize({ width, height: 900 });
      await page.host("setContext", contextOf(theme));
      const background = () => view.evaluate("getComputedStyle(document.body).backgroundColor");
      await expect.poll(background).toBe(BACKGROUNDS[theme]);
      await expectAccessible(view);
      expect(await view.evaluate("document.documentElement.scrollWidth <= innerWidth"), `${width}`).toBe(
        true,
      );
    }
    expect(page.complaints).toEqual([]);
  });

  /** Returns the calls of a view that calls tools once it is drawn, when all have their answers. */
  async function answeredCalls(callable: readonly string[]) {
    if (callable.length > 0)
      await expect
        .poll(async () => {
          const { calls, answers } = await page.seen();
          return calls.length > 0 && answers === calls.length;
        })
        .toBe(true);
    return (await page.seen()).calls;
  }

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

  it("take over the colours of a host in any notation, again when its theme changes", async () => {
    const { htmlOf } = await connected();
    const result = await page.host("callTool", "get_odds", { symbol: "AAPL" });
    const variables = {
      "--color-background-primary": "light-dark(#ffffff, rgb(32 32 32))",
      "--color-text-primary": "light-dark(hsl(0 0% 0%), white)",
    };
    const context = { theme: "dark", styles: { variables } };
    await page.host("open", {
      html: await htmlOf("ui://market-signal/odds"),
      sandbox: apps.sandbox,
      context,
      result,
    });
    const view = page.view();
    await view.locator("article.view").waitFor();
    const tokens = () =>
      view.evaluate(() => {
        const style = getComputedStyle(document.documentElement);
        return ["--surface", "--text", "--line"].map((name) => style.getPropertyValue(name));
      });
    expect(await tokens()).toEqual(["#202020", "#ffffff", "#3f3f3f"]);
    await page.host("setContext", { theme: "light" });
    await expect.poll(tokens).toEqual(["#ffffff", "#000000", "#dbdbdb"]);
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
