import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, BrowserContext, Frame, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { serveOn } from "../../support/compiled.ts";
import { suiteDir } from "../../support/temp-dir.ts";
import { CHROMIUM, hasChromium, launchBrowser } from "./chromium.ts";

const ROOT = new URL("../../..", import.meta.url).pathname;
const PROGRAM = join(ROOT, "dist/main.js");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export { launchBrowser };
/** Suites that need a browser are skipped if there is none. */
export const hasBrowser = hasChromium;
if (!hasBrowser) {
  const message = `The pages are not driven: there is no Chromium at ${CHROMIUM}`;
  if (process.env.CI !== undefined) throw new Error(message);
  console.warn(message);
}

interface PageOptions {
  /** Pixels. Default: 1440. */
  readonly width?: number;
  /** Default: dark. */
  readonly scheme?: "dark" | "light";
}
interface Visit extends PageOptions {
  /** Network address of the browser, for a server that trusts a proxy. Default: that of this machine. */
  readonly address?: string;
}

export interface Dashboard {
  readonly url: string;
  readonly dataDir: string;
  /** The key that the server made at its first start. */
  readonly key: string;
  readonly browser: Browser;
  /** Opens a page of the server in a browser that is signed in, and waits until it rests. */
  page(path: string, options?: Visit): Promise<WatchedPage>;
  /** Invites a person, and returns the path of their link. */
  invite(account: string): string;
  /** Signs later pages in with other cookies: those of a browser that signed in again. */
  useCookies(cookies: Cookies): void;
}

export interface WatchedPage extends Page {
  /** Errors and warnings of the console, violations of the content security policy among them. */
  readonly complaints: readonly string[];
}

/** Starts the built server on the sample market for a suite, and signs a browser in by its link. */
export function useDashboard(env: Readonly<Record<string, string>> = {}): Dashboard {
  const { dir, remove } = suiteDir();
  const state: { url?: string; browser?: Browser; cookies?: Cookies; stop?: () => void } = {};
  beforeAll(async () => {
    const server = await serveOn([process.execPath, PROGRAM], {
      DATA_DIR: dir,
      MARKET_DATA: "sample",
      ...env,
    });
    state.url = server.url;
    state.stop = () => void server.child.kill("SIGKILL");
    state.browser = await launchBrowser();
    const context = await state.browser.newContext();
    const page = await context.newPage();
    await page.goto(readFileSync(join(dir, "open-link.txt"), "utf8").trim());
    state.cookies = await context.cookies();
    await context.close();
  });
  afterAll(async () => {
    await state.browser?.close();
    state.stop?.();
    remove();
  });
  return {
    get url() {
      return state.url!;
    },
    get key() {
      return readFileSync(join(dir, "first-key.txt"), "utf8").trim();
    },
    get browser() {
      return state.browser!;
    },
    dataDir: dir,
    invite(account) {
      const env = { PATH: process.env.PATH, DATA_DIR: dir, MARKET_DATA: "sample" };
      const said = execFileSync(process.execPath, [PROGRAM, "accounts", "invite", account], { env });
      return /\/invited\/[\w-]+/.exec(said.toString())![0];
    },
    useCookies: (cookies) => void Object.assign(state, { cookies }),
    page: (path, options) => openPage(state.browser!, state.cookies!, `${state.url}${path}`, options),
  };
}

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;

async function openPage(
  browser: Browser,
  cookies: Cookies,
  url: string,
  { width = 1440, scheme = "dark", address }: Visit = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: { width, height: width < 800 ? 844 : 900 },
    colorScheme: scheme,
    permissions: ["clipboard-read", "clipboard-write"],
    ...(address !== undefined && { extraHTTPHeaders: { "x-forwarded-for": address } }),
  });
  await context.addCookies(cookies);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(url);
  // a page with a stream never has an idle network
  await page.locator("h1").first().waitFor();
  return Object.assign(page, { complaints });
}

const LOOKS = [
  [390, "dark"],
  [390, "light"],
  [1024, "dark"],
  [1440, "dark"],
  [1440, "light"],
] as const;

/** Tests that a page, once `open` has drawn it, is accessible, fits and has no complaint on a phone and a screen in both themes. */
export function itIsAccessible(open: (look: Required<PageOptions>) => Promise<WatchedPage>): void {
  it.each(LOOKS)("is accessible and fits at %i px in %s", async (width, scheme) => {
    const page = await open({ width, scheme });
    await expectAccessible(page);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });
}

/** Expects that axe finds nothing serious on a page or in a frame. */
export async function expectAccessible(page: Page | Frame): Promise<void> {
  // run by the debugger, which the content security policy does not concern
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { violations } = await (globalThis as any).axe.run();
    return violations
      .filter(({ impact }: any) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }: any) => `${id}: ${nodes.map(({ html }: any) => html.slice(0, 160)).join(" | ")}`);
  });
  expect(found).toEqual([]);
}
