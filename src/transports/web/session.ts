import { type Context, Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { type BrowserSessions, SESSION_MS } from "../../access/browser-sessions.ts";
import { ToolError } from "../../kernel/errors.ts";
import { LINK_PATH } from "../connect.ts";
import { SESSION_COOKIE } from "../http/browser-caller.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { spentLinkPage } from "./spent-link.tsx";

/** Headers that a proxy adds; a link does not work behind one. */
const FORWARDING = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
  "via",
];

/** Serves the links that begin a browser's session, and its end. */
export function sessionRoutes({ browserSessions }: HttpServerDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ strict: false });
  if (browserSessions === undefined) return app;
  app.get(`${LINK_PATH}/:link`, async (c) => {
    refuseForwarded(c);
    // a preview or a HEAD request would use the link up
    if (c.req.method !== "GET" || c.req.header("sec-purpose") !== undefined)
      throw new ToolError("FORBIDDEN", "A link that signs in works once: open it in the browser itself");
    const begun = await browserSessions.begin(c.req.param("link")).catch((thrown: unknown) => {
      if (thrown instanceof ToolError && c.req.header("accept")?.includes("text/html")) return thrown;
      throw thrown;
    });
    if (begun instanceof ToolError) {
      c.header("cache-control", "no-store");
      return c.html(spentLinkPage(), 401);
    }
    const { token } = begun;
    setCookie(c, SESSION_COOKIE, token, {
      httpOnly: true,
      sameSite: "Strict",
      path: "/",
      maxAge: SESSION_MS / 1_000,
    });
    c.header("cache-control", "no-store");
    return c.redirect("/", 303);
  });
  app.post("/sign-out", async (c) => {
    await endSession(c, browserSessions);
    c.header("cache-control", "no-store");
    return c.redirect("/", 303);
  });
  return app;
}

function refuseForwarded(c: Context<HttpEnv>): void {
  if (FORWARDING.some((name) => c.req.header(name) !== undefined))
    throw new ToolError("FORBIDDEN", "Links that sign in work on this machine only, not through a proxy", {
      hint: "Open a link in a browser on the machine of the server.",
      command: "market-signal open",
    });
}

/** Ends the session of a browser, if it has one; only its own pages may ask for that. */
async function endSession(c: Context<HttpEnv>, sessions: BrowserSessions): Promise<void> {
  const token = getCookie(c, SESSION_COOKIE);
  if (token === undefined) return;
  if (c.req.header("sec-fetch-site") !== undefined && c.req.header("sec-fetch-site") !== "same-origin")
    throw new ToolError("FORBIDDEN", "Only a page of this server may sign out");
  await sessions.end(token);
  setCookie(c, SESSION_COOKIE, "", { httpOnly: true, sameSite: "Strict", path: "/", maxAge: 0 });
}
