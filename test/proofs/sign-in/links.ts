import { type Group, refusedWith } from "./kinds.ts";
import { type SignInSite, text } from "./site.ts";

const PAST = "2026-01-01T00:00:00.000Z";
const swapped = (secret: string, at: number): string => {
  const letter = secret[at] === "A" ? "B" : "A";
  return secret.slice(0, at) + letter + secret.slice(at + 1);
};

/** Links: guessed, used, expired, damaged, at another path, and one opened many times at once. */
export async function links(site: SignInSite): Promise<Group> {
  const newLink = async () => (await site.app.browserSessions.issueLink()).token;
  const used = await newLink();
  await site.open(used);
  const expired = await newLink();
  await site.db.updateTable("browser_links").set({ expires_at: PAST }).where("used_at", "is", null).execute();
  const fresh = await newLink();
  const refused = async (path: string, statuses: readonly number[], headers = {}, method?: string) =>
    refusedWith(await site.send(path, headers, undefined, method), statuses);
  const elsewhere = (link: string): readonly string[] => [
    `/open/${link}/x`,
    `/open//${link}`,
    `/open?link=${link}`,
    `/opened/${link}`,
    `/OPEN/${link}`,
    `/sign-in/${link}`,
    `/auth/open/${link}`,
    `/auth/magic-link/verify?token=${link}`,
    `/api/v1/open/${link}`,
    `/api/v1/quota?link=${link}&stream_token=${link}`,
  ];
  return {
    name: "links",
    kinds: [
      { name: "guessed", attempts: 600, attempt: () => refused(`/open/${text(32)}`, [401]) },
      { name: "used", attempts: 150, attempt: () => refused(`/open/${used}`, [401]) },
      { name: "expired", attempts: 150, attempt: () => refused(`/open/${expired}`, [401]) },
      {
        name: "truncated or damaged",
        attempts: 300,
        attempt: (n) =>
          refused(
            `/open/${[fresh.slice(0, n % 43), `${fresh}${fresh[0]}`, swapped(fresh, n % 43), fresh.toLowerCase(), `${fresh}%00`, `%20${fresh}`][n % 6]}`,
            [401, 404],
          ),
      },
      {
        name: "at another path",
        attempts: 200,
        async attempt(n) {
          const path = elsewhere(fresh)[n % 10]!;
          return refused(path, [401, 404]);
        },
      },
      {
        name: "opened by a preview",
        attempts: 100,
        attempt: (n) =>
          [
            () => refused(`/open/${fresh}`, [403], {}, "HEAD"),
            () => refused(`/open/${fresh}`, [403], { "sec-purpose": "prefetch;prerender" }),
            () => refused(`/open/${fresh}`, [404, 405], {}, "OPTIONS"),
            () => refused(`/invited/${fresh}`, [200]),
          ][n % 4]!(),
      },
      {
        name: "opened by several at once",
        attempts: 60,
        async attempt() {
          const link = await newLink();
          const answers = await Promise.all([1, 2, 3].map(() => site.send(`/open/${link}`)));
          const begun = answers.filter(({ status }) => status === 303).length;
          return begun === 1 ? null : `${begun} sessions of one link`;
        },
      },
    ],
    async control() {
      const { status } = await site.send(`/open/${fresh}`);
      return status === 303 ? null : `the link that nobody opened is answered with ${status}`;
    },
  };
}
