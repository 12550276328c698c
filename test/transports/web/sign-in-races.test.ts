import { describe, expect, it } from "vitest";
import { connectApp, consentQuery, signedIn } from "../../support/connected-app.ts";
import { useInstallation } from "../../support/installation.ts";
import { oauthApp, sendTo } from "../../support/oauth-app.ts";
import { onEachInsert } from "../../support/postgres.ts";

const site = useInstallation("sample", { OAUTH: "on" });
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const AT_ONCE = 8;

/** Sends the same request several times at once; returns the statuses in order. */
async function race(path: string, headers: Record<string, string>, body: object | string) {
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, () => sendTo(site.url, path, headers, body)),
  );
  return { answers, statuses: answers.map(({ status }) => status).sort() };
}
const once = (success: number, refusal: number) => [
  ...(success < refusal ? [success] : []),
  ...Array<number>(AT_ONCE - 1).fill(refusal),
];
const tokensOf = (table: "auth_refresh_tokens" | "auth_access_tokens", clientId: string) =>
  site.app.store.db.selectFrom(table).selectAll().where("clientId", "=", clientId).execute();
const tokenRequest = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

describe("requests at once with one secret", () => {
  it("open a link once", async () => {
    const { token } = await site.app.browserSessions.issueLink();
    const { statuses } = await race(`/open/${token}`, { origin: site.url }, "");
    expect(statuses).toEqual(once(303, 401));
  });

  it("use a recovery code once", async () => {
    await site.app.access.openAccount("ada");
    const cookie = await signedIn(site, { account: "ada", name: "ada", role: "member" });
    const page = { cookie, origin: site.url };
    const { body } = await sendTo(site.url, "/api/v1/sign-in/recovery-codes", page, {});
    const [code] = JSON.parse(body).codes as [string];
    const { statuses } = await race("/api/v1/sign-in/recovery", { origin: site.url }, { name: "ada", code });
    expect(statuses).toEqual(once(200, 401));
  });

  /** Connects an app up to its consent; returns the request of its tokens. */
  async function consented(name: string) {
    const app = oauthApp(site.url, name);
    await app.connect().catch(() => {});
    const cookie = await signedIn(site);
    const allowed = { accept: true, oauth_query: await consentQuery(site, app, cookie) };
    const sent = await sendTo(site.url, "/auth/oauth2/consent", { cookie, origin: site.url }, allowed);
    const { client_id } = (await app.provider.clientInformation()) as { client_id: string };
    const exchange = tokenRequest({
      grant_type: "authorization_code",
      code: new URL(JSON.parse(sent.body).url).searchParams.get("code")!,
      code_verifier: await app.provider.codeVerifier(),
      redirect_uri: String(app.provider.redirectUrl),
      client_id,
    });
    return { client_id, exchange };
  }

  it("get the error of the protocol if another request ends their tokens while they are made", async () => {
    const { exchange } = await consented("Slow app");
    const { db } = site.app.store;
    const remove = "DELETE FROM auth_refresh_tokens;";
    const removing = await onEachInsert(db, "auth_access_tokens", remove);
    const answer = await sendTo(site.url, "/auth/oauth2/token", FORM, exchange);
    await removing.end();
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      400,
      { error: "invalid_grant", error_description: "The code or token was revoked meanwhile" },
    ]);
  });

  it("exchange the code of an app at most once, as one that is used twice ends what it gave", async () => {
    const { client_id, exchange } = await consented("Racing app");
    const { statuses } = await race("/auth/oauth2/token", FORM, exchange);
    expect(statuses.slice(1)).toEqual(once(200, 400).slice(1));
    expect((await tokensOf("auth_refresh_tokens", client_id)).length).toBeLessThanOrEqual(1);
  });

  it("rotate a refresh token once", async () => {
    const { app, clientId } = await connectApp(site, { name: "Refreshing app" });
    const { refresh_token } = app.tokens();
    const refresh = tokenRequest({
      grant_type: "refresh_token",
      refresh_token: refresh_token!,
      client_id: clientId,
    });
    const { statuses } = await race("/auth/oauth2/token", FORM, refresh);
    expect(statuses).toContain(200);
    const rows = await tokensOf("auth_refresh_tokens", clientId);
    expect([rows.length, rows.filter(({ revoked }) => revoked === null).length]).toEqual([2, 1]);
  });
});
