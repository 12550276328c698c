import { FOREIGN, type Group, refusedWith } from "./kinds.ts";
import { ORIGIN, type SignInSite } from "./site.ts";

const AT = "/api/v1/sign-in";

/** Changes of people and sessions: by members, viewers, old sessions, keys and pages elsewhere, and of the owner. */
export async function administration(site: SignInSite): Promise<Group> {
  const member = await site.invited("ordinary");
  const viewer = await site.invited("onlooker", "viewer");
  const target = await site.invited("target");
  const owner = await site.signedIn();
  const { key } = await site.key("enterprise", ["read", "write", "admin"]);
  const { token } = await site.app.browserSessions.issueLink();
  const old = await site.open(token);
  const [aged] = await site.app.browserSessions.list(decodeURIComponent(old.split("=")[1]!));
  await site.db
    .updateTable("auth_sessions")
    .set({ createdAt: new Date(Date.now() - 3_700_000).toISOString() })
    .where("id", "=", aged!.id)
    .execute();
  const [session] = await site.app.browserSessions.list(decodeURIComponent(target.cookie.split("=")[1]!));
  const changes: readonly (readonly [string, object])[] = [
    ["invite", { account: "target", role: "member" }],
    ["invite", { account: "another", role: "member", plan: "enterprise" }],
    ["role", { account: "target", role: "viewer" }],
    ["reset", { account: "target" }],
    ["suspend", { account: "target" }],
    ["resume", { account: "target" }],
  ];
  const ofOwner: readonly (readonly [string, object])[] = [
    ["invite", { account: "owner", role: "member" }],
    ["invite", { account: "target", role: "owner" }],
    ["role", { account: "target", role: "owner" }],
    ["role", { account: "owner", role: "viewer" }],
    ["reset", { account: "owner" }],
    ["suspend", { account: "owner" }],
  ];
  const sendTo = (n: number, headers: Readonly<Record<string, string>>) => {
    const [name, body] = changes[n % changes.length]!;
    return site.send(`${AT}/${name}`, headers, body);
  };
  return {
    name: "administration",
    kinds: [
      {
        name: "by a member or a viewer",
        attempts: 120,
        attempt: async (n) =>
          refusedWith(
            await sendTo(n, { origin: ORIGIN, cookie: [member, viewer][(n >> 3) % 2]!.cookie }),
            [403],
          ),
      },
      {
        name: "by an old session, a key or nobody",
        attempts: 120,
        async attempt(n) {
          const credentials = [{ cookie: old }, { authorization: `Bearer ${key}` }, {}][(n >> 3) % 3]!;
          return refusedWith(await sendTo(n, { origin: ORIGIN, ...credentials }), [401, 403]);
        },
      },
      {
        name: "by the owner, from a page elsewhere",
        attempts: 120,
        attempt: async (n) =>
          refusedWith(
            await sendTo(n, { cookie: owner.cookie, ...FOREIGN[Math.floor(n / 6) % FOREIGN.length]! }),
            [403],
          ),
      },
      {
        name: "of the owner",
        attempts: 60,
        async attempt(n) {
          const [name, body] = ofOwner[n % ofOwner.length]!;
          return refusedWith(await site.post(`${AT}/${name}`, owner.cookie, body), [400]);
        },
      },
      {
        name: "end of a session of another person",
        attempts: 60,
        async attempt(n) {
          const { cookie } = [member, viewer, owner][n % 3]!;
          return refusedWith(await site.post(`${AT}/end-session`, cookie, { id: session!.id }), [404]);
        },
      },
      {
        name: "keys of the installation by an old session",
        attempts: 60,
        async attempt(n) {
          const headers = { cookie: old, origin: ORIGIN };
          const keys = "/api/v1/installation/keys";
          const answer =
            n % 2 === 0
              ? await site.send(keys, headers, { name: "stolen" })
              : await site.send(`${keys}/${n}`, headers, undefined, "DELETE");
          return refusedWith(answer, [403]);
        },
      },
    ],
    async control() {
      const [{ status }, { status: changed }] = [
        await site.send("/api/v1/quota", { cookie: target.cookie }),
        await site.post(`${AT}/role`, owner.cookie, { account: "target", role: "viewer" }),
      ];
      return status === 200 && changed === 200 ? null : `the target has ${status}, a change ${changed}`;
    },
  };
}
