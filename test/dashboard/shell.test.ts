import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectAccessible, hasBrowser, useDashboard } from "./support/browser.ts";

describe.skipIf(!hasBrowser)("the frame of the pages", () => {
  const dashboard = useDashboard();

  it("finds a symbol by the name of its company and opens its page", async () => {
    const page = await dashboard.page("/connect");
    await page.keyboard.press("Control+k");
    await page.getByRole("textbox", { name: "Symbol, page or question" }).fill("apple");
    await page.getByText("AAPL", { exact: true }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${dashboard.url}/symbol/AAPL`);
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });

  it.each([
    ["/symbol/%25", "The request failed"],
    ["/symbol/%E0%A4%A", "The request failed"],
  ])("opens %s, whose encoding is invalid, with a message", async (path, title) => {
    const page = await dashboard.page(path);
    await page.getByRole("alert").getByText(title).waitFor();
    await page.context().close();
  });

  it("stays when a page cannot be drawn, and shows the next one", async () => {
    const page = await dashboard.page("/connect");
    await page.route("**/api/v1/screener**", (route) => route.fulfill({ json: { ok: true, results: 1 } }));
    await page.getByRole("navigation").getByRole("link", { name: "Screener" }).click();
    await page.getByText("This page cannot be drawn").waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "Installation" }).click();
    await page.getByRole("heading", { name: "Installation", exact: true }).waitFor();
    await page.context().close();
  });

  it("keeps what is typed right after its key, and waits for the entries of that text", async () => {
    const page = await dashboard.page("/connect");
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    await page.keyboard.press("Control+k");
    await page.keyboard.type("nvidia");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${dashboard.url}/symbol/NVDA`);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("opens a page by its name", async () => {
    const page = await dashboard.page("/connect");
    await page.getByRole("button", { name: "Symbol, page or question" }).click();
    await page.getByRole("textbox", { name: "Symbol, page or question" }).fill("backups");
    await page.getByText("Keys, providers, nightly runs").waitFor();
    await page.getByText("Installation", { exact: true }).last().click();
    await page.waitForURL(`${dashboard.url}/installation`);
    await page.context().close();
  });

  it("draws the answer to a question, and names the tool and the page that has more", async () => {
    const page = await dashboard.page("/connect", { width: 390, scheme: "light" });
    await page.getByRole("button", { name: "Symbol, page or question" }).click();
    await page.getByRole("textbox", { name: "Symbol, page or question" }).fill("what is the signal on NVDA?");
    await page.getByText("Ask: what is the signal on NVDA?").waitFor();
    await page.keyboard.press("Enter");
    const answer = page.getByRole("region", { name: "Answer" });
    await answer.waitFor();
    expect(await answer.textContent()).toContain("NVDA is ");
    expect(await answer.locator("code").first().textContent()).toBe('get_signal {"symbol":"NVDA"}');
    await answer.getByRole("article").getByRole("heading", { name: "NVDA" }).waitFor();
    await answer.locator(".chart-canvas canvas").first().waitFor();
    await answer.getByText("In words").click();
    expect(await answer.locator(".answer-text").textContent()).toContain("stop");
    await expectAccessible(page);
    await answer.getByRole("link", { name: "Chart of NVDA" }).click();
    await page.waitForURL(`${dashboard.url}/symbol/NVDA`);
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });

  it("answers in words what no view draws", async () => {
    const page = await dashboard.page("/connect");
    await page.keyboard.press("Control+k");
    await page.getByRole("textbox", { name: "Symbol, page or question" }).fill("what does RSI mean?");
    await page.getByText("Ask: what does RSI mean?").waitFor();
    await page.keyboard.press("Enter");
    const answer = page.getByRole("region", { name: "Answer" });
    await answer.waitFor();
    expect(await answer.getByRole("article").count()).toBe(0);
    expect(await answer.textContent()).toContain("RSI");
    await page.context().close();
  });

  it("moves by keyboard and lists the shortcuts", async () => {
    const page = await dashboard.page("/connect");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor({ state: "hidden" });
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.waitForURL(`${dashboard.url}/installation`);
    expect(await page.locator("nav [aria-current=page]").textContent()).toBe("Installation");
    expect(await page.title()).toBe("Installation · Market Signal");
    await page.context().close();
  });

  it("is installable", async () => {
    const manifest = (await (await fetch(`${dashboard.url}/app.webmanifest`)).json()) as {
      readonly icons: readonly { readonly src: string; readonly type: string; readonly sizes: string }[];
    };
    for (const { src, type, sizes } of manifest.icons) {
      const icon = await fetch(`${dashboard.url}${src}`);
      expect([icon.status, icon.headers.get("content-type")]).toEqual([200, type]);
      if (type !== "image/png") continue;
      const bytes = Buffer.from(await icon.arrayBuffer());
      expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes);
    }
    expect(manifest.icons).toHaveLength(4);
  });

  it("opens a picture of the API", async () => {
    const page = await dashboard.page("/connect");
    const response = (await page.goto(`${dashboard.url}/api/v1/chart/AAPL?format=png`))!;
    expect([response.status(), response.headers()["content-type"]]).toEqual([200, "image/png"]);
    await page.context().close();
  });

  it("transfers less than 300 kB for each page at first", async () => {
    for (const path of ["/", "/symbol/AAPL", "/screener", "/connect", "/installation"]) {
      const page = await dashboard.page(path);
      await page.waitForTimeout(1_500);
      const entries = (await page.evaluate("performance.getEntries().map((entry) => entry.toJSON())")) as {
        readonly name: string;
        readonly encodedBodySize?: number;
      }[];
      const bytes = entries
        .filter(({ name }) => name.includes("/assets/") || name === page.url())
        .reduce((sum, { encodedBodySize = 0 }) => sum + encodedBodySize, 0);
      console.info(`${path}: ${Math.round(bytes / 1_000)} kB`);
      expect(bytes, path).toBeLessThan(300_000);
      await page.context().close();
    }
  });

  it("shows the widget in a page of another origin, and refuses another symbol", async () => {
    const host = createServer((_, response) =>
      response
        .writeHead(200, { "content-type": "text/html" })
        .end(`<!doctype html><iframe src="${dashboard.url}/widget" title="widget"></iframe>`),
    ).listen(0, "127.0.0.1");
    const page = await dashboard.browser.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`);
    const frame = page.frameLocator("iframe");
    await frame.locator("#card-title").waitFor();
    expect(await frame.locator("#card-title").textContent()).toContain("AAPL");
    expect(await frame.locator(".label").textContent()).toContain("SAMPLE");
    expect(complaints).toEqual([]);
    await page.close();
    host.close();
    const refused = await fetch(`${dashboard.url}/widget?sym=TSLA`);
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain("This widget shows AAPL only, not TSLA");
    expect(refused.headers.get("x-frame-options")).toBeNull();
  });

  it("signs out, and says on every page that the session has ended", async () => {
    const page = await dashboard.page("/connect");
    const other = await page.context().newPage();
    await other.goto(`${dashboard.url}/connect`);
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.locator("#browser").waitFor();
    expect(await page.textContent("#browser")).toContain("This browser is not signed in.");
    await other.getByRole("link", { name: "Installation" }).click();
    await other.getByRole("heading", { name: "This browser is signed out" }).waitFor();
    await page.context().close();
  });
});

it("has the styles of every component that the pages use", () => {
  const assets = join(import.meta.dirname, "../../dist/dashboard/assets");
  const textOf = (pattern: RegExp) =>
    readdirSync(assets)
      .filter((name) => pattern.test(name))
      .map((name) => readFileSync(join(assets, name), "utf8"))
      .join("\n");
  const classesIn = (text: string) => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g));
  const styles = createRequire(import.meta.url).resolve("@mantine/core/styles.css");
  const known = classesIn(readFileSync(styles, "utf8"));
  const used = [...classesIn(textOf(/\.js$/))].filter((name) => known.has(name));
  const served = classesIn(textOf(/^main-.*\.css$/));
  expect(used.length).toBeGreaterThan(50);
  expect(used.filter((name) => !served.has(name))).toEqual([]);
});
