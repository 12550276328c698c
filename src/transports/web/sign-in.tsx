import { type Context, Hono } from "hono";
import { getCookie } from "hono/cookie";
import { z } from "zod";
import {
  AUTH_PATH,
  CONSENT_PATH,
  OFFLINE_SCOPE,
  PASSKEY_ENDPOINT,
  PASSWORD_ENDPOINT,
  REVOKE_ENDPOINT,
  SESSION_COOKIE,
  SIGN_IN_PATH,
} from "../../access/sign-in/paths.ts";
import { PLAN_RANK } from "../../domain/accounts/access.ts";
import { NAME_DOMAIN, type Person, ROLE_SCOPES } from "../../domain/accounts/people.ts";
import { ToolError } from "../../kernel/errors.ts";
import { ACCOUNT_PATH, MCP_PLAN } from "../connect.ts";
import { textBody } from "../http/body.ts";
import { isOwnRequest } from "../http/browser-caller.ts";
import { MESSAGE_PATHS } from "../http/paths.ts";
import { routeGet } from "../http/problem.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { serveStatic } from "../http/static-file.ts";
import { accountPage } from "./account-page.tsx";
import { type Consent, consentIn, isAllowed, LimitsBody, needsRecentSession } from "./consent.ts";
import { askingQuery, pageAfterSignIn, passkeyPlace } from "./page-address.ts";
import { readerOf } from "./reader.ts";
import { revocationIn } from "./revocation.ts";
import { changesOf, cookieOf, EmptyBody, NO_STORE } from "./sign-in-change.ts";
import { frameOf } from "./sign-in-frame.tsx";
import { SIGN_IN_JS } from "./sign-in-js.ts";
import { consentPage, signInPage } from "./sign-in-pages.tsx";

type C = Context<HttpEnv>;

/** Endpoints of sign-in that programs call; browsers call the others, with a cookie. */
const FOR_PROGRAMS: ReadonlySet<string> = new Set(
  ["token", "revoke", "register"].map((name) => `${AUTH_PATH}/oauth2/${name}`),
);

/** Endpoints that begin a session. */
const BEGINNING: ReadonlySet<string> = new Set(
  [PASSWORD_ENDPOINT, PASSKEY_ENDPOINT].map((name) => `${AUTH_PATH}${name}`),
);
/** Where a person adds a passkey. */
const PASSKEY_ADDED = `${AUTH_PATH}/passkey/verify-registration`;
/** Where an app ends its token. */
const REVOKE_PATH = `${AUTH_PATH}${REVOKE_ENDPOINT}`;
/** Where a person answers an app. */
const CONSENT_ENDPOINT = `${AUTH_PATH}/oauth2/consent`;
/** Maximum size of a body of sign-in, bytes. */
const MAX_BODY = 64 * 1024;

const PasswordBody = z.strictObject({ password: z.string() });
const IdBody = z.strictObject({ id: z.string().min(1).max(100) });
const DisconnectBody = z.strictObject({ client_id: z.string().min(1).max(2_000) });

/** Serves sign-in of people, and OAuth for their apps. */
export function signInRoutes({
  signIn,
  peopleAdmin: people,
  recoveryCodes,
  browserSessions,
  ports,
  settings,
}: HttpServerDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ strict: false });
  if (signIn === undefined || people === undefined || recoveryCodes === undefined) return app;
  if (browserSessions === undefined) return app;

  const frame = frameOf(ports);
  const issuerName = signIn.identities?.name ?? null;
  const passkeysAt = (c: C) => passkeyPlace(settings.publicUrl, new URL(c.req.url));
  const personOf = async (c: C): Promise<Person> => browserSessions.person(cookieOf(c));
  const hasMcp = async (c: C): Promise<boolean> => {
    const { plan } = await browserSessions.resolve(cookieOf(c));
    return plan !== "open" && PLAN_RANK[plan] >= PLAN_RANK[MCP_PLAN];
  };
  const handle = async (c: C) => {
    if (!FOR_PROGRAMS.has(c.req.path) && c.req.method !== "GET" && !isOwnRequest(c))
      throw new ToolError("FORBIDDEN", "Only a page of this server may sign a person in", {
        hint: `Sign in at ${SIGN_IN_PATH}.`,
      });
    const { method, url } = c.req.raw;
    const body = method === "GET" || method === "HEAD" ? undefined : await textBody(c.req.raw, MAX_BODY);
    if (signIn.hasOAuth && method === "POST" && c.req.path === REVOKE_PATH) return revoke(c, body ?? "");
    const consent =
      signIn.hasOAuth && method === "POST" && c.req.path === CONSENT_ENDPOINT ? consentIn(body ?? "") : null;
    const request = new Request(url, {
      method,
      headers: c.req.raw.headers,
      ...(body !== undefined && { body: consent?.body ?? body }),
    });
    const allowing = consent?.accept === true ? await allowingOf(c, consent) : null;
    const response = await signIn.handle(request, c.get("address"));
    // before the answer: with its code, the app gets access
    if (allowing !== null && (await isAllowed(response, request)))
      await people.recordConsent(
        allowing.person.account,
        consent!.client,
        allowing.limits,
        allowing.person.name,
      );
    if (response.ok && method === "POST") await recordSession(c);
    return new Response(response.body, response);
  };
  /** Revokes a token for the app that holds it. The library would first end the tokens of the app that is named. */
  async function revoke(c: C, given: string): Promise<Response> {
    const revocation = revocationIn(given, c.req.header("authorization"));
    if (revocation === null)
      return c.json(
        { error: "invalid_request", error_description: "The request must contain exactly one token" },
        400,
      );
    const { token, clients, body } = revocation;
    const holder = await people!.tokenHolder(token);
    if (holder !== null && clients.some((id) => id !== holder.client))
      return c.json(
        { error: "invalid_grant", error_description: "The token was issued to another app" },
        400,
      );
    const { url, headers } = c.req.raw;
    const forwarded = new Headers(headers);
    forwarded.delete("content-length");
    const response = await signIn!.handle(
      new Request(url, { method: "POST", headers: forwarded, body }),
      c.get("address"),
    );
    // even after an error: revoking a replaced token ends its successors
    if (holder !== null) await people!.recordRevocation(holder);
    return new Response(response.body, response);
  }
  /** Returns who allows an app, and its limits. Rejects with FORBIDDEN if that needs a session that began within the hour. */
  async function allowingOf(c: C, { client, limits: given, needsRecent }: Consent) {
    const person = await personOf(c);
    const { limits, isChange } = await people!.limitsToAllow(person.account, client, given);
    if (isChange || needsRecent) await browserSessions!.recentPerson(cookieOf(c));
    return { person, limits };
  }
  /** Ends the session that a browser had before it signed in again, and records a new passkey. */
  async function recordSession(c: C): Promise<void> {
    const { path } = c.req;
    const before = getCookie(c, SESSION_COOKIE);
    if (BEGINNING.has(path) && before !== undefined) await browserSessions!.end(before);
    if (path === PASSKEY_ADDED) await people!.recordChange(await personOf(c), "passkey_added");
  }
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
      query: askingQuery(c),
      passkeys: passkeysAt(c),
      issuerName,
    });
    return c.html(page, 200, NO_STORE);
  });
  routeGet(app, CONSENT_PATH, async (c) => {
    const { client_id: clientId = "", redirect_uri: redirectUri = "", scope = "", exp } = c.req.query();
    const reader = await readerOf(c, browserSessions, ports.clock);
    const again = `${SIGN_IN_PATH}${new URL(c.req.url).search}`;
    if (reader === null) return c.redirect(again, 303);
    const { person } = reader;
    const asking = signIn.hasOAuth ? await signIn.app(clientId) : null;
    if (asking === null)
      throw new ToolError("NOT_FOUND", "No app asks for access here", {
        hint: "Connect it again from the app.",
      });
    const allowed: readonly string[] = [...ROLE_SCOPES[person.role], OFFLINE_SCOPE];
    const scopes = scope.split(" ").filter((text) => allowed.includes(text));
    const known = (await people.apps(person.account)).find(({ client_id }) => client_id === clientId);
    const [before, limits] = [known?.scopes ?? null, known?.limits ?? null];
    const signInAgain = !reader.isRecent && needsRecentSession(scopes) ? again : null;
    const consent = {
      clientId,
      ...asking,
      redirectUri,
      scopes,
      allowed: before,
      limits,
      person,
      isExpired: exp !== undefined && Number(exp) * 1_000 < ports.clock.now().getTime(),
      signInAgain,
      hasMcp: await hasMcp(c),
    };
    return c.html(consentPage(frame, consent), 200, NO_STORE);
  });
  routeGet(app, ACCOUNT_PATH, async (c) => {
    const reader = await readerOf(c, browserSessions, ports.clock);
    if (reader === null) return c.redirect(`${SIGN_IN_PATH}?next=${ACCOUNT_PATH}`, 303);
    const { person } = reader;
    const [methods, codes, sessions, apps, unlistedApps] = await Promise.all([
      signIn.methods(person),
      recoveryCodes.unused(person),
      browserSessions.list(cookieOf(c)),
      people.apps(person.account),
      signIn.tokenIssuer === null ? [] : people.unlistedApps(person.account),
    ]);
    const page = accountPage(frame, {
      ...reader,
      methods,
      codes,
      sessions,
      apps,
      unlistedApps,
      hasTokenIssuer: signIn.tokenIssuer !== null,
      isRecovered: c.req.query("recovered") !== undefined,
      name: person.email.replace(NAME_DOMAIN, ""),
      passkeys: passkeysAt(c),
      issuerName,
      hasMcp: await hasMcp(c),
      mcpUrl:
        signIn.hasOAuth || signIn.tokenIssuer !== null ? `${settings.publicUrl}${MESSAGE_PATHS.mcp}` : null,
    });
    return c.html(page, 200, NO_STORE);
  });

  const change = changesOf(app, browserSessions);
  change("password", PasswordBody, async ({ person, body, cookie }) => {
    await signIn.setPassword(person, body.password);
    await people.recordChange(person, "password_set");
    await browserSessions.endOthers(cookie);
  });
  change("remove-passkey", IdBody, async ({ person, body }) => {
    await signIn.removePasskey(person, body.id);
    await people.recordChange(person, "passkey_removed");
  });
  // what takes a right away needs no recent sign-in
  const anyAge = { age: "person" } as const;
  change(
    "disconnect",
    DisconnectBody,
    ({ person, body }) => people.disconnect(person.account, body.client_id, person.name),
    anyAge,
  );
  change("app-limits", LimitsBody, ({ person, body: { client_id, ...limits } }) =>
    people.changeLimits(person.account, client_id, limits, person.name),
  );
  change("end-session", IdBody, ({ body, cookie }) => browserSessions.endOne(cookie, body.id), anyAge);
  change("end-other-sessions", EmptyBody, ({ cookie }) => browserSessions.endOthers(cookie), anyAge);
  return app;
}
