import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectAccessible, hasBrowser, itIsAccessible, useDashboard } from "./support/browser.ts";
import { runFinished } from "./support/run.ts";

const symbolsOf = (page: Page) => page.locator("a[data-row]").allTextContents();

describe.skipIf(!hasBrowser)("the screener page", () => {
  const dashboard = useDashboard();

  /** Opens the screener once the run has finished, and waits for its rows. */
  async function open(query = "", options: Parameters<typeof dashboard.page>[1] = {}) {
    const page = await dashboard.page("/connect", options);
    await runFinished(page, dashboard.url);
    await page.goto(`${dashboard.url}/screener${query}`);
    await page.locator("a[data-row]").first().waitFor();
    return page;
  }

  const screen = async (page: Page, query: string) => {
    const answer = await page.request.get(`${dashboard.url}/api/v1/screener?${query}`);
    const { results, total } = await answer.json();
    return {
      symbols: results.map(({ symbol }: { symbol: string }) => symbol) as string[],
      total: total as number,
    };
  };

  it("sorts the whole run by any column, and back", async () => {
    const page = await open();
    const header = page.getByRole("columnheader", { name: "Change" });
    await header.getByRole("button").click();
    await page.waitForURL(/sort=change_percent/);
    const falling = await screen(page, "sort=change_percent&order=desc&limit=100");
    await expect.poll(() => symbolsOf(page)).toEqual(falling.symbols);
    expect(await header.getAttribute("aria-sort")).toBe("descending");
    await header.getByRole("button").click();
    await page.waitForURL(/order=asc/);
    const rising = await screen(page, "sort=change_percent&order=asc&limit=100");
    await expect.poll(() => symbolsOf(page)).toEqual(rising.symbols);
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });

  it("filters by chips, whose counts are those of the rows", async () => {
    const page = await open();
    const chip = page.getByRole("button", { name: /^SHORT \d+$/ });
    const count = Number((await chip.textContent())!.match(/\d+/)![0]);
    await chip.click();
    await expect.poll(() => symbolsOf(page)).toHaveLength(count);
    expect(await chip.getAttribute("aria-pressed")).toBe("true");
    expect(await page.locator("tbody .pill.SHORT").count()).toBe(count);
    await page.locator(".filters").getByRole("button", { name: "Stage" }).click();
    const stage = page.getByRole("dialog").getByRole("button", { name: /^4 \d+$/ });
    const inStage = Number((await stage.textContent())!.match(/ (\d+)/)![1]);
    await stage.click();
    await expect.poll(() => symbolsOf(page)).toHaveLength(inStage);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Clear all filters" }).click();
    await expect.poll(() => symbolsOf(page)).toHaveLength(74);
    await page.context().close();
  });

  it("filters by a rule, and underlines its mistakes where they are", async () => {
    const page = await open();
    const rule = page.getByLabel("Rule");
    await rule.fill("rsi(14) < 45 and grade >= C");
    await rule.press("Enter");
    await page.waitForURL(/rules=/);
    const { symbols, total } = await screen(
      page,
      `sort=setup&limit=100&rules=${encodeURIComponent("rsi(14) < 45 and grade >= C")}`,
    );
    expect(total).toBeLessThan(74);
    await expect.poll(() => symbolsOf(page)).toEqual(symbols);
    expect(page.complaints).toEqual([]);
    await rule.fill("rsi(14) < 30 and grad >= 3");
    await rule.press("Enter");
    await page.locator("mark").waitFor();
    expect(await page.locator("mark").allTextContents()).toEqual(["grad"]);
    expect(await page.getByRole("alert").textContent()).toContain("did you mean grade?");
    expect(await rule.getAttribute("aria-invalid")).toBe("true");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await expect.poll(() => symbolsOf(page)).toHaveLength(74);
    await page.context().close();
  });

  it("moves by j and k, and opens a symbol with Enter", async () => {
    const page = await open();
    const [first, second] = await symbolsOf(page);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    expect(await page.evaluate("document.activeElement.textContent")).toBe(second);
    await page.keyboard.press("k");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${dashboard.url}/symbol/${first}`);
    await page.context().close();
  });

  it("saves every row as CSV", async () => {
    const page = await open("?bias=SHORT");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "CSV" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^screen-\d{4}-\d\d-\d\d\.csv$/);
    const [names, ...lines] = readFileSync(await file.path(), "utf8")
      .trimEnd()
      .split("\r\n");
    expect(names).toMatch(/^symbol,name,.*,as_of,source$/);
    expect(lines.map((line) => line.split(",")[0])).toEqual(await symbolsOf(page));
    expect(lines.every((line) => line.endsWith(",sample"))).toBe(true);
    await page.context().close();
  });

  it("saves a view in the browser, which a link shares", async () => {
    const page = await open("?bias=SHORT&sort=rr");
    const rows = await symbolsOf(page);
    await page.getByRole("button", { name: "Save view" }).click();
    await page.getByLabel("Name of this view").fill("my shorts");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.goto(`${dashboard.url}/screener`);
    await expect.poll(() => symbolsOf(page)).toHaveLength(74);
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("menuitem", { name: "my shorts", exact: true }).click();
    await expect.poll(() => symbolsOf(page)).toEqual(rows);
    expect(new URL(page.url()).search).toBe("?bias=SHORT&sort=rr");
    await page.context().close();
  });

  it("loads no code of charts", async () => {
    const page = await dashboard.page("/connect");
    const scripts: Promise<string>[] = [];
    page.on("response", (response) => {
      if (response.url().endsWith(".js")) scripts.push(response.text());
    });
    await page.goto(`${dashboard.url}/screener`);
    await page.locator("h1").waitFor();
    const code = (await Promise.all(scripts)).join("\n");
    expect(code).toContain("Rows of the screen");
    expect(code).not.toContain("tradingview");
    await page.context().close();
  });

  itIsAccessible((look) => open("", look));
});
