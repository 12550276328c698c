import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectAccessible, hasBrowser, useDashboard } from "./support/browser.ts";

/** The panel, opened where it is folded. */
async function openPanel(page: Page) {
  const panel = page.locator("details.order");
  await panel.waitFor();
  if (!(await panel.evaluate((one: any) => one.open))) {
    await panel.locator("summary").first().focus();
    await page.keyboard.press("Enter");
  }
  return panel;
}

const digits = (value: number, places: number): string =>
  value.toLocaleString("en-US", { minimumFractionDigits: places, maximumFractionDigits: places });
/** Returns a figure of an answer as the page writes it. */
const money = (value: number): string => digits(value, Math.abs(value) < 1 ? 4 : 2);
const share = (value: number): string => `${Math.round(value * 100)} %`;

describe.skipIf(!hasBrowser)("the check of an order on the page of a symbol", () => {
  const dashboard = useDashboard();
  const checkOrder = async (input: object): Promise<any> => {
    const response = await fetch(`${dashboard.url}/api/v1/check-order`, {
      method: "POST",
      headers: { authorization: `Bearer ${dashboard.key}`, "content-type": "application/json" },
      body: JSON.stringify(input),
    });
    expect(response.status).toBe(200);
    return response.json();
  };

  it.each([
    [390, "dark"],
    [390, "light"],
    [1440, "dark"],
    [1440, "light"],
  ] as const)("draws the answer for an order from the plan at %i px, %s", async (width, scheme) => {
    // a past day, so that the same call gives the same answer
    const page = await dashboard.page("/symbol/AAPL?as_of=2026-06-01", { width, scheme });
    const panel = await openPanel(page);
    await panel.getByText("Nothing is placed here.").waitFor();
    await panel.getByRole("button", { name: "Fill from the plan", disabled: false }).focus();
    await page.keyboard.press("Enter");
    await panel.getByLabel("Quantity").fill("20");
    const sent = page.waitForRequest("**/api/v1/check-order");
    await page.keyboard.press("Enter");
    const input = (await sent).postDataJSON();
    const { signal } = await fetch(`${dashboard.url}/api/v1/signals/AAPL?as_of=2026-06-01`, {
      headers: { authorization: `Bearer ${dashboard.key}` },
    })
      .then((response) => response.json())
      .then(({ data }: any) => data);
    const isLong = signal.stop_loss < signal.targets[0];
    expect(input).toEqual({
      symbol: "AAPL",
      side: isLong ? "buy" : "sell_short",
      type: "limit",
      quantity: 20,
      limit_price: isLong ? signal.entry_zone.high : signal.entry_zone.low,
      stop_loss: signal.stop_loss,
      take_profit: signal.targets[0],
      as_of: "2026-06-01",
    });

    await panel.getByRole("heading", { name: "Order check" }).waitFor();
    const answer = await checkOrder(input);
    const text = (await panel.locator(".order-answer").allInnerTexts()).join(" ").replace(/\s+/g, " ");
    for (const expected of [
      answer.verdict.toUpperCase(),
      answer.order,
      `at ${money(answer.price.value)}`,
      `Rules: ${answer.rules.length} failed, ${answer.unknown.length} unknown`,
      ...answer.rules.map(({ rule }: any) => rule.replaceAll("_", " ")),
      ...answer.rules.flatMap(({ would_pass }: any) => (would_pass === undefined ? [] : [would_pass])),
      money(answer.loss.at_stop),
      share(answer.odds.stop_first),
      share(answer.odds.target_first),
      "This check places nothing.",
    ])
      expect(text).toContain(expected);

    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });

  it("says at the field what is wrong, fills in nothing, and checks again", async () => {
    const page = await dashboard.page("/symbol/AAPL");
    const panel = await openPanel(page);
    const quantity = panel.getByLabel("Quantity");
    await panel.getByRole("button", { name: "Check the order" }).click();
    await panel.getByText("Pass one of quantity and notional").waitFor();
    expect(await quantity.getAttribute("aria-invalid")).toBe("true");
    expect(await quantity.inputValue()).toBe("");
    await expect.poll(() => quantity.evaluate((one) => one === document.activeElement)).toBe(true);

    await quantity.fill("-3");
    await panel.getByLabel("Planned stop loss").fill("two hundred");
    await page.keyboard.press("Enter");
    await expect.poll(() => panel.locator('[aria-invalid="true"]').count()).toBe(2);
    expect(await panel.getByRole("alert").count()).toBe(0);

    await panel.getByText("USD", { exact: true }).first().click();
    await panel.getByText("Limit", { exact: true }).click();
    await panel.getByLabel("Amount").fill("1,500");
    await panel.getByLabel("Planned stop loss").fill("");
    await page.keyboard.press("Enter");
    await panel.getByText("A limit order requires a limit_price").waitFor();
    await panel.getByLabel("Limit price").fill("250");
    const sent = page.waitForRequest("**/api/v1/check-order");
    await page.keyboard.press("Enter");
    expect((await sent).postDataJSON()).toEqual({
      symbol: "AAPL",
      side: "buy",
      type: "limit",
      notional: "1,500",
      limit_price: 250,
    });
    await panel.getByRole("heading", { name: "Order check" }).waitFor();
    expect(await panel.locator('[aria-invalid="true"]').count()).toBe(0);
    await panel.getByLabel("Limit price").fill("251");
    await panel.getByText("The form has changed since this check.").waitFor();
    // the browser itself logs a refused call
    expect(page.complaints.filter((line) => !line.includes("400"))).toEqual([]);
    await page.context().close();
  });
});
