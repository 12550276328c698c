import { writeFileSync } from "node:fs";
import { renderAsync } from "@resvg/resvg-js";
import type { Page } from "playwright-core";
import { indexedPng } from "../../../src/lib/indexed-png.ts";
import { whileSignedIn } from "./signed-in.ts";

const FOLDER = new URL("../../../docs/images/", import.meta.url).pathname;
const SIZE = { width: 1440, height: 1000 };
const MAX_BYTES = 200_000;
const WATCHLIST = ["AAPL", "NVDA", "MSFT", "SPY", "BTC-USD", "ETH-USD"];
/** Time in which prices, sparklines and charts get drawn after the page is there. */
const SETTLE_MS = 4_000;

/** The pictures of README and docs/dashboard.md; each waits for what it shows. */
const PICTURES: Readonly<Record<string, { readonly path: string; ready(page: Page): Promise<unknown> }>> = {
  today: {
    path: "/",
    ready: (page) =>
      page
        .getByRole("row", { name: /BTC-USD/ })
        .first()
        .waitFor(),
  },
  symbol: { path: "/symbol/AAPL", ready: (page) => page.locator(".chart-canvas canvas").first().waitFor() },
  screener: { path: "/screener", ready: (page) => page.locator("a[data-row]").first().waitFor() },
};

/** Takes the pictures of the pages again: `npx tsx test/dashboard/support/pictures.ts`, after a build. */
await whileSignedIn(async ({ url, context }) => {
  const browser = await context({ viewport: SIZE, colorScheme: "dark" });
  const headers = { origin: url };
  const saved = await browser.request.post(`${url}/api/v1/watchlists/my list`, {
    headers,
    data: { symbols: WATCHLIST },
  });
  if (!saved.ok()) throw new Error(await saved.text());
  for (const [name, { path, ready }] of Object.entries(PICTURES)) {
    const page = await browser.newPage();
    await page.goto(`${url}${path}`);
    await ready(page);
    await page.waitForTimeout(SETTLE_MS);
    const png = await withPalette(await page.screenshot());
    if (png.length > MAX_BYTES) throw new Error(`${name} has ${png.length} bytes`);
    writeFileSync(`${FOLDER}dashboard-${name}.png`, png);
    console.log(`dashboard-${name}.png: ${Math.round(png.length / 1_000)} KB`);
    await page.close();
  }
});

/** Returns a screenshot with a palette, a third of its size. */
async function withPalette(screenshot: Buffer): Promise<Uint8Array> {
  const { width, height } = SIZE;
  const image = `<image width="${width}" height="${height}" href="data:image/png;base64,${screenshot.toString("base64")}"/>`;
  const { pixels } = await renderAsync(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${image}</svg>`,
    { font: { loadSystemFonts: false } },
  );
  return indexedPng({ width, height, rgba: pixels }, MAX_BYTES);
}
