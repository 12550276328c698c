import { describe, expect, it } from "vitest";
import type { Invitation } from "../../../src/access/sign-in/people-admin.ts";
import { useInstallation } from "../../support/installation.ts";
import { sendTo } from "../../support/oauth-app.ts";

const PASSWORD = "correct horse battery staple";
const EMAIL = "/auth/sign-in/email";
const site = useInstallation("sample", { OAUTH: "on" });
const send = (path: string, headers: Record<string, string> = {}, body?: object | string) =>
  sendTo(site.url, path, headers, body);
const open = async (link: string) => {
  const { status, cookies } = await send(`/open/${link}`);
  return { status, cookie: cookies[0]?.split(";")[0] ?? "" };
};
const invite = (invitation: Invitation) => site.app.peopleAdmin.invite(invitation, "test");
const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "done",
    ({ code }) => code,
  );
/** Invites somebody, who sets a password. */
async function somebody(account: string): Promise<string> {
  const { token } = await invite({ account, role: "member" });
  const { cookie } = await open(token);
  await send("/api/v1/sign-in/password", { cookie, origin: site.url }, { password: PASSWORD });
  return cookie;
}
const signIn = async (account: string, password: string) => {
  const body = { email: `${account}@market-signal.invalid`, password };
  return (await send(EMAIL, { origin: site.url }, body)).status;
};

describe("the lock-out of a person", () => {
  it("counts passwords that arrive at once, before it checks them", async () => {
    await somebody("ada");
    const statuses = await Promise.all(Array.from({ length: 20 }, () => signIn("ada", "not the password")));
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(await signIn("ada", PASSWORD)).toBe(429);
  });

  it("is not passed by a form", async () => {
    await somebody("ben");
    const form = { origin: site.url, "content-type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams({ email: "ben@market-signal.invalid", password: PASSWORD }).toString();
    expect((await send(EMAIL, form, body)).status).toBe(400);
    expect(await signIn("ben", PASSWORD)).toBe(200);
  });
});

describe("the administration of people", () => {
  it("ends the sessions, the password and the unused links of a person at a reset, and gives a new link", async () => {
    const cookie = await somebody("cleo");
    const { token: old } = await invite({ account: "cleo", role: "member" });
    const { token } = await site.app.peopleAdmin.resetSignIn("cleo", "test");
    const quota = await send("/api/v1/quota", { cookie });
    expect([quota.status, await signIn("cleo", PASSWORD), (await open(old)).status]).toEqual([401, 401, 401]);
    const again = await open(token);
    expect([again.status, (await send("/api/v1/quota", { cookie: again.cookie })).status]).toEqual([
      303, 200,
    ]);
  });

  it("invites to no role of the owner, and ends the link of an older invitation", async () => {
    expect(await codeOf(invite({ account: "dan", role: "owner" as never }))).toBe("INVALID_INPUT");
    const [{ token }, { token: other }] = [
      await invite({ account: "dan", role: "viewer" }),
      await invite({ account: "dan", role: "member" }),
    ];
    expect([(await open(token)).status, (await open(other)).status]).toEqual([401, 303]);
    const people = await site.app.store.db
      .selectFrom("auth_users")
      .select("role")
      .where("account", "=", "dan")
      .execute();
    expect(people.map(({ role }) => role)).toEqual(["member"]);
  });
});

it("refuses a query of an app that is no text", async () => {
  const headers = { cookie: await somebody("eve"), origin: site.url };
  for (const path of [
    "/sign-in/email",
    "/passkey/verify-authentication",
    "/oauth2/consent",
    "/oauth2/register",
  ]) {
    const body = { email: "eve@market-signal.invalid", accept: true, oauth_query: ["client_id=x"] };
    const answer = await send(`/auth${path}`, headers, body);
    expect([answer.status, JSON.parse(answer.body).code], path).toEqual([400, "INVALID_INPUT"]);
  }
});
