import { randomBytes } from "node:crypto";
import { type Context, Hono } from "hono";
import { isLocalOwner, type Principal } from "../../domain/accounts/access.ts";
import type { DashboardFiles } from "../../domain/dashboard-port.ts";
import { routeGet } from "../http/problem.ts";
import type { HttpEnv } from "../http/server-deps.ts";
import { serveStatic } from "../http/static-file.ts";

/** Pages of the dashboard besides `/`, as its router knows them. */
export const PAGE_PATHS = ["/symbol/:symbol", "/screener", "/connect", "/installation"] as const;
const INDEX = "index.html";
/** Text in the page that stands for the nonce of its styles. */
const NONCE_PLACEHOLDER = "__NONCE__";
/** Text in the page that stands for the scopes of its caller, and "owner" if it is the owner. */
const RIGHTS_PLACEHOLDER = "__RIGHTS__";
/** Where browsers look for an icon of answers that name none, such as pictures; any format may be there. */
const FAVICON = { path: "/favicon.ico", file: "icon-192.png" } as const;
const ASSETS = "assets/";
/** The names of assets contain a hash of their content. */
const ASSET_CACHE = "public, max-age=31536000, immutable";

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  webmanifest: "application/manifest+json",
};
/** Formats that are compressed already. */
const COMPRESSED: ReadonlySet<string> = new Set(["png"]);

/** Returns true if the pages are built. */
export const isBuilt = (files: DashboardFiles | undefined): files is DashboardFiles =>
  files?.paths().includes(INDEX) === true;

/**
 * Serves the files of the pages: those under /assets for ever, since their names change with their content, and the rest
 * of the folder for minutes. Views are resources of MCP and not served here.
 */
export function dashboardFileRoutes(files: DashboardFiles | undefined): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ strict: false });
  for (const path of files?.paths() ?? []) {
    const extension = path.slice(path.lastIndexOf(".") + 1);
    const type = TYPES[extension];
    if (type === undefined) continue;
    const handler = serveStatic(type, () => files!.read(path), {
      compressed: COMPRESSED.has(extension),
      ...(path.startsWith(ASSETS) && { cacheControl: ASSET_CACHE }),
    });
    routeGet(app, `/${path}`, handler);
    if (path === FAVICON.file) routeGet(app, FAVICON.path, handler);
  }
  // without built pages there is no icon, which is no error
  return routeGet(app, FAVICON.path, (c) => c.body(null, 204));
}

/**
 * Returns the page of the dashboard, with a nonce of its own for the styles that its components make, and with what its
 * caller may do.
 */
export function dashboardPage(c: Context<HttpEnv>, files: DashboardFiles, caller: Principal): Response {
  const nonce = randomBytes(16).toString("base64");
  const html = files
    .read(INDEX)
    .toString("utf8")
    .replaceAll(NONCE_PLACEHOLDER, nonce)
    .replace(RIGHTS_PLACEHOLDER, [...caller.scopes, ...(isLocalOwner(caller) ? ["owner"] : [])].join(" "));
  return c.html(html, 200, {
    "cache-control": "no-store",
    "content-security-policy": [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "connect-src 'self'",
      "manifest-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'self'",
    ].join("; "),
  });
}
