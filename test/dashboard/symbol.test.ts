import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { hasBrowser, itIsAccessible, useDashboard } from "./support/browser.ts";

const CHART = ".chart-canvas";
/** The figures of the bar under the crosshair. */
const legend = (page: Page) => page.locator(".chart-legend > div").first();
const chartIsDrawn = (page: Page) => page.locator(`${CHART} canvas`).first().waitFor();

describe.skipIf(!hasBrowser)("the page of a symbol", () => {
  const dashboard = useDashboard();

  it("shows its timeframes, each with its own bars", async () => {
    const page = await dashboard.page("/symbol/AAPL");
    await chartIsDrawn(page);
    expect(await page.locator("h1").textContent()).toBe("AAPL");
    expect(await legend(page).textContent()).toMatch(/^\d{4}-\d\d-\d\d O [\d.]+ H [\d.]+ L [\d.]+ C [\d.]+ /);
    for (const timeframe of ["4h", "1h", "30m", "15m", "5m"]) {
      await page.getByLabel("Timeframe").getByText(timeframe, { exact: true }).click();
      await page.waitForURL(`**/symbol/AAPL?tf=${timeframe}`);
      await page.locator('[aria-busy="false"]').waitFor();
      expect(await legend(page).textContent()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d O /);
    }
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });

  it("shows three past days: the verdict of then, and what happened since", async () => {
    const page = await dashboard.page("/symbol/AAPL");
    await chartIsDrawn(page);
    const newest = await page.getByLabel("Day", { exact: true }).inputValue();
    const shown = new Set<string | null>();
    for (const days of [40, 130, 300]) {
      const day = new Date(Date.parse(newest) - days * 86_400_000).toISOString().slice(0, 10);
      await page.getByLabel("Day", { exact: true }).fill(day);
      const then = page.getByRole("region", { name: "The past day" });
      await then.getByText(/20 bars later the close was|There was no plan/).waitFor();
      expect(await then.textContent()).toMatch(/^As of \d+ \w+ \d{4}.*[\d.]+ then, [\d.]+ now: [+−][\d.]+ %/);
      // the bars are those known then
      expect((await legend(page).textContent())?.slice(0, 10)).toBe(day);
      shown.add(await then.textContent());
    }
    expect(shown.size).toBe(3);
    await page.getByRole("button", { name: "Back to now" }).click();
    await page.getByRole("region", { name: "The past day" }).waitFor({ state: "detached" });
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });

  it("loads the signals of the year only once they are to be marked", async () => {
    const page = await dashboard.page("/symbol/AAPL");
    const calls: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/history?")) calls.push(new URL(request.url()).search);
    });
    await page.reload();
    await chartIsDrawn(page);
    await page.locator(".driver").first().waitFor();
    expect(calls).toEqual([]);
    const newest = await page.getByLabel("Day", { exact: true }).inputValue();
    const from = new Date(Date.parse(newest) - 365 * 86_400_000).toISOString().slice(0, 10);
    await page.getByRole("switch", { name: "Mark the signals of the year" }).press("Space");
    await page.getByText("upper half: ▲ LONG · lower half: ▼ SHORT").waitFor();
    await page.locator(".ribbon rect").first().waitFor();
    expect(calls[0]).toBe(`?timeframe=1d&from=${from}&limit=250`);
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });

  it("saves levels by price and by a click, makes an alert from one, and deletes one", async () => {
    const page = await dashboard.page("/symbol/MSFT");
    await chartIsDrawn(page);
    const levels = page.locator(".levels li");
    await page.getByLabel("Price of the level").fill("123.45");
    await page.getByLabel("Label of the level").fill("my line");
    await page.getByRole("button", { name: "Save level" }).click();
    await levels.getByText("my line").waitFor();

    await page.getByRole("button", { name: "Draw level" }).click();
    await page.locator(CHART).click({ position: { x: 200, y: 150 } });
    await page.getByLabel("Label of the level").fill("clicked");
    await page.keyboard.press("Enter");
    await levels.getByText("clicked").waitFor();

    await page.getByRole("button", { name: "Alert for my line at 123.45" }).click();
    await levels.getByText(/alert (above|below) 123\.45/).waitFor();
    await page.reload();
    await levels.getByText(/alert (above|below) 123\.45/).waitFor();
    expect(await levels.count()).toBe(2);

    await page.getByRole("button", { name: /^Delete clicked/ }).click();
    await levels.getByText("clicked").waitFor({ state: "detached" });
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });

  it("compares with another symbol, and draws other indicators", async () => {
    const page = await dashboard.page("/symbol/AAPL");
    await chartIsDrawn(page);
    await page.getByLabel("Compare with").fill("msft");
    await page.keyboard.press("Enter");
    await page.getByText("MSFT, rebased").waitFor();
    await page.getByRole("button", { name: /^Indicators/ }).click();
    await page.getByLabel("Another indicator").fill("sma(100)");
    await page.keyboard.press("Enter");
    await page.locator(".chart-legend-more").getByText("sma(100)").waitFor();
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });

  it("is used by keyboard: the crosshair of the chart, a driver, the table of the bars", async () => {
    const page = await dashboard.page("/symbol/AAPL");
    await chartIsDrawn(page);
    await page.locator(CHART).focus();
    await page.keyboard.press("ArrowLeft");
    const last = await legend(page).textContent();
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => legend(page).textContent()).not.toBe(last);
    await page.keyboard.press("+");

    const driver = page.locator(".driver button").first();
    await driver.focus();
    await page.keyboard.press("Enter");
    await page
      .getByText(/^Without it: (LONG|SHORT|WAIT)/)
      .first()
      .waitFor();
    expect(await page.locator(".driver").count()).toBe(29);

    await page.getByText("Bars and indicators as a table").focus();
    await page.keyboard.press("Enter");
    const rows = page.getByLabel("Bars and indicators, table").locator("tbody tr");
    expect(await rows.count()).toBe(500);
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });

  itIsAccessible(async (look) => {
    const page = await dashboard.page("/symbol/AAPL?as_of=2026-06-01", look);
    await chartIsDrawn(page);
    await page.locator(".driver-sum").waitFor();
    return page;
  });

  it("says that a symbol is not known", async () => {
    const page = await dashboard.page("/symbol/NOSUCH9");
    await page.getByRole("alert").waitFor();
    await page.context().close();
  });
});
