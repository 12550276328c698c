import { type Context, Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import type { BrowserSessions } from "../../access/sign-in/browser-sessions.ts";
import { SESSION_COOKIE } from "../../access/sign-in/paths.ts";
import { ToolError } from "../../kernel/errors.ts";
import { ACCOUNT_PATH, INVITED_PATH, LINK_PATH } from "../connect.ts";
import { routeGet } from "../http/problem.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { serveStatic } from "../http/static-file.ts";
import { invitedPage, spentInvitationPage, spentLinkPage } from "./link-pages.tsx";
import { beginSession, cookieOptions } from "./sign-in-change.ts";
import { SIGN_IN_CSS } from "./sign-in-css.ts";
import { frameOf } from "./sign-in-frame.tsx";

/** Headers that a proxy adds; without PUBLIC_URL a link does not work behind one. */
const FORWARDING = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
  "via",
];

/** Serves the links that begin a browser's session, and its end. */
export function sessionRoutes({
  browserSessions,
  signIn,
  ports,
  settings: { publicUrl, isPublic = false },
}: HttpServerDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ strict: false });
  if (browserSessions === undefined) return app;
  const frame = frameOf(ports);
  /** Returns true for a person who cannot sign in again yet. The owner can print links. */
  const lacksSignIn = async (token: string): Promise<boolean> => {
    const person = await browserSessions.person(token);
    if (signIn === undefined || person.role === "owner") return false;
    const { password, identity, passkeys } = await signIn.methods(person);
    return !password && !identity && passkeys.length === 0;
  };
  routeGet(
    app,
    "/sign-in.css",
    serveStatic("text/css; charset=utf-8", () => SIGN_IN_CSS),
  );
  // opens no session by itself: programs that show previews of links would use the link up
  routeGet(app, `${INVITED_PATH}/:link`, async (c) => {
    const link = c.req.param("link") ?? "";
    c.header("cache-control", "no-store");
    return (await browserSessions.isUsable(link))
      ? c.html(invitedPage(frame, `${LINK_PATH}/${encodeURIComponent(link)}`))
      : c.html(spentInvitationPage(frame), 401);
  });
  app.on(["GET", "POST"], `${LINK_PATH}/:link`, async (c) => {
    if (!isPublic) refuseForwarded(c);
    // a preview or a HEAD request would use the link up
    if (c.req.method === "HEAD" || c.req.header("sec-purpose") !== undefined)
      throw new ToolError("FORBIDDEN", "A link that signs in works once: open it in the browser itself");
    const begun = await browserSessions
      .begin(c.req.param("link"), c.req.header("user-agent"))
      .catch((thrown: unknown) => {
        if (thrown instanceof ToolError && c.req.header("accept")?.includes("text/html")) return thrown;
        throw thrown;
      });
    if (begun instanceof ToolError) {
      c.header("cache-control", "no-store");
      // the page of an invitation posts; the owner's link is opened
      return c.html(c.req.method === "POST" ? spentInvitationPage(frame) : spentLinkPage(frame), 401);
    }
    await beginSession(c, begun, { browserSessions, publicUrl });
    return c.redirect((await lacksSignIn(begun.token)) ? ACCOUNT_PATH : "/", 303);
  });
  app.post("/sign-out", async (c) => {
    await endSession(c, browserSessions);
    setCookie(c, SESSION_COOKIE, "", { ...cookieOptions(publicUrl), maxAge: 0 });
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
    throw new ToolError("FORBIDDEN", "Only a page of this server may sign out", {
      hint: `Sign out on ${ACCOUNT_PATH}.`,
    });
  await sessions.end(token);
}
