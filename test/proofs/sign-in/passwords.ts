import { FOREIGN, type Group, LIMITED, refusedWith } from "./kinds.ts";
import { encoded, ORIGIN, PASSWORD, type SignInSite } from "./site.ts";

/** Passwords: wrong, of other people, in other shapes of a body, many at once, and the right one while locked. */
export async function passwords(site: SignInSite): Promise<Group> {
  const people = new Map<string, Promise<string>>();
  /** Returns the account of somebody with a password; nine attempts share one, because the eleventh locks it. */
  function somebody(kind: string, n: number): Promise<string> {
    const account = `${kind}${Math.floor(n / 9)}`;
    const made =
      people.get(account) ??
      site
        .invited(account)
        .then(site.setPassword)
        .then(() => account);
    people.set(account, made);
    return made;
  }
  await site.setPassword(await site.invited("ben2"), "another long password of ben2");
  const locked = await site.invited("locked");
  await site.setPassword(locked);
  // recovery codes and passwords count together, and a code is checked at no cost
  for (let i = 0; i < 10; i++)
    await site.post("/api/v1/sign-in/recovery", "", { name: "locked", code: "0000-0000-0000-0000" });
  const isWrong = (answer: Parameters<typeof refusedWith>[0]) => refusedWith(answer, [400, 401, 403, 415]);
  const wrong = [
    "wrong wrong wrong",
    "",
    PASSWORD.toUpperCase(),
    `${PASSWORD} `,
    PASSWORD.slice(0, -1),
    "another long password of ben2",
    `${PASSWORD}\u0001`,
    "' OR '1'='1",
    "x".repeat(10_000),
  ];
  const at = "/auth/sign-in/email";
  const email = (name: string) => `${name}@market-signal.invalid`;
  const origin = { origin: ORIGIN };
  let batches = 0;
  return {
    name: "passwords",
    kinds: [
      {
        name: "wrong",
        attempts: 108,
        attempt: async (n) =>
          isWrong(await site.signInWith(await somebody("victim", n), wrong[n % wrong.length]!)),
      },
      {
        name: "of nobody",
        attempts: 60,
        attempt: async (n) =>
          isWrong(
            await site.signInWith(
              [`nobody${n}`, n < 45 ? "owner" : `owner${n}`, `ben2 ${n}`, `*${n}`, `%${n}`][n % 5]!,
              PASSWORD,
            ),
          ),
      },
      {
        name: "in another body",
        attempts: 60,
        async attempt(n) {
          const fields = { email: email(await somebody("shaped", n)), password: PASSWORD };
          const form = { ...origin, "content-type": "application/x-www-form-urlencoded" };
          const bodies = [
            () => site.send(at, form, encoded(fields)),
            () => site.send(at, { ...origin, "content-type": "text/plain" }, encoded(fields)),
            () =>
              site.send(
                at,
                { ...origin, "content-type": "multipart/form-data; boundary=x" },
                encoded(fields),
              ),
            () => site.post(at, "", { ...fields, email: [fields.email] }),
            () => site.post(at, "", { ...fields, password: { $ne: "" } }),
            () => site.post(at, "", [fields]),
          ];
          return isWrong(await bodies[n % bodies.length]!());
        },
      },
      {
        name: "right, from a page elsewhere",
        attempts: 80,
        async attempt(n) {
          const fields = { email: email(await somebody("elsewhere", n)), password: PASSWORD };
          const headers = FOREIGN[n % FOREIGN.length]!;
          return refusedWith(await site.send(at, headers, fields), [403]);
        },
      },
      {
        name: "right, back to an address elsewhere",
        attempts: 60,
        async attempt(n) {
          const callbackURL = [
            "https://evil.example/",
            "//evil.example",
            "javascript:alert(1)",
            "/\\evil.example",
          ][n % 4]!;
          const fields = { email: email(await somebody("sent", n)), password: PASSWORD, callbackURL };
          const { status, body } = await site.post(at, "", fields);
          return status === 429 ? LIMITED : /evil|javascript/.test(body) ? `${status} ${body}` : null;
        },
      },
      {
        name: "right, while locked out",
        attempts: 100,
        async attempt() {
          const answer = await site.signInWith("locked", PASSWORD);
          return answer.status === 429 ? null : `${answer.status}`;
        },
      },
      {
        name: "many at once",
        attempts: 4,
        async attempt() {
          const person = await site.invited(`hurried${batches++}`);
          await site.setPassword(person);
          const answers = await Promise.all(
            Array.from({ length: 15 }, () => site.signInWith(person.account, "wrong wrong wrong")),
          );
          const judged = answers.filter(({ status }) => status !== 429).length;
          return judged === 10 ? null : `${judged} passwords were tried before the lock-out`;
        },
      },
    ],
    async control() {
      const { status, body } = await site.signInWith(await somebody("right", 0), PASSWORD);
      return status === 200 ? null : `the right password is answered with ${status}: ${body}`;
    },
  };
}
