import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import type { BrowserSessions } from "../../access/sign-in/browser-sessions.ts";
import { SESSION_COOKIE } from "../../access/sign-in/paths.ts";
import type { Principal } from "../../domain/accounts/access.ts";
import { ToolError } from "../../kernel/errors.ts";
import { A2A_PATH, A2A_ROUTE_PATH } from "../a2a/card.ts";
import { MESSAGE_PATHS } from "./paths.ts";
import type { HttpEnv } from "./server-deps.ts";

const READING: ReadonlySet<string> = new Set(["GET", "HEAD"]);
/** Paths of protocols for agents, which take no session. */
const FOR_AGENTS: readonly string[] = [MESSAGE_PATHS.mcp, A2A_PATH, A2A_ROUTE_PATH];
/** Values of Sec-Fetch-Site of a request by a page of this server, and by the address bar. */
const OWN_SITES: ReadonlySet<string | undefined> = new Set([undefined, "same-origin", "none"]);

/**
 * Returns a function that resolves the caller of a browser's session; null for a request without one, and at MCP and
 * A2A. Throws FORBIDDEN for a request that another page made: pages at other ports of this machine send the cookie too.
 */
export function browserCaller(
  c: Context<HttpEnv>,
  sessions: BrowserSessions | undefined,
): (() => Promise<Principal>) | null {
  if (
    sessions === undefined ||
    FOR_AGENTS.some((path) => c.req.path === path || c.req.path.startsWith(`${path}/`))
  )
    return null;
  const token = getCookie(c, SESSION_COOKIE);
  if (token === undefined) return null;
  if (!isOwnRequest(c))
    throw new ToolError("FORBIDDEN", "A browser's session answers only pages of this server", {
      hint: "Send `Authorization: Bearer <key>` from another program.",
    });
  return () => sessions.resolve(token);
}

/** Returns true for a request of a page of this server or, if it only reads, of the address bar. */
export function isOwnRequest(c: Context<HttpEnv>): boolean {
  const origin = c.req.header("origin");
  const isOwn =
    OWN_SITES.has(c.req.header("sec-fetch-site")) && (origin === undefined || isOriginOf(c, origin));
  return isOwn && (READING.has(c.req.method) || origin !== undefined);
}

const isOriginOf = ({ req }: Context<HttpEnv>, origin: string): boolean =>
  /^https?:\/\/([^/?#]*)$/i.exec(origin)?.[1]?.toLowerCase() ===
  (req.header("host") ?? new URL(req.url).host).toLowerCase();
