import { expect } from "vitest";
import type { AppLimitsChange } from "../../src/domain/accounts/connected-apps.ts";
import type { Installation } from "./installation.ts";
import { needsPerson, type OAuthApp, oauthApp, sendTo } from "./oauth-app.ts";

/** Opens a new link of a person and returns the cookie. Default: the owner. */
export async function signedIn(
  { app, url }: Installation,
  invited?: Parameters<typeof app.browserSessions.issueLink>[0],
): Promise<string> {
  const { token } = await app.browserSessions.issueLink(invited);
  const { cookies } = await sendTo(url, `/open/${token}`, { origin: url }, "");
  return cookies[0]!.split(";")[0]!;
}

/** Returns the query of the consent page to which an app led its person. */
export async function consentQuery({ url }: Installation, app: OAuthApp, cookie: string): Promise<string> {
  const { pathname, search } = app.opened.at(-1)!;
  const { status, headers, body } = await sendTo(url, `${pathname}${search}`, { cookie });
  expect(status, body).toBe(302);
  const page = new URL(headers.location!, url);
  expect(page.pathname).toBe("/consent");
  return page.search.slice(1);
}

/** Allows what an app asks for, as the browser of its person. Default: without limits in the answer. */
export async function allow(
  site: Installation,
  { app, cookie }: { readonly app: OAuthApp; readonly cookie: string },
  limits?: AppLimitsChange,
): Promise<void> {
  const body = {
    accept: true,
    oauth_query: await consentQuery(site, app, cookie),
    ...(limits !== undefined && { limits }),
  };
  const sent = await sendTo(site.url, "/auth/oauth2/consent", { cookie, origin: site.url }, body);
  expect(sent.status, sent.body).toBe(200);
  await app.finish(JSON.parse(sent.body).url);
}

/** An app that its person allowed to read. */
export interface AllowedApp {
  readonly app: OAuthApp;
  readonly cookie: string;
  readonly clientId: string;
}

/** Connects an app with the official client. */
export async function connectApp(
  site: Installation,
  { name = "Test app", limits, cookie }: { name?: string; limits?: AppLimitsChange; cookie?: string } = {},
): Promise<AllowedApp> {
  const app = oauthApp(site.url, name);
  const refusal = await app.connect().catch((error: unknown) => error);
  expect(needsPerson(refusal), String(refusal)).toBe(true);
  const person = cookie ?? (await signedIn(site));
  await allow(site, { app, cookie: person }, limits);
  const { client_id } = (await app.provider.clientInformation()) as { client_id: string };
  return { app, cookie: person, clientId: client_id };
}

/** Asks for a quote as an app. Rejects as its client does. */
export const quoteOf = ({ app }: AllowedApp) =>
  app.client.callTool({ name: "get_quote", arguments: { symbol: "AAPL" } });

/** Returns an app as its account lists it; undefined if it is not connected. */
export const listedApp = async ({ app }: Installation, { clientId }: AllowedApp, account = "owner") =>
  (await app.peopleAdmin.apps(account)).find(({ client_id }) => client_id === clientId);
