import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { freePort } from "../../support/free-port.ts";
import { launchBrowser } from "./chromium.ts";

const PROGRAM = new URL("../../../dist/main.js", import.meta.url).pathname;
const PATIENCE_MS = 120_000;

export interface SignedIn {
  readonly url: string;
  readonly browser: Browser;
  /** A context of the browser with the session of the owner. */
  context(options?: BrowserContextOptions): ReturnType<Browser["newContext"]>;
}

/**
 * Starts the built server on the sample market and a browser that is signed in, for a script; both end with its work.
 * The work begins when the nightly run is done.
 */
export async function whileSignedIn(work: (dashboard: SignedIn) => Promise<void>): Promise<void> {
  if (!existsSync(PROGRAM)) throw new Error("npm run build first");
  const dataDir = mkdtempSync(join(tmpdir(), "market-signal-pages-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = spawn(process.execPath, [PROGRAM, "serve"], {
    env: {
      PATH: process.env.PATH,
      MARKET_DATA: "sample",
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: "error",
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  let browser: Browser | undefined;
  try {
    await until(async () => (await fetch(`${url}/readyz`)).ok);
    browser = await launchBrowser();
    const first = await browser.newContext();
    await (await first.newPage()).goto(readFileSync(join(dataDir, "open-link.txt"), "utf8").trim());
    const storageState = await first.storageState();
    await until(async () => (await first.request.get(`${url}/api/v1/signal-index`)).ok());
    const signedIn = browser;
    await work({
      url,
      browser,
      context: (options) => signedIn.newContext({ ...options, storageState }),
    });
  } finally {
    await browser?.close();
    const ended = once(server, "exit");
    server.kill("SIGTERM");
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Waits until a condition holds; a failure to ask counts as false. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await holds().catch(() => false))) {
    if (Date.now() > end) throw new Error("The server did not get ready");
    await sleep(250);
  }
}
