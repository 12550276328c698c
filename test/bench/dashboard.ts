import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContext, Page } from "playwright-core";
import { type SignedIn, whileSignedIn } from "../dashboard/support/signed-in.ts";

const RESULTS = join(import.meta.dirname, "../../docs/results/dashboard.md");
const RUNS = 5;
const GOALS = { paintMs: 500, usableMs: 1_000, bytes: 300_000, taskMs: 50 } as const;
const PANNED_BARS = 500;
/** Bars that the chart shows at first, and moves of the pointer in one drag. */
const VISIBLE_BARS = 130;
const PAN_STEPS = 50;
/** Time between visits, for the work that the one before leaves behind. */
const PAUSE_MS = 1_000;
const PATIENCE_MS = 60_000;
const SYMBOL = "AAPL";
const CHART = ".chart-canvas";

/** The pages, each with what is drawn when it can be used. */
const PAGES: Readonly<Record<string, { readonly path: string; readonly drawn: readonly string[] }>> = {
  Today: { path: "/", drawn: [".first-run"] },
  Symbol: { path: `/symbol/${SYMBOL}`, drawn: [`${CHART} canvas`, ".symbol-verdict"] },
  Screener: { path: "/screener", drawn: ["a[data-row]"] },
  Connect: { path: "/connect", drawn: ["main pre, main code"] },
  Installation: { path: "/installation", drawn: ["main table"] },
};

/** What one visit with an empty cache took. */
interface Visit {
  readonly paintMs: number;
  readonly usableMs: number;
  readonly bytes: number;
}

/**
 * Measures the pages over loopback with Chromium, each visit with an empty cache: first paint, time until a page can be
 * used, compressed bytes, and the longest task while a chart moves by 500 bars; `npm run bench -- dashboard --write` writes
 * them to docs/results/dashboard.md.
 */
export const run = (): Promise<void> =>
  whileSignedIn(async (dashboard) => {
    const rows: string[] = [];
    for (const [name, { path, drawn }] of Object.entries(PAGES)) {
      const visits: Visit[] = [];
      console.error(`${name} ...`);
      // the first visit fills the caches of the server
      for (let i = 0; i <= RUNS; i++) visits.push(await visit(dashboard, path, drawn));
      const warm = visits.slice(1);
      const of = (figure: keyof Visit) => median(warm.map((each) => each[figure]));
      rows.push(
        `| ${name} | ${seconds(of("paintMs"))} | ${seconds(of("usableMs"))} | ${Math.round(of("bytes") / 1_000)} KB |`,
      );
    }
    const tasks: number[] = [];
    for (let i = 0; i < RUNS; i++) tasks.push(await longestTaskWhilePanning(dashboard));
    const text = [
      "# Speed of the pages",
      `Written by \`npm run bench -- dashboard --write\`. Chromium over loopback, sample market, each visit with an empty cache; median of ${RUNS}.`,
      `Measured on ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, Chromium ${dashboard.browser.version()}, ${cpus().length} x ${cpus()[0]?.model ?? "unknown processor"}, simulated prices.`,
      [
        `| Page | First contentful paint (goal: ${seconds(GOALS.paintMs)}) | Usable (goal of Symbol: ${seconds(GOALS.usableMs)}) | First transfer, compressed (goal: ${GOALS.bytes / 1_000} KB) |`,
        "|---|---|---|---|",
        ...rows,
      ].join("\n"),
      `Longest task while the chart of Symbol moves by ${PANNED_BARS} bars: ${Math.round(median(tasks))} ms (goal: ${GOALS.taskMs} ms).`,
      "Usable: the main content is drawn, on Symbol the candles and the verdict. The first transfer is script, style, page and icons; answers of the API come on top and depend on the data.",
    ].join("\n\n");
    console.log(text);
    if (process.argv.includes("--write")) writeFileSync(RESULTS, `${text}\n`);
  });

/** Opens a page with an empty cache, and closes it when it is drawn. */
async function visit(dashboard: SignedIn, path: string, drawn: readonly string[]): Promise<Visit> {
  const { context, page } = await emptyPage(dashboard);
  await page.goto(`${dashboard.url}${path}`, { waitUntil: "commit" });
  for (const selector of drawn) await isDrawn(page, selector);
  const figures: Visit = await page.evaluate(async () => {
    const { performance, requestAnimationFrame } = globalThis as any;
    const usableMs = performance.now();
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    const loaded = [
      ...performance.getEntriesByType("navigation"),
      ...performance.getEntriesByType("resource"),
    ];
    const bytes = loaded
      .filter(({ name }) => !new URL(name).pathname.startsWith("/api/"))
      .reduce((sum, { transferSize }) => sum + transferSize, 0);
    return { usableMs, paintMs: paint?.startTime ?? Number.NaN, bytes };
  });
  await context.close();
  return figures;
}

/** Waits until a part of a page is drawn; otherwise fails with what the page says. */
const isDrawn = (page: Page, selector: string): Promise<void> =>
  page
    .locator(selector)
    .first()
    .waitFor()
    .catch(async (cause: unknown) => {
      throw new Error(`${page.url()} shows no ${selector}: ${await page.locator("body").textContent()}`, {
        cause,
      });
    });

/** Returns the longest task, in milliseconds, while a pointer drags the chart of a symbol back by 500 bars. */
async function longestTaskWhilePanning(dashboard: SignedIn): Promise<number> {
  const { context, page } = await emptyPage(dashboard);
  await page.goto(`${dashboard.url}${PAGES.Symbol!.path}`);
  await page.locator(`${CHART} canvas`).first().waitFor();
  await page.waitForTimeout(1_000);
  const box = (await page.locator(CHART).boundingBox())!;
  const y = box.y + box.height / 3;
  // the browser reports no task below 50 ms, so the time between two messages is taken
  await page.evaluate(() => {
    const state = { longest: 0, last: performance.now() };
    Object.assign(globalThis, { panned: state });
    const channel = new (globalThis as any).MessageChannel();
    channel.port1.onmessage = () => {
      const now = performance.now();
      state.longest = Math.max(state.longest, now - state.last);
      state.last = now;
      channel.port2.postMessage(null);
    };
    channel.port2.postMessage(null);
  });
  const perDrag = Math.floor(0.8 * VISIBLE_BARS);
  for (let moved = 0; moved < PANNED_BARS; moved += perDrag) {
    await page.mouse.move(box.x + 0.1 * box.width, y);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.9 * box.width, y, { steps: PAN_STEPS });
    await page.mouse.up();
  }
  const longest = await page.evaluate(() => (globalThis as any).panned.longest as number);
  await context.close();
  return longest;
}

/** Opens an empty page in a context of its own, whose cache is empty. */
async function emptyPage(
  dashboard: SignedIn,
): Promise<{ readonly context: BrowserContext; readonly page: Page }> {
  await sleep(PAUSE_MS);
  const context = await dashboard.context({
    viewport: { width: 1440, height: 900 },
    colorScheme: "dark",
  });
  context.setDefaultTimeout(PATIENCE_MS);
  return { context, page: await context.newPage() };
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;
