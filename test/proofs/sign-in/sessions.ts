import { signedToken } from "../../../src/access/sign-in/session-cookie.ts";
import { requestOf } from "../proof-server.ts";
import { exampleOf, FOREIGN, type Group, refusedWith } from "./kinds.ts";
import { ORIGIN, PASSWORD, type SignedIn, type SignInSite, text } from "./site.ts";

const PAST = "2026-01-01T00:00:00.000Z";
const swapped = (secret: string, at: number): string => {
  const letter = secret[at] === "A" ? "B" : "A";
  return secret.slice(0, at) + letter + secret.slice(at + 1);
};
const COOKIE = "market_signal_session=";

/** Sessions: forged, swapped, ended, of other people, at the endpoints of agents, and from pages elsewhere. */
export async function sessions(site: SignInSite): Promise<Group> {
  const [cleo, dan] = [await site.invited("cleo"), await site.invited("dan")];
  const cookieOf = ({ cookie }: SignedIn) => decodeURIComponent(cookie.slice(COOKIE.length));
  const ofToken = (value: string) => `${COOKIE}${encodeURIComponent(value)}`;
  const [token, signature] = cookieOf(cleo).split(".") as [string, string];
  const ended = async (account: string, end: (person: SignedIn) => Promise<unknown>) => {
    const person = await site.invited(account);
    await end(person);
    return person.cookie;
  };
  const over = [
    await ended("signed-out", ({ cookie }) =>
      site.send("/sign-out", { cookie, origin: ORIGIN, "sec-fetch-site": "same-origin" }, ""),
    ),
    await ended("reset", ({ account }) => site.people.resetSignIn(account, "proof")),
    await ended("deleted", ({ account }) => site.app.accounts.delete(account, "proof")),
    await ended("expired", async ({ account }) =>
      site.db
        .updateTable("auth_sessions")
        .set({ expiresAt: PAST })
        .where("userId", "in", (of) =>
          of.selectFrom("auth_users").select("id").where("account", "=", account),
        )
        .execute(),
    ),
  ];
  const suspended = await ended("suspended", ({ account }) => site.app.accounts.suspend(account, "proof"));
  const client = await site.newClient();
  /** Doors that a session opens. */
  const doors: readonly ((cookie: string) => Promise<string | null>)[] = [
    async (cookie) => refusedWith(await site.send("/api/v1/quota", { cookie }), [401, 403]),
    async (cookie) =>
      refusedWith(await site.post("/api/v1/sign-in/password", cookie, { password: PASSWORD }), [401, 403]),
    async (cookie) => elsewhere(await site.send("/account", { cookie })),
    async (cookie) => elsewhere(await site.authorize(client, cookie)),
    async (cookie) =>
      refusedWith(await site.send("/auth/passkey/generate-register-options", { cookie }), [401]),
  ];
  const elsewhere = (answer: Parameters<typeof refusedWith>[0]) => {
    const isSentAway = answer.headers.location?.startsWith("/sign-in") === true;
    return isSentAway ? refusedWith(answer, [302, 303]) : `${answer.status} ${answer.headers.location}`;
  };
  const tryDoors = (made: (n: number) => string) => (n: number) => doors[n % doors.length]!(made(n));
  const writes = site.app.registry.tools.filter(({ effect }) => effect === "write");
  const hello = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const agents: readonly (readonly [string, object?])[] = [
    ["/api/mcp", hello],
    ["/api/mcp/sse"],
    ["/api/mcp/sse/messages", hello],
    ["/api/a2a", hello],
    ["/api/v1/a2a/route", hello],
    ["/api/a2a/rest/message:send", {}],
    ["/api/a2a/rest/tasks"],
  ];
  const secret = await site.app.signInSecret();
  return {
    name: "sessions",
    kinds: [
      {
        name: "forged signature",
        attempts: 500,
        attempt: tryDoors((n) =>
          ofToken(
            [
              `${token}.${text(32)}=`,
              `${token}.${swapped(signature, n % 43)}`,
              `${token}.`,
              token,
              `${token}.${signature}.${signature}`,
              `.${signature}`,
              `${text(32)}.${signature}`,
            ][n % 7]!,
          ),
        ),
      },
      {
        name: "signed by another secret",
        attempts: 250,
        attempt: tryDoors(() => ofToken(signedToken(token, text()))),
      },
      {
        name: "signature of another session",
        attempts: 150,
        attempt: tryDoors(() => ofToken(`${cookieOf(dan).split(".")[0]}.${signature}`)),
      },
      {
        name: "well signed, of no session",
        attempts: 250,
        attempt: tryDoors(() => ofToken(signedToken(text(32), secret))),
      },
      {
        name: "ended, expired or deleted",
        attempts: 400,
        attempt: tryDoors((n) => over[Math.floor(n / doors.length) % over.length]!),
      },
      {
        name: "of a suspended account",
        attempts: 100,
        attempt: async (n) => doors[n % 2]!(suspended),
      },
      {
        name: "at MCP and A2A",
        attempts: 200,
        async attempt(n) {
          const [path, body] = agents[n % agents.length]!;
          const headers = {
            cookie: cleo.cookie,
            origin: ORIGIN,
            accept: "application/json, text/event-stream",
          };
          return refusedWith(await site.send(path, headers, body), [401, 403]);
        },
      },
      {
        name: "writing from a page elsewhere",
        attempts: 500,
        async attempt(n) {
          const tool = writes[n % writes.length]!;
          const { method, path, body } = requestOf(tool.route, exampleOf(tool));
          const headers = { cookie: cleo.cookie, ...FOREIGN[n % FOREIGN.length] };
          return refusedWith(await site.send(path, headers, (body as object) ?? {}, method), [403]);
        },
      },
      {
        name: "reading from a page elsewhere",
        attempts: 150,
        async attempt(n) {
          const headers = { cookie: cleo.cookie, ...FOREIGN.slice(1)[n % (FOREIGN.length - 1)] };
          return refusedWith(await site.send("/api/v1/quota", headers), [403]);
        },
      },
      {
        name: "changing the sign-in from a page elsewhere",
        attempts: 150,
        async attempt(n) {
          const [path, body] = [
            ["password", { password: "a password of somebody else" }],
            ["remove-passkey", { id: "x" }],
            ["disconnect", { client_id: client }],
          ][n % 3] as [string, object];
          const headers = { cookie: cleo.cookie, ...FOREIGN[n % FOREIGN.length] };
          return refusedWith(await site.send(`/api/v1/sign-in/${path}`, headers, body), [403]);
        },
      },
    ],
    async control() {
      const { status, body } = await site.send("/api/v1/quota", { cookie: cleo.cookie });
      return status === 200 ? null : `the session is answered with ${status}: ${body}`;
    },
  };
}
