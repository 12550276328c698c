import { Hono } from "hono";
import { getCookie } from "hono/cookie";
import { z } from "zod";
import {
  AUTH_PATH,
  IDENTITY_CONNECTED,
  ISSUER_CALLBACK,
  ISSUER_PATH,
  SESSION_COOKIE,
  SIGN_IN_PATH,
} from "../../access/sign-in/paths.ts";
import { ToolError } from "../../kernel/errors.ts";
import { ACCOUNT_PATH } from "../connect.ts";
import { jsonBody } from "../http/body.ts";
import { isOwnRequest } from "../http/browser-caller.ts";
import { methodNotAllowed, routeGet } from "../http/problem.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { CONNECT_IDENTITY, DISCONNECT_IDENTITY, identityFaultPage } from "./identity-pages.tsx";
import { pageAfterSignIn } from "./page-address.ts";
import { changesOf, cookieOf, EmptyBody, NO_STORE } from "./sign-in-change.ts";
import { frameOf } from "./sign-in-frame.tsx";

const BeginBody = z.strictObject({ next: z.string().optional(), oauth_query: z.string().optional() });

/** Serves the connection of a person to an identity of the external issuer, and its pages. */
export function identityRoutes({
  signIn,
  peopleAdmin: people,
  browserSessions,
  ports,
}: HttpServerDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ strict: false });
  const identities = signIn?.identities ?? null;
  if (signIn === undefined || identities === null || people === undefined || browserSessions === undefined)
    return app;

  app.post(ISSUER_PATH, async (c) => {
    if (!isOwnRequest(c))
      throw new ToolError("FORBIDDEN", "Only a page of this server may sign a person in", {
        hint: `Sign in at ${SIGN_IN_PATH}.`,
      });
    const { success, data } = BeginBody.safeParse(await jsonBody(c.req.raw));
    if (!success)
      throw new ToolError(
        "INVALID_INPUT",
        "A sign-in has the optional fields next and oauth_query, both text",
      );
    const request = { next: pageAfterSignIn(data.next), query: data.oauth_query, address: c.get("address") };
    const response = await identities.begin(request);
    return new Response(response.body, response);
  });
  routeGet(app, ISSUER_PATH, (c) =>
    c.html(identityFaultPage(frameOf(ports), identities.name, c.req.query("error") ?? ""), 200, NO_STORE),
  );
  routeGet(app, `${AUTH_PATH}${ISSUER_CALLBACK}`, async (c) => {
    const response = await signIn.handle(c.req.raw, c.get("address"));
    const cookie = getCookie(c, SESSION_COOKIE);
    if (response.headers.get("location") === IDENTITY_CONNECTED && cookie !== undefined)
      await people.recordChange(await browserSessions.person(cookie), "identity_connected");
    else if (cookie !== undefined && beginsSession(response)) await browserSessions.end(cookie);
    return new Response(response.body, response);
  });

  app
    .post(CONNECT_IDENTITY, async (c) => {
      if (!isOwnRequest(c))
        throw new ToolError("FORBIDDEN", "Only a page of this server may change that", {
          hint: `Open ${ACCOUNT_PATH} in a browser that is signed in.`,
        });
      const cookie = cookieOf(c);
      const person = await browserSessions.recentPerson(cookie);
      const response = await identities.connect(person, `${SESSION_COOKIE}=${cookie}`, c.get("address"));
      return new Response(response.body, response);
    })
    .all(CONNECT_IDENTITY, (c) => methodNotAllowed(c, ["POST"]));
  changesOf(app, browserSessions)(DISCONNECT_IDENTITY, EmptyBody, async ({ person }) => {
    await identities.disconnect(person);
    await people.recordChange(person, "identity_disconnected");
  });
  return app;
}

/** Returns true for a response that signs a browser in. */
const beginsSession = ({ headers }: Response): boolean =>
  headers
    .getSetCookie()
    .some((cookie) => cookie.startsWith(`${SESSION_COOKIE}=`) && !/;\s*Max-Age=0\b/i.test(cookie));
