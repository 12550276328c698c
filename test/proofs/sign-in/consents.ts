import type { Answer } from "../../support/oauth-app.ts";
import { type Group, LIMITED, locationOf, refusedWith } from "./kinds.ts";
import { ORIGIN, type SignInSite, text } from "./site.ts";

/** Consent: changed, expired and foreign queries, without a session, from elsewhere, for more than was signed. */
export async function consents(site: SignInSite): Promise<Group> {
  const [ada, ben] = [await site.invited("consenting"), await site.invited("asking")];
  const [client, evil] = [
    await site.newClient(),
    await site.newClient({ redirect_uris: ["https://evil.example/cb"] }),
  ];
  const query = await site.queryFor(client, ada.cookie);
  const idOf = async (account: string) =>
    (
      await site.db
        .selectFrom("auth_users")
        .select("id")
        .where("account", "=", account)
        .executeTakeFirstOrThrow()
    ).id;
  const [adaId, benId] = [await idOf(ada.account), await idOf(ben.account)];
  /** Returns the query with some fields changed; null deletes one. */
  const changed = (fields: Readonly<Record<string, string | null>>): string => {
    const params = new URLSearchParams(query);
    for (const [name, value] of Object.entries(fields))
      if (value === null) params.delete(name);
      else params.set(name, value);
    return params.toString();
  };
  const sig = new URLSearchParams(query).get("sig")!;
  const tampered: readonly (() => string)[] = [
    () => changed({ scope: "read write trade:paper trade:live admin offline_access" }),
    () => changed({ client_id: evil }),
    () => changed({ client_id: evil, redirect_uri: "https://evil.example/cb" }),
    () => changed({ redirect_uri: "https://evil.example/cb" }),
    () => changed({ code_challenge: text(32) }),
    () => changed({ code_challenge: null, code_challenge_method: null }),
    () => changed({ resource: "https://other.example" }),
    () => changed({ state: "other" }),
    () => changed({ exp: "9999999999" }),
    () => changed({ exp: "1" }),
    () => changed({ sig: null }),
    () => changed({ sig: text(32) }),
    () => changed({ sig: sig.replace(/^./, sig.startsWith("A") ? "B" : "A") }),
    () => `${query}&scope=admin`,
    () => `scope=admin&${query}`,
    () => `${query}&client_id=${evil}`,
    () => `client_id=${evil}&${query}`,
    () => `${query}&sig=${encodeURIComponent(sig)}`,
    () => `${query}&ba_param=x`,
    () => `${query}&prompt=none`,
    () => "",
    () => "client_id=x",
  ];
  const headers: readonly Readonly<Record<string, string>>[] = [
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: `${ORIGIN}.evil.example` },
    { origin: ORIGIN, "sec-fetch-site": "cross-site" },
    { origin: ORIGIN, "sec-fetch-site": "same-site" },
    { origin: `${ORIGIN}:8443` },
  ];
  const refused = (answer: Answer) => refusedWith(answer, [400, 401, 403]);
  let spoilt = 0;
  return {
    name: "consent",
    kinds: [
      {
        name: "to a changed query",
        attempts: 440,
        attempt: async (n) =>
          refused(await site.consent(ada.cookie, { oauth_query: tampered[n % tampered.length]!() })),
      },
      {
        name: "without a session",
        attempts: 150,
        attempt: async (n) =>
          refused(
            await site.consent(
              ["", "market_signal_session=x", `market_signal_session=${text(32)}.${sig}`][n % 3]!,
              {
                oauth_query: query,
              },
            ),
          ),
      },
      {
        name: "from a page elsewhere",
        attempts: 150,
        attempt: async (n) =>
          refused(await site.consent(ada.cookie, { oauth_query: query }, headers[n % headers.length])),
      },
      {
        name: "to more than was signed",
        attempts: 150,
        attempt: async (n) =>
          refused(
            await site.consent(ada.cookie, {
              oauth_query: query,
              scope: ["read admin", "write", "read write", "trade:live", "read\tadmin", "READ"][n % 6]!,
            }),
          ),
      },
      {
        name: "in another body",
        attempts: 60,
        async attempt(n) {
          const bodies = [
            { oauth_query: query, accept: "true" },
            { oauth_query: [query] },
            { oauth_query: query, accept: 1 },
            { oauth_query: null },
          ];
          return refused(await site.consent(ada.cookie, bodies[n % bodies.length]!));
        },
      },
      {
        name: "as a form",
        attempts: 40,
        async attempt() {
          const fields = { accept: "true", oauth_query: query };
          const answer = await site.form("/auth/oauth2/consent", fields, {
            cookie: ada.cookie,
            origin: ORIGIN,
          });
          return refusedWith(answer, [400, 415]);
        },
      },
      {
        name: "to the query of another person",
        attempts: 60,
        async attempt() {
          // who answers it allows their own account, and never that of the person who was asked
          const app = await site.newClient();
          const asked = await site.queryFor(app, ada.cookie);
          await site.consent(ben.cookie, { oauth_query: asked });
          const rows = await site.db
            .selectFrom("auth_consents")
            .select("userId")
            .where("clientId", "=", app)
            .execute();
          const ids = rows.map(({ userId }) => userId).join();
          const code = await site.authorize(app, ada.cookie);
          const isSent = locationOf(code).searchParams.has("code");
          return ids === benId && !isSent
            ? null
            : `allowed by ${ids}, and ${adaId} was sent ${code.headers.location}`;
        },
      },
      {
        name: "that was refused",
        attempts: 60,
        async attempt() {
          const app = await site.newClient();
          const answer = await site.consent(ada.cookie, {
            accept: false,
            oauth_query: await site.queryFor(app, ada.cookie, { state: `s${spoilt++}` }),
          });
          if (answer.status === 429) return LIMITED;
          const { searchParams } = new URL(JSON.parse(answer.body).url);
          const again = await site.authorize(app, ada.cookie);
          const isAsked = locationOf(again).pathname === "/consent";
          return searchParams.get("error") === "access_denied" && !searchParams.has("code") && isAsked
            ? null
            : `${answer.body} ${again.headers.location}`;
        },
      },
      {
        name: "past the page",
        attempts: 100,
        async attempt(n) {
          // an app that its person did not allow, or not for that much
          const app = n % 2 === 0 ? evil : client;
          const fields = [{ prompt: "none" }, {}, { prompt: "none", scope: "admin" }, { max_age: "0" }][
            n % 4
          ]!;
          const answer = await site.authorize(app, ada.cookie, {
            ...fields,
            ...(app === evil && { redirect_uri: "https://evil.example/cb" }),
          });
          return locationOf(answer).searchParams.has("code") ? `a code: ${answer.headers.location}` : null;
        },
      },
    ],
    async control() {
      const { status, body } = await site.consent(ada.cookie, { oauth_query: query });
      return status === 200 && new URL(JSON.parse(body).url).searchParams.has("code")
        ? null
        : `${status} ${body}`;
    },
  };
}
