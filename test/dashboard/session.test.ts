import { describe, expect, it } from "vitest";
import { expectAccessible, hasBrowser, useDashboard } from "./support/browser.ts";

describe.skipIf(!hasBrowser)("the pages", () => {
  const dashboard = useDashboard();

  it.each([
    ["/", 1440, "dark"],
    ["/symbol/AAPL", 1440, "light"],
    ["/screener", 390, "dark"],
    ["/connect", 390, "light"],
    ["/installation", 1440, "dark"],
  ] as const)("show %s without a complaint at %i px", async (path, width, scheme) => {
    const page = await dashboard.page(path, { width, scheme });
    await expectAccessible(page);
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });

  it("open only for a browser that is signed in", async () => {
    const context = await dashboard.browser.newContext();
    const page = await context.newPage();
    await page.goto(`${dashboard.url}/symbol/AAPL`);
    expect(page.url()).toBe(`${dashboard.url}/sign-in?next=%2Fsymbol%2FAAPL`);
    await page.goto(`${dashboard.url}/`);
    expect(await page.textContent("#browser")).toContain("This browser is not signed in.");
    await context.close();
  });
});
