import { type Context, Hono } from "hono";
import { getCookie } from "hono/cookie";
import {
  AUTH_PATH,
  IDENTITY_CONNECTED,
  ISSUER_CALLBACK,
  ISSUER_FAULT_PATH,
  SESSION_COOKIE,
  SIGN_IN_PATH,
} from "../../access/sign-in/paths.ts";
import { ToolError } from "../../kernel/errors.ts";
import { isOwnRequest } from "../http/browser-caller.ts";
import { methodNotAllowed, routeGet } from "../http/problem.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { identityFaultPage } from "./identity-pages.tsx";

type C = Context<HttpEnv>;

const NO_STORE = { "cache-control": "no-store" };
export const CONNECT_IDENTITY = "/api/v1/sign-in/connect-identity";
export const DISCONNECT_IDENTITY = "/api/v1/sign-in/disconnect-identity";

/** Serves the connection of a person to an identity of the external issuer, and its pages. */
export function identityRoutes({
  signIn,
  peopleAdmin: people,
  browserSessions,
}: HttpServerDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ strict: false });
  const identities = signIn?.identities ?? null;
  if (signIn === undefined || identities === null || people === undefined || browserSessions === undefined)
    return app;

  routeGet(app, ISSUER_FAULT_PATH, (c) =>
    c.html(identityFaultPage(identities.name, c.req.query("error") ?? ""), 200, NO_STORE),
  );
  routeGet(app, `${AUTH_PATH}${ISSUER_CALLBACK}`, async (c) => {
    const response = await signIn.handle(c.req.raw, c.get("address"));
    const cookie = getCookie(c, SESSION_COOKIE);
    if (response.headers.get("location") === IDENTITY_CONNECTED && cookie !== undefined)
      await people.recordChange(await browserSessions.person(cookie), "identity_connected");
    return new Response(response.body, response);
  });

  /** Returns the cookie of a page of this server. Throws FORBIDDEN or UNAUTHENTICATED. */
  const cookieOf = (c: C): string => {
    if (!isOwnRequest(c)) throw new ToolError("FORBIDDEN", "Only a page of this server may change that");
    const cookie = getCookie(c, SESSION_COOKIE);
    if (cookie !== undefined) return cookie;
    throw new ToolError("UNAUTHENTICATED", "This address needs a browser that is signed in", {
      hint: `Sign in at ${SIGN_IN_PATH}.`,
    });
  };
  app
    .post(CONNECT_IDENTITY, async (c) => {
      const cookie = cookieOf(c);
      const person = await browserSessions.recentPerson(cookie);
      const response = await identities.connect(person, `${SESSION_COOKIE}=${cookie}`, c.get("address"));
      return new Response(response.body, response);
    })
    .all(CONNECT_IDENTITY, (c) => methodNotAllowed(c, ["POST"]));
  app
    .post(DISCONNECT_IDENTITY, async (c) => {
      const person = await browserSessions.recentPerson(cookieOf(c));
      await identities.disconnect(person);
      await people.recordChange(person, "identity_disconnected");
      return c.json({ ok: true }, 200, NO_STORE);
    })
    .all(DISCONNECT_IDENTITY, (c) => methodNotAllowed(c, ["POST"]));
  return app;
}
