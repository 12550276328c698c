import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hasBrowser, itIsAccessible, useDashboard } from "./support/browser.ts";

describe.skipIf(!hasBrowser)("Installation", () => {
  const dashboard = useDashboard();

  itIsAccessible(async (look) => {
    const page = await dashboard.page("/installation", look);
    for (const name of [
      "Keys",
      "Data providers",
      "Nightly runs",
      "Background jobs",
      "Backups",
      "Log",
      "Settings",
    ])
      await page.getByRole("heading", { name, exact: true }).waitFor();
    await page.getByText("MARKET_DATA", { exact: true }).waitFor();
    return page;
  });

  it("creates a key that reads, and revokes it", async () => {
    const page = await dashboard.page("/installation");
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Name of the new key").fill("notebook");
    await page.getByRole("button", { name: "Create a key", exact: true }).click();
    const key = (await page.locator(".snippet", { hasText: "ms_" }).first().locator("code").textContent())!;
    const statusOf = async (path: string, init: RequestInit = {}) =>
      (
        await fetch(`${dashboard.url}${path}`, {
          ...init,
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        })
      ).status;
    expect(await statusOf("/api/v1/quote/AAPL")).toBe(200);
    expect(await statusOf("/api/v1/installation/keys")).toBe(403);
    await page.getByRole("button", { name: "Revoke notebook" }).click();
    await page.getByRole("button", { name: "Revoke the key" }).click();
    await expect.poll(() => page.getByRole("row", { name: /notebook/ }).textContent()).toContain("revoked");
    expect(await statusOf("/api/v1/quote/AAPL")).toBe(401);
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });

  it("writes a backup, downloads it, and shows the command that restores it", async () => {
    const page = await dashboard.page("/installation");
    await page.getByRole("button", { name: "Back up now" }).click();
    await page.getByText(/^Written: /).waitFor();
    const download = page.waitForEvent("download");
    await page
      .getByRole("link", { name: /^Download / })
      .first()
      .click();
    const file = await download;
    const bytes = readFileSync(await file.path());
    expect(bytes.length).toBeGreaterThan(10_000);
    await page.getByText("Restore it").first().click();
    expect(await page.locator(".backups .snippet code").first().textContent()).toContain(
      file.suggestedFilename(),
    );
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });
});
