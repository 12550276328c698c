import { type Context, Hono } from "hono";
import { getCookie } from "hono/cookie";
import { z } from "zod";
import {
  AUTH_PATH,
  CONSENT_PATH,
  OFFLINE_SCOPE,
  SESSION_COOKIE,
  SIGN_IN_PATH,
} from "../../access/sign-in/paths.ts";
import { NAME_DOMAIN, type Person, ROLE_SCOPES } from "../../domain/accounts/people.ts";
import { ToolError } from "../../kernel/errors.ts";
import { ACCOUNT_PATH } from "../connect.ts";
import { jsonBody, textBody } from "../http/body.ts";
import { isOwnRequest } from "../http/browser-caller.ts";
import { MESSAGE_PATHS } from "../http/paths.ts";
import { methodNotAllowed, routeGet } from "../http/problem.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { serveStatic } from "../http/static-file.ts";
import { accountPage } from "./account-page.tsx";
import { pageAfterSignIn, passkeyPlace } from "./page-address.ts";
import { frameOf } from "./sign-in-frame.tsx";
import { SIGN_IN_JS } from "./sign-in-js.ts";
import { consentPage, signInPage } from "./sign-in-pages.tsx";

type C = Context<HttpEnv>;

/** Where a person changes how they sign in, with the session of a browser only. */
const SIGN_IN_API = "/api/v1/sign-in";
const NO_STORE = { "cache-control": "no-store" };
/** Endpoints of sign-in that programs call; browsers call the others, with a cookie. */
const FOR_PROGRAMS: ReadonlySet<string> = new Set(
  ["token", "revoke", "register"].map((name) => `${AUTH_PATH}/oauth2/${name}`),
);

/** Where a person answers an app. */
const CONSENT_ENDPOINT = `${AUTH_PATH}/oauth2/consent`;
/** Maximum size of a body of sign-in, bytes. */
const MAX_BODY = 64 * 1024;

const ConsentBody = z.object({ accept: z.boolean(), oauth_query: z.string() });
const PasswordBody = z.strictObject({ password: z.string() });
const PasskeyBody = z.strictObject({ id: z.string().min(1).max(100) });
const DisconnectBody = z.strictObject({ client_id: z.string().min(1).max(2_000) });

/** Serves sign-in of people, and OAuth for their apps. */
export function signInRoutes({
  signIn,
  peopleAdmin: people,
  browserSessions,
  ports,
  settings,
}: HttpServerDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ strict: false });
  if (signIn === undefined || people === undefined || browserSessions === undefined) return app;

  const frame = frameOf(ports);
  const issuer = signIn.identities?.name ?? null;
  const passkeysAt = (c: C) => passkeyPlace(settings.publicUrl, new URL(c.req.url));
  const cookieOf = (c: C): string => {
    const cookie = getCookie(c, SESSION_COOKIE);
    if (cookie !== undefined) return cookie;
    throw new ToolError("UNAUTHENTICATED", "This address needs a browser that is signed in", {
      hint: `Sign in at ${SIGN_IN_PATH}.`,
    });
  };
  const personOf = async (c: C): Promise<Person> => browserSessions.person(cookieOf(c));
  /** Returns the person of a page; null if nobody is signed in. An app leads to a page from its own site. */
  const readerOf = (c: C): Promise<Person | null> =>
    personOf(c).catch((thrown: unknown) => {
      if (thrown instanceof ToolError && thrown.code === "UNAUTHENTICATED") return null;
      throw thrown;
    });
  const handle = async (c: C) => {
    if (!FOR_PROGRAMS.has(c.req.path) && c.req.method !== "GET" && !isOwnRequest(c))
      throw new ToolError("FORBIDDEN", "Only a page of this server may sign a person in", {
        hint: `Sign in at ${SIGN_IN_PATH}.`,
      });
    const { method, url } = c.req.raw;
    const body = method === "GET" || method === "HEAD" ? undefined : await textBody(c.req.raw, MAX_BODY);
    const request = new Request(url, {
      method,
      headers: c.req.raw.headers,
      ...(body !== undefined && { body }),
    });
    const consent =
      signIn.hasOAuth && method === "POST" && c.req.path === CONSENT_ENDPOINT ? consentIn(body ?? "") : null;
    const response = await signIn.handle(request, c.get("address"));
    if (consent?.accept === true && response.ok) {
      const { account, name } = await personOf(c);
      await people.recordConsent(account, consent.client, name);
    }
    return new Response(response.body, response);
  };
  app.all(`${AUTH_PATH}/*`, handle);
  for (const path of [
    "/.well-known/oauth-protected-resource",
    `/.well-known/oauth-protected-resource${MESSAGE_PATHS.mcp}`,
    `/.well-known/oauth-authorization-server${AUTH_PATH}`,
  ])
    routeGet(app, path, handle);
  // clients of older revisions look for it at the root
  routeGet(app, "/.well-known/oauth-authorization-server", async (c) => {
    const url = `${settings.publicUrl}/.well-known/oauth-authorization-server${AUTH_PATH}`;
    return signIn.handle(new Request(url), c.get("address"));
  });

  routeGet(
    app,
    "/sign-in.js",
    serveStatic("text/javascript; charset=utf-8", () => SIGN_IN_JS),
  );
  routeGet(app, SIGN_IN_PATH, async (c) => {
    const { client_id: client, error, next } = c.req.query();
    const refused = error !== undefined && /^[a-z_]{1,40}$/.test(error) ? error : null;
    const asking = client === undefined || !signIn.hasOAuth ? null : await signIn.app(client);
    const name = asking === null ? null : (asking.name ?? client ?? null);
    const page = signInPage(frame, {
      domain: NAME_DOMAIN,
      app: name,
      refused,
      next: pageAfterSignIn(next),
      passkeys: passkeysAt(c),
      issuer,
    });
    return c.html(page, 200, NO_STORE);
  });
  routeGet(app, CONSENT_PATH, async (c) => {
    const { client_id: clientId = "", redirect_uri: redirectUri = "", scope = "" } = c.req.query();
    const person = await readerOf(c);
    if (person === null) return c.redirect(`${SIGN_IN_PATH}${new URL(c.req.url).search}`, 303);
    const asking = signIn.hasOAuth ? await signIn.app(clientId) : null;
    if (asking === null)
      throw new ToolError("NOT_FOUND", "No app asks for access here", {
        hint: "Connect it again from the app.",
      });
    const allowed: readonly string[] = [...ROLE_SCOPES[person.role], OFFLINE_SCOPE];
    const scopes = scope.split(" ").filter((text) => allowed.includes(text));
    const known = (await people.apps(person.account)).find(({ client_id }) => client_id === clientId);
    const before = known?.scopes ?? null;
    const consent = { clientId, ...asking, redirectUri, scopes, allowed: before, person };
    return c.html(consentPage(frame, consent), 200, NO_STORE);
  });
  routeGet(app, ACCOUNT_PATH, async (c) => {
    const person = await readerOf(c);
    if (person === null) return c.redirect(`${SIGN_IN_PATH}?next=${ACCOUNT_PATH}`, 303);
    const [methods, apps] = await Promise.all([signIn.methods(person), people.apps(person.account)]);
    const page = accountPage(frame, {
      person,
      methods,
      apps,
      name: person.email.replace(NAME_DOMAIN, ""),
      passkeys: passkeysAt(c),
      issuer,
      mcp:
        signIn.hasOAuth || signIn.tokenIssuer !== null ? `${settings.publicUrl}${MESSAGE_PATHS.mcp}` : null,
    });
    return c.html(page, 200, NO_STORE);
  });

  /** Serves a change; those of the sign-in itself need a session that began within the hour. */
  const change = (
    name: string,
    task: (c: C, person: Person) => Promise<void>,
    age: "person" | "recentPerson" = "recentPerson",
  ) =>
    app
      .post(`${SIGN_IN_API}/${name}`, async (c) => {
        if (!isOwnRequest(c)) throw new ToolError("FORBIDDEN", "Only a page of this server may change that");
        await task(c, await browserSessions[age](cookieOf(c)));
        return c.json({ ok: true }, 200, NO_STORE);
      })
      .all(`${SIGN_IN_API}/${name}`, (c) => methodNotAllowed(c, ["POST"]));
  change("password", async (c, person) => {
    await signIn.setPassword(person, (await bodyOf(c, PasswordBody)).password);
    await people.recordChange(person, "password_set");
    await browserSessions.endOthers(getCookie(c, SESSION_COOKIE)!);
  });
  change("remove-passkey", async (c, person) => {
    await signIn.removePasskey(person, (await bodyOf(c, PasskeyBody)).id);
    await people.recordChange(person, "passkey_removed");
  });
  change(
    "disconnect",
    async (c, person) => {
      const { client_id } = await bodyOf(c, DisconnectBody);
      await people.disconnect(person.account, client_id, person.name);
    },
    "person",
  );
  return app;
}

/** Returns the answer of a person to an app. Throws INVALID_INPUT. */
function consentIn(body: string): { readonly accept: boolean; readonly client: string } {
  try {
    const { accept, oauth_query: query } = ConsentBody.parse(JSON.parse(body));
    return { accept, client: new URLSearchParams(query).get("client_id") ?? "" };
  } catch (cause) {
    throw new ToolError("INVALID_INPUT", "An answer to an app has the fields accept and oauth_query", {
      cause,
    });
  }
}

async function bodyOf<S extends z.ZodObject>(c: C, schema: S): Promise<z.output<S>> {
  const fields = Object.keys(schema.shape);
  const { success, data } = schema.safeParse(await jsonBody(c.req.raw));
  if (success) return data;
  throw new ToolError("INVALID_INPUT", "The body lacks a field, or has one too many", {
    hint: `It has the fields ${fields.join(", ")}.`,
  });
}
