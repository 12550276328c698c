import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Browser, Frame, Page } from "playwright-core";

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/**
 * The policy that the specification of MCP Apps gives a view which declares nothing; frames are for the proxy itself.
 * @see https://modelcontextprotocol.io/extensions/apps
 */
const DEFAULT_CSP = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "media-src 'self' data:",
  "connect-src 'none'",
  "frame-src 'self'",
].join("; ");

const HOST_PAGE = `<!doctype html><html><head><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,"></head><body style="margin:0"><script type="module" src="/host.js"></script></body></html>`;

export interface AppHost {
  /** Origin of the page of the host. */
  readonly origin: string;
  readonly sandbox: string;
  close(): void;
}

/** Serves a host of MCP Apps and its sandbox from two origins. */
export async function startAppHost(): Promise<AppHost> {
  const { outputFiles } = await build({
    entryPoints: [file("app-host.mjs")],
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "error",
  });
  const script = outputFiles[0]!.text;
  const host = await listen((path) =>
    path === "/host.js" ? ["text/javascript", script] : ["text/html", HOST_PAGE],
  );
  const proxy = readFileSync(file("app-sandbox.html"), "utf8");
  const sandbox = await listen(() => ["text/html", proxy], { "content-security-policy": DEFAULT_CSP });
  return {
    origin: urlOf(host),
    sandbox: `${urlOf(sandbox)}/`,
    close() {
      for (const server of [host, sandbox]) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

async function listen(
  answer: (path: string) => readonly [string, string],
  headers: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const server = createServer(({ url }, response) => {
    const [type, text] = answer(url ?? "/");
    response.writeHead(200, { ...headers, "content-type": `${type}; charset=utf-8` }).end(text);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

export interface HostPage extends Page {
  readonly complaints: string[];
  /** Calls a function of the host by its name. */
  host<Answer = any>(name: string, ...args: readonly unknown[]): Promise<Answer>;
  /** Returns what the host has seen: calls of the view and how many have an answer, its sizes. */
  seen(): Promise<{
    calls: { name: string; arguments: object }[];
    answers: number;
    sizes: number[];
    logs: unknown[];
  }>;
  /** Returns the frame of the view. */
  view(): Frame;
}

/** Opens the page of the host. */
export async function openHost(
  browser: Browser,
  { origin }: AppHost,
  { width = 760, scheme = "dark" }: { readonly width?: number; readonly scheme?: "dark" | "light" } = {},
): Promise<HostPage> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(`${origin}/`);
  await page.waitForFunction("globalThis.host !== undefined");
  return Object.assign(page, {
    complaints,
    host: <Answer>(name: string, ...args: readonly unknown[]): Promise<Answer> =>
      page.evaluate(
        ([fn, values]: any) => (globalThis as any).host[fn](...values),
        [name, args],
      ) as Promise<Answer>,
    seen: () => page.evaluate(() => (globalThis as any).host.seen),
    view: () => page.frames().at(-1)!,
  });
}
