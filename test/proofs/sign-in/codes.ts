import type { Answer } from "../../support/oauth-app.ts";
import { type Group, LIMITED, refusedWith } from "./kinds.ts";
import { CALLBACK, type SignInSite, text } from "./site.ts";

const PAST = "2026-01-01T00:00:00.000Z";
const letters = (secret: string): string => secret.replaceAll(/[^A-Za-z]/g, "x").slice(0, 32);

/** Authorization codes: guessed, replayed, expired, of another app, with another verifier or address, all at once. */
export async function codes(site: SignInSite): Promise<Group> {
  const ada = await site.invited("coda");
  const [app, other] = [await site.connected(ada.cookie), await site.connected(ada.cookie)];
  const expiring = await site.connected(ada.cookie);
  const replaying = await site.connected(ada.cookie);
  const used = await site.nextCode(replaying.client, ada.cookie);
  await site.redeem(replaying.client, used);
  const refused = (answer: Answer) => refusedWith(answer, [400, 401]);
  const attempt = (name: string, attempts: number, client: string, fields: () => Record<string, string>) => ({
    name,
    attempts,
    attempt: async () =>
      refused(await site.redeem(client, await site.nextCode(app.client, ada.cookie), fields())),
  });
  const addresses = [
    "https://evil.example/callback",
    `${CALLBACK}/`,
    `${CALLBACK}?x=1`,
    CALLBACK.replace("https", "http"),
    CALLBACK.toUpperCase(),
    "",
  ];
  let tried = 0;
  return {
    name: "codes",
    kinds: [
      {
        name: "guessed",
        attempts: 250,
        attempt: async () => refused(await site.redeem(app.client, letters(text(32)))),
      },
      {
        name: "replayed",
        attempts: 100,
        attempt: async () => refused(await site.redeem(replaying.client, used)),
      },
      attempt("of another app", 150, other.client, () => ({})),
      attempt("of nobody's app", 60, "nobody", () => ({})),
      attempt("with another verifier", 200, app.client, () => ({
        code_verifier: ["x".repeat(64), "", "v".repeat(63), "V".repeat(64)][tried++ % 4]!,
      })),
      attempt("to another address", 200, app.client, () => ({
        redirect_uri: addresses[tried++ % addresses.length]!,
      })),
      attempt("for another resource", 60, app.client, () => ({ resource: "https://other.example/api/mcp" })),
      {
        name: "expired",
        attempts: 60,
        async attempt() {
          const code = await site.nextCode(expiring.client, ada.cookie);
          const { numUpdatedRows } = await site.db
            .updateTable("auth_verifications")
            .set({ expiresAt: PAST })
            .where("value", "like", `%${expiring.client}%`)
            .executeTakeFirst();
          if (numUpdatedRows === 0n) return "the code was not found in the database";
          return refused(await site.redeem(expiring.client, code));
        },
      },
      {
        name: "redeemed by several at once",
        attempts: 40,
        async attempt() {
          // of an app of its own, as a replay ends what the app was allowed
          const { client } = await site.connected(ada.cookie);
          const code = await site.nextCode(client, ada.cookie);
          const answers = await Promise.all([1, 2, 3].map(() => site.redeem(client, code)));
          if (answers.some(({ status }) => status === 429)) return LIMITED;
          // a replay may end the grant while the library still writes its token, which then fails, and gives nothing
          const isOfRace = (fault: string) => fault.includes("/auth/oauth2/token is answered with 500");
          site.errors.splice(0, Infinity, ...site.errors.filter((fault) => !isOfRace(fault)));
          const redeemed = answers.filter(({ status }) => status === 200).length;
          return redeemed <= 1 ? null : `${redeemed} tokens of one code`;
        },
      },
    ],
    async control() {
      const { status, body } = await site.redeem(app.client, await site.nextCode(app.client, ada.cookie));
      return status === 200 ? null : `a code is answered with ${status}: ${body}`;
    },
  };
}
