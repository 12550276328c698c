import { startIssuer, type TestIssuer } from "../../support/issuer.ts";
import type { Answer } from "../../support/oauth-app.ts";
import { BEGIN, type Begun, CONNECT, identityBrowser, isRefused, together } from "./identity-browser.ts";
import { forgedTokens, wrongIssuers, wrongSubjects } from "./identity-faults.ts";
import { FOREIGN, type Group, refusedWith, staysHere } from "./kinds.ts";
import { ORIGIN, type SignInSite, text } from "./site.ts";

/** Identities of the external issuer: of nobody, of others, replayed, mixed up, forged, and begun by others. */
export async function identities(site: SignInSite, issuer: TestIssuer): Promise<Group> {
  const { begin, sendBack, end, signIn, connect, identified, accountOf } = identityBrowser(site, issuer);
  const other = await startIssuer();
  const ada = await identified("identified");
  const { subject } = ada;
  const mallory = await identified("mallory2");
  const gone = [await identified("gone1"), await identified("gone2"), await identified("gone3")] as const;
  await site.post("/api/v1/sign-in/disconnect-identity", gone[0].cookie, {});
  await site.people.resetSignIn(gone[1].account, "proof");
  await site.app.accounts.delete(gone[2].account, "proof");
  const suspended = await identified("suspended2");
  await site.app.accounts.suspend(suspended.account, "proof");
  const old = await site.invited("old3");
  await site.db
    .updateTable("auth_sessions")
    .set({ createdAt: new Date(Date.now() - 3_700_000).toISOString() })
    .where("userId", "in", (of) =>
      of.selectFrom("auth_users").select("id").where("account", "=", old.account),
    )
    .execute();
  const { key } = await site.key("enterprise");
  const [victim, attacker] = [await site.invited("unconnected"), await site.invited("connecting")];

  const subjects = wrongSubjects(issuer, ada);
  const issuers = wrongIssuers(issuer, other);
  const forged = forgedTokens(issuer);
  /** Returns the address to which the issuer sends the browser of the person back. */
  const answerTo = ({ url }: Begun) => issuer.answer(url, { subject });
  /** Ends a new sign-in with another code or state. */
  const withParameters = async (sentBack: Readonly<Record<string, string | undefined>>) =>
    end(await begin(), subject, { sentBack });
  /** Returns an address that was opened, and the browser that opened it. */
  async function used(): Promise<Begun & { readonly address: string }> {
    const begun = await begin();
    const address = await answerTo(begun);
    await sendBack(address, begun.cookie);
    return { ...begun, address };
  }
  const states: readonly (() => Promise<Answer>)[] = [
    async () => {
      const { address, cookie } = await used();
      return sendBack(address, cookie);
    },
    async () => {
      const spent = await used();
      return sendBack(await answerTo(spent), spent.cookie);
    },
    async () => sendBack(await answerTo(await begin()), ""),
    async () => sendBack(await answerTo(await begin()), (await begin()).cookie),
    async () => sendBack(await answerTo(await begin()), mallory.cookie),
    () => withParameters({ state: text() }),
    () => withParameters({ state: undefined }),
    () => withParameters({ state: "" }),
  ];
  const codes: readonly (() => Promise<Answer>)[] = [
    async () => withParameters({ code: codeIn((await used()).address) }),
    async () => withParameters({ code: codeIn(await answerTo(await begin())) }),
    () => withParameters({ code: text() }),
    () => withParameters({ code: "" }),
    () => withParameters({ code: undefined }),
  ];
  const codeIn = (address: string) => new URL(address).searchParams.get("code")!;
  const mixed: readonly ((begun: Begun) => Promise<Answer>)[] = [
    async ({ url, cookie }) => sendBack(await other.answer(url, { subject }), cookie),
    async ({ url, cookie }) => {
      const fault = { sentBack: { iss: issuer.url } };
      return sendBack(await other.answer(url, { subject, fault }), cookie);
    },
    (begun) => end(begun, subject, { sentBack: { iss: other.url } }),
    (begun) => end(begun, subject, { idToken: (claims) => other.token(claims) }),
    (begun) => end(begun, subject, { idToken: (claims) => other.token({ ...claims, iss: issuer.url }) }),
    (begun) => {
      const { kid } = issuer.publicKey();
      return end(begun, subject, {
        idToken: (claims) => other.token({ ...claims, iss: issuer.url }, { kid }),
      });
    },
    (begun) => end(begun, subject, { claims: { iss: other.url } }),
    async (begun) => sendBack(`${await answerTo(begun)}&iss=${encodeURIComponent(other.url)}`, begun.cookie),
    async (begun) => {
      const [address, query] = (await answerTo(begun)).split("?");
      return sendBack(`${address}?iss=${encodeURIComponent(other.url)}&${query}`, begun.cookie);
    },
    async (begun) => sendBack((await answerTo(begun)).replace("/callback/oidc", "/callback/x"), begun.cookie),
  ];
  const fresh = () => `another ${text()}`;
  const crossed: readonly (() => Promise<Answer>)[] = [
    () => connect(subject, victim.cookie),
    // the address at which the attacker would connect their identity, in the browser of the victim
    async () => {
      const { url } = await begin(CONNECT, attacker.cookie);
      return sendBack(await issuer.answer(url, { subject: fresh() }), victim.cookie);
    },
    // also with the cookies of the attempt
    async () => {
      const { url, cookie } = await begin(CONNECT, attacker.cookie);
      const [, ...begun] = cookie.split("; ");
      return sendBack(await issuer.answer(url, { subject: fresh() }), together(victim.cookie, ...begun));
    },
    async () => {
      const { url, cookie } = await begin(CONNECT, attacker.cookie);
      const [, ...begun] = cookie.split("; ");
      return sendBack(await issuer.answer(url, { subject: fresh() }), together(...begun));
    },
  ];
  let earlier = text();

  return {
    name: "identities",
    kinds: [
      {
        name: "of an unknown subject",
        attempts: 120,
        attempt: async (n) => isRefused(await signIn(subject, subjects[n % subjects.length]!())),
      },
      {
        name: "disconnected, reset or deleted",
        attempts: 60,
        attempt: async (n) => isRefused(await signIn(gone[n % gone.length]!.subject)),
      },
      {
        name: "of a suspended account",
        attempts: 20,
        attempt: async () => refusedWith(await signIn(suspended.subject), [403]),
      },
      {
        name: "with a replayed or foreign state",
        attempts: 120,
        attempt: async (n) => isRefused(await states[n % states.length]!()),
      },
      {
        name: "with a replayed or foreign code",
        attempts: 80,
        attempt: async (n) => isRefused(await codes[n % codes.length]!()),
      },
      {
        name: "of the wrong issuer",
        attempts: 96,
        attempt: async (n) => isRefused(await signIn(subject, issuers[n % issuers.length]!())),
      },
      {
        name: "mixed up with a second issuer",
        attempts: 90,
        attempt: async (n) => isRefused(await mixed[n % mixed.length]!(await begin())),
      },
      {
        name: "with a wrong nonce",
        attempts: 60,
        async attempt(n) {
          const begun = await begin();
          const own = new URL(begun.url).searchParams.get("nonce")!;
          const nonces = [earlier, undefined, "", [own], own.slice(1), `${own}x`];
          earlier = own;
          return isRefused(await end(begun, subject, { claims: { nonce: nonces[n % nonces.length] } }));
        },
      },
      {
        name: "with a forged token",
        attempts: 140,
        attempt: async (n) => isRefused(await signIn(subject, forged[n % forged.length]!())),
      },
      {
        name: "of another person, or connected to another person",
        attempts: 80,
        async attempt(n) {
          const answer = await crossed[n % crossed.length]!();
          return answer.headers.location?.startsWith("/account") ? "it is connected" : isRefused(answer);
        },
      },
      {
        name: "begun by a page elsewhere, an old session, a key or nobody",
        attempts: 96,
        async attempt(n) {
          const foreign = FOREIGN[(n >> 3) % FOREIGN.length]!;
          const asked = [
            () => site.send(BEGIN, foreign, {}),
            () => site.send(CONNECT, { ...foreign, cookie: victim.cookie }, {}),
            () => site.post(CONNECT, old.cookie, {}),
            () => site.post(CONNECT, "", {}, { authorization: `Bearer ${key}` }),
            () => site.post(CONNECT, "", {}),
            () => site.post(CONNECT, `${victim.cookie.slice(0, -8)}AAAAA%3D`, {}),
            () => site.post("/auth/sign-in/social", "", { provider: "oidc", callbackURL: "/" }),
            () => site.post("/auth/link-social", victim.cookie, { provider: "oidc", callbackURL: "/" }),
          ];
          const answer = await asked[n % asked.length]!();
          const wrong = refusedWith(answer, [401, 403, 404]);
          return wrong ?? (answer.body.includes(issuer.url) ? answer.body : null);
        },
      },
      {
        name: "by an id token alone",
        attempts: 30,
        async attempt(n) {
          const idToken = { token: await issuer.token({ aud: "market-signal", sub: subject }) };
          const asked = [
            () => site.post("/auth/sign-in/social", "", { provider: "oidc", idToken }),
            () => site.post("/auth/link-social", victim.cookie, { provider: "oidc", idToken }),
            () => site.post(BEGIN, "", { idToken }),
          ];
          return refusedWith(await asked[n % asked.length]!(), [400, 404]);
        },
      },
      {
        name: "back to an address elsewhere",
        attempts: 60,
        async attempt(n) {
          const next = [
            "https://evil.example/",
            "//evil.example",
            "/\\evil.example",
            "/\t/evil.example",
            "javascript:alert(1)",
            `${ORIGIN}@evil.example`,
          ][n % 6]!;
          return staysHere(await end(await begin(BEGIN, "", { next }), mallory.subject));
        },
      },
    ],
    async control() {
      const accounts = [await accountOf(subject), await accountOf(mallory.subject)].join();
      if (accounts !== `${ada.account},${mallory.account}`) return `the identities sign in to ${accounts}`;
      const pages = [victim, attacker].map(({ cookie }) => site.send("/account", { cookie }));
      const connected = (await Promise.all(pages)).filter(
        ({ body }) => !body.includes("No identity is connected"),
      );
      return connected.length === 0 ? null : `the victim is connected: ${connected[0]!.body}`;
    },
    async close() {
      other.close();
      return [];
    },
  };
}
