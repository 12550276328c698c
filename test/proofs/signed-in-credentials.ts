import { createHash } from "node:crypto";
import type { Plan, Principal, Scope } from "../../src/domain/accounts/access.ts";
import { ROLE_SCOPES, type Role, SESSION_SCOPES } from "../../src/domain/accounts/people.ts";
import type { Connected, SignedIn } from "../support/sign-in-client.ts";
import { bearer, type Credential, everywhere, refused, type Standing } from "./credentials.ts";
import { openPeople } from "./people.ts";
import { anonymousCaller, type ProofServer } from "./proof-server.ts";

const PAST = "2026-01-01T00:00:00.000Z";
const SITE = { origin: "http://127.0.0.1" } as const;
const ELSEWHERE = { origin: "http://127.0.0.1:9" } as const;
/** Protocols for agents, which take no session. The first one takes the tokens of apps. */
const AGENTS = ["/api/mcp", "/api/a2a", "/api/v1/a2a/route"] as const;
const isForAgents = (path: string): boolean =>
  AGENTS.some((prefix) => /^($|[/?])/.test(path.slice(prefix.length)) && path.startsWith(prefix));
const isMcp = (path: string): boolean => path.split("?")[0] === AGENTS[0];
const hashOf = (token: string): string => createHash("sha256").update(token.slice(6)).digest("base64url");

interface Somebody extends SignedIn {
  readonly role: Role;
  readonly plan: Plan;
}

/** Sessions and tokens of apps by role, plan and scopes, ended in every way, and beside other credentials. */
export async function createSignedInCredentials(
  server: ProofServer,
  address: string,
): Promise<readonly Credential[]> {
  const { app } = server;
  const { db } = app.store;
  const anonymous = anonymousCaller(address);
  const site = openPeople(server);
  const somebody = async (account: string, role: "member" | "viewer", plan: Plan): Promise<Somebody> => ({
    ...(await site.person(account, role, plan)),
    role,
    plan,
  });
  const callerOf = ({ account, plan, role }: Somebody, scopes: readonly Scope[]): Principal => ({
    account,
    plan,
    scopes: scopes.filter((scope) => ROLE_SCOPES[role].includes(scope)),
  });

  const session = (
    name: string,
    cookie: string,
    standing: Standing | ((method: string) => Standing),
    headers: Credential["headers"] = SITE,
  ): Credential => ({
    name: `session ${name}`,
    headers: { cookie, ...headers },
    at({ method, path }) {
      if (isForAgents(path)) return { caller: anonymous, fault: null };
      return typeof standing === "function" ? standing(method) : standing;
    },
  });
  const sessionOf = (person: Somebody): Standing => ({
    caller: callerOf(person, SESSION_SCOPES),
    fault: null,
  });
  const endedSession = async (name: string, end: (person: SignedIn) => Promise<unknown>) => {
    const person = await site.invited(`session-${name.replaceAll(" ", "-")}`);
    await end(person);
    return session(name, person.cookie, refused(anonymous));
  };

  const token = (
    name: string,
    access: string,
    standing: Standing,
    headers: Credential["headers"] = {},
  ): Credential => ({
    name: `token ${name}`,
    headers: { ...bearer(access), ...headers },
    at: ({ path }) => (isMcp(path) ? standing : refused(standing.caller)),
  });
  const allow = async (person: Somebody, scopes: readonly Scope[]) => {
    const { access } = await site.connected(person.cookie, { scope: scopes.join(" ") });
    const caller = callerOf(person, scopes);
    const grantable = ROLE_SCOPES[person.role].filter((scope) => !scopes.includes(scope));
    return { access, standing: { caller, fault: null, grantable } satisfies Standing };
  };
  const tokenOf = async (name: string, person: Somebody, scopes: readonly Scope[]) => {
    const { access, standing } = await allow(person, scopes);
    return token(`of ${name}: ${scopes.join(" ")}`, access, standing);
  };
  const endedToken = async (
    name: string,
    end: (app: Connected, person: Somebody) => Promise<unknown>,
    standing: Standing = refused(anonymous),
  ) => {
    const person = await somebody(`token-${name.replaceAll(" ", "-")}`, "member", "enterprise");
    const connected = await site.connected(person.cookie);
    await end(connected, person);
    return token(name, connected.access, standing);
  };
  const changed = ({ access }: Connected, set: Record<string, string>) =>
    db.updateTable("auth_access_tokens").set(set).where("token", "=", hashOf(access)).execute();
  const suspend = ({ account }: { readonly account: string }) => app.accounts.suspend(account, "proof");
  const remove = ({ account }: { readonly account: string }) => app.accounts.delete(account, "proof");

  const owner: Somebody = { ...(await site.owner()), role: "owner", plan: "enterprise" };
  const viewer = await somebody("viewer", "viewer", "enterprise");
  const member = await somebody("member", "member", "enterprise");
  const pro = await somebody("pro", "member", "pro");
  const small = await somebody("small", "member", "individual");
  const everything = ROLE_SCOPES.owner;
  const other = await server.key("enterprise");
  const keyCaller = await app.access.identify(other.key);
  const byKey = { caller: keyCaller, fault: null };
  const foreign = refused(
    member.account === "" ? anonymous : callerOf(member, SESSION_SCOPES),
    null,
    "FORBIDDEN",
  );
  const reading = await allow(member, ["read"]);

  return [
    session("of the owner", owner.cookie, sessionOf(owner)),
    session("of a member", member.cookie, sessionOf(member)),
    session("of a viewer", viewer.cookie, sessionOf(viewer)),
    session("on the plan pro", pro.cookie, sessionOf(pro)),
    session("on the plan individual", small.cookie, sessionOf(small)),
    session("at a page of another port", member.cookie, foreign, ELSEWHERE),
    session("at a page of another site", member.cookie, foreign, { ...SITE, "sec-fetch-site": "cross-site" }),
    session(
      "without an origin",
      member.cookie,
      (method) => (method === "GET" ? sessionOf(member) : foreign),
      {},
    ),
    session("forged", `${owner.cookie.slice(0, -8)}AAAAA%3D`, refused(anonymous)),
    await endedSession("signed out", ({ cookie }) =>
      site.send("/sign-out", { cookie, origin: server.url, "sec-fetch-site": "same-origin" }, ""),
    ),
    await endedSession("expired", ({ account }) =>
      db
        .updateTable("auth_sessions")
        .set({ expiresAt: PAST })
        .where("userId", "in", (of) =>
          of.selectFrom("auth_users").select("id").where("account", "=", account),
        )
        .execute(),
    ),
    await endedSession("reset", ({ account }) => site.people.resetSignIn(account, "proof")),
    await endedSession("suspended", suspend),
    await endedSession("deleted", remove),
    everywhere("session beside a key", { cookie: owner.cookie, ...ELSEWHERE, ...bearer(other.key) }, byKey),
    await tokenOf("the owner", owner, ["read"]),
    await tokenOf("the owner", owner, everything),
    await tokenOf("a member", member, ["read", "write"]),
    await tokenOf("a member", member, ["write"]),
    await tokenOf("a member", member, everything),
    await tokenOf("a viewer", viewer, everything),
    await tokenOf("pro", pro, ["read"]),
    await tokenOf("individual", small, everything),
    token("beside a session", reading.access, reading.standing, { cookie: owner.cookie, ...SITE }),
    token("unknown", `ms_at_${"a".repeat(32)}`, refused(anonymous)),
    await endedToken("revoked", ({ client, access }) =>
      site.form("/auth/oauth2/revoke", { client_id: client, token: access }),
    ),
    await endedToken("expired", (connected) => changed(connected, { expiresAt: PAST })),
    await endedToken("for another server", (connected) =>
      changed(connected, { resources: JSON.stringify(["https://other.example/api/mcp"]) }),
    ),
    await endedToken("disconnected", ({ client }, { account }) =>
      site.people.disconnect(account, client, "proof"),
    ),
    await endedToken("of a reset person", (_, { account }) => site.people.resetSignIn(account, "proof")),
    await endedToken(
      "suspended",
      (_, person) => suspend(person),
      refused(anonymous, "suspended", "FORBIDDEN"),
    ),
    await endedToken("deleted", (_, person) => remove(person)),
  ];
}
