import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { shortDay, shortMoment } from "../../src/dashboard/views/format.ts";
import { expectAccessible, hasBrowser, itIsAccessible, useDashboard } from "./support/browser.ts";
import { runFinished } from "./support/run.ts";

/** Titles of the panels that are narrower than what they show. */
const CUT_PANELS = `[...document.querySelectorAll(".panel")]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map((panel) => panel.querySelector("h2").textContent)`;

const listedSymbols = (page: Page) => page.locator(".watchlist tbody th a").allTextContents();

describe.skipIf(!hasBrowser)("the page of today", () => {
  const dashboard = useDashboard();

  it("shows the market before the setup on a phone", async () => {
    const page = await dashboard.page("/connect", { width: 390 });
    await runFinished(page, dashboard.url);
    await page.goto(dashboard.url);
    await page.getByRole("heading", { name: "Start here" }).waitFor();
    const market = await page.getByRole("region", { name: "The market" }).boundingBox();
    const setup = await page.locator(".first-run").boundingBox();
    expect(market!.y + market!.height).toBeLessThanOrEqual(setup!.y);
    expect(await page.getByText("never switches by itself").textContent()).toContain("restart the server");
    await expectAccessible(page);
    await page.context().close();
  });

  it("adds the best match of what is typed by Enter, and says which symbol is not known", async () => {
    const page = await dashboard.page("/");
    const field = page.getByLabel("Another symbol");
    await field.pressSequentially("ups");
    await field.press("Enter");
    await page.getByRole("button", { name: "✓ UPS" }).waitFor();
    expect(await field.inputValue()).toBe("");
    await field.fill("microsoft");
    await page.getByRole("option", { name: /MSFT/ }).waitFor();
    await field.press("Enter");
    await page.getByRole("button", { name: "✓ MSFT" }).waitFor();
    await field.fill("zzzzq");
    await field.press("Enter");
    await page.getByText('No symbol is named "zzzzq"').waitFor();
    await page.getByRole("button", { name: "Start the watchlist (2 of 3)" }).click();
    await page.getByRole("alert").getByText('No instrument is known as "zzzzq"').waitFor();
    const { watchlists } = await (await page.request.get(`${dashboard.url}/api/v1/watchlists`)).json();
    expect(watchlists).toEqual([]);
    await page.context().close();
  });

  it("makes the first watchlist within a minute", async () => {
    const page = await dashboard.page("/");
    const start = Date.now();
    for (const symbol of ["AAPL", "NVDA"]) await page.getByRole("button", { name: `+ ${symbol}` }).click();
    // typed, but not added
    await page.getByLabel("Another symbol").fill("bitcoin");
    await page.getByRole("button", { name: "Start the watchlist (2 of 3)" }).click();
    await expect.poll(() => listedSymbols(page)).toEqual(["AAPL", "NVDA", "BTC-USD"]);
    await page.locator(".watchlist .grade").nth(2).waitFor();
    expect(Date.now() - start).toBeLessThan(60_000);
    const { watchlists } = await (await page.request.get(`${dashboard.url}/api/v1/watchlists`)).json();
    expect(watchlists).toMatchObject([{ name: "my list", symbols: ["AAPL", "NVDA", "BTC-USD"] }]);
    await page.context().close();
  });

  it("follows prices by one stream over all tabs", async () => {
    const page = await dashboard.page("/");
    // the stream of the first load is not counted
    await page.getByText("streaming prices").waitFor();
    const streams: string[] = [];
    page.context().on("request", (request) => {
      if (request.url().includes("/quotes/stream")) streams.push(request.url());
    });
    await page.reload();
    await page.getByText("streaming prices").waitFor();
    const other = await page.context().newPage();
    await other.goto(dashboard.url);
    const price = other.locator(".watchlist .tick").last();
    const before = await price.getAttribute("data-price");
    await expect.poll(() => price.getAttribute("data-price"), { timeout: 30_000 }).not.toBe(before);
    await other.getByText("streaming prices").waitFor();
    expect(streams).toHaveLength(1);
    await page.context().close();
  });

  it("says what changed since the last visit, which a reload does not end", async () => {
    const page = await dashboard.page("/");
    await page.getByText("your first visit: the last 7 days").waitFor();
    const seen = Date.now() - 3 * 86_400_000;
    const visit = JSON.stringify({ since: null, seen });
    await page.evaluate(`localStorage.setItem("market-signal-visit", ${JSON.stringify(visit)})`);
    await page.reload();
    await page.getByText(/^last visit \d+ \w+/).waitFor();
    await page.reload();
    await page.getByText(/^last visit \d+ \w+/).waitFor();
    await page.context().close();
  });

  it("adds a symbol, removes one, copies the list and deletes the copy", async () => {
    const page = await dashboard.page("/");
    await page.getByLabel("Add a symbol").fill("microsoft");
    await page.getByRole("option", { name: /MSFT/ }).click();
    await expect.poll(() => listedSymbols(page)).toEqual(["AAPL", "NVDA", "BTC-USD", "MSFT"]);
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("button", { name: "Remove NVDA" }).click();
    await expect.poll(() => listedSymbols(page)).toEqual(["AAPL", "BTC-USD", "MSFT"]);
    await page.getByLabel("Name of the copy").fill("second");
    await page.getByRole("button", { name: "Copy list" }).click();
    const select = page.getByLabel("Name of the watchlist");
    await expect.poll(() => select.inputValue()).toBe("second");
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("button", { name: "Delete this list" }).click();
    await page.getByRole("button", { name: 'Really delete "second"' }).click();
    await expect.poll(() => select.inputValue()).toBe("my list");
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });

  it("names the days of the closes that the movers are of", async () => {
    const page = await dashboard.page("/");
    const movers = page.getByRole("region", { name: "Movers of the last close" });
    const answer = await page.request.get(`${dashboard.url}/api/v1/movers?asset_class=all&limit=5`);
    const { coverage, runs } = await answer.json();
    const day = (closed: string) => shortDay(new Date(Date.parse(closed) - 1).toISOString());
    const days = [coverage.closes.stocks, coverage.closes.crypto].map(day);
    await movers
      .getByText(days[0] === days[1] ? days[0]! : `stocks ${days[0]}, coins ${days[1]}`, { exact: true })
      .waitFor();
    await movers.getByText(`Bars until ${shortMoment(runs[0].as_of)}`, { exact: true }).waitFor();
    await page.context().close();
  });

  it("opens the parts of the index", async () => {
    const page = await dashboard.page("/");
    await page.getByRole("button", { name: "Parts and history" }).click();
    await page.getByRole("dialog").getByRole("heading", { name: "Signal Index" }).waitFor();
    await expectAccessible(page);
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });

  itIsAccessible(async (look) => {
    const page = await dashboard.page("/connect", look);
    await runFinished(page, dashboard.url);
    await page.goto(dashboard.url);
    await page.locator(".dial").waitFor();
    await page.locator(".watchlist .grade").first().waitFor();
    expect(await page.evaluate(CUT_PANELS)).toEqual([]);
    return page;
  });
});
