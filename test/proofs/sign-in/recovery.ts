import { FOREIGN, type Group, LIMITED, refusedWith } from "./kinds.ts";
import { encoded, ORIGIN, type SignInSite } from "./site.ts";

const AT = "/api/v1/sign-in/recovery";
const MAKE = "/api/v1/sign-in/recovery-codes";
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const madeUp = () =>
  Array.from({ length: 16 }, () => ALPHABET[Math.floor(Math.random() * 32)])
    .join("")
    .replaceAll(/.{4}(?=.)/g, "$&-");

/** Recovery codes: made up, of other people, used, replaced, from pages elsewhere, many at once, and made by others. */
export async function recovery(site: SignInSite): Promise<Group> {
  const origin = { origin: ORIGIN };
  const people = new Map<string, ReturnType<typeof somebodyNew>>();
  async function somebodyNew(account: string) {
    const person = await site.invited(account);
    return { ...person, codes: await codesFor(person.cookie) };
  }
  async function codesFor(cookie: string): Promise<readonly string[]> {
    return JSON.parse((await site.post(MAKE, cookie, {})).body).codes;
  }
  /** Returns somebody with codes; nine attempts share one, because the eleventh locks the name. */
  function somebody(kind: string, n: number) {
    const account = `${kind}${Math.floor(n / 9)}`;
    const made = people.get(account) ?? somebodyNew(account);
    people.set(account, made);
    return made;
  }
  const recover = (name: string, code: unknown, headers: Readonly<Record<string, string>> = origin) =>
    site.send(AT, headers, { name, code } as object);
  const isWrong = (answer: Parameters<typeof refusedWith>[0]) => refusedWith(answer, [400, 401, 403]);

  const mallory = await somebodyNew("mallory");
  const spent = await somebodyNew("spent");
  for (const code of spent.codes) await recover("spent", code);
  const replaced = await somebodyNew("replaced");
  await site.post(MAKE, replaced.cookie, {});
  const reset = await somebodyNew("reset2");
  await site.people.resetSignIn("reset2", "proof");
  const locked = await somebodyNew("locked2");
  for (let i = 0; i < 10; i++) await recover("locked2", madeUp());
  const old = await site.invited("old2");
  await site.db
    .updateTable("auth_sessions")
    .set({ createdAt: new Date(Date.now() - 3_700_000).toISOString() })
    .where("userId", "in", (of) => of.selectFrom("auth_users").select("id").where("account", "=", "old2"))
    .execute();
  const gone = [spent, replaced, reset];
  let batches = 0;
  return {
    name: "recovery codes",
    kinds: [
      {
        name: "made up",
        attempts: 90,
        attempt: async (n) => isWrong(await recover((await somebody("guessed", n)).account, madeUp())),
      },
      {
        name: "of another person, changed or cut",
        attempts: 90,
        async attempt(n) {
          const { account, codes } = await somebody("swapped", n);
          const code = codes[n % 10]!;
          const other = code.at(-1) === "0" ? "z" : "0";
          const given = [
            mallory.codes[n % 10]!,
            `${code.slice(0, -1)}${other}`,
            code.slice(0, -1),
            `${code}0`,
            `${code} ${code}`,
            "",
            "%",
            "' OR '1'='1",
            codes.join("\n").slice(0, 99),
          ][n % 9]!;
          return isWrong(await recover(account, given));
        },
      },
      {
        name: "used, replaced, or of a sign-in that was reset",
        attempts: 27,
        async attempt(n) {
          const { account, codes } = gone[n % 3]!;
          return isWrong(await recover(account, codes[Math.floor(n / 3) % 10]!));
        },
      },
      {
        name: "right, from a page elsewhere",
        attempts: 81,
        async attempt(n) {
          const { account, codes } = await somebody("elsewhere2", n);
          return refusedWith(await recover(account, codes[n % 10]!, FOREIGN[n % FOREIGN.length]!), [403]);
        },
      },
      {
        name: "right, led to an address elsewhere",
        attempts: 45,
        async attempt(n) {
          const { account: name, codes } = await somebody("led", n);
          const oauth_query = [
            "//evil.example",
            "https://evil.example/",
            "client_id=x&redirect_uri=https://evil.example/",
            "/../..//evil.example",
            "x#@evil.example",
            "\r\nLocation: https://evil.example/",
            "",
          ][n % 7]!;
          const answer = await site.send(AT, origin, { name, code: codes[n % 9]!, oauth_query });
          if (answer.status !== 200) return `${answer.status} ${answer.body}`;
          const { origin: shown, pathname } = new URL(JSON.parse(answer.body).url, ORIGIN);
          return shown === ORIGIN && pathname === "/consent" ? null : `led to ${answer.body}`;
        },
      },
      {
        name: "right, in another body",
        attempts: 54,
        async attempt(n) {
          const { account: name, codes } = await somebody("shaped2", n);
          const code = codes[n % 10]!;
          const form = { ...origin, "content-type": "application/x-www-form-urlencoded" };
          const bodies = [
            () => site.send(AT, form, encoded({ name, code })),
            () => site.send(AT, origin, { name: [name], code }),
            () => site.send(AT, origin, { name, code: codes }),
            () => site.send(AT, origin, { name, code: { $ne: "" } }),
            () => site.send(AT, origin, { name, code, account: "owner" }),
            () => site.send(`${AT}?name=${name}&code=${code}`, origin, undefined, "GET"),
          ];
          return refusedWith(await bodies[n % bodies.length]!(), [400, 405, 415]);
        },
      },
      {
        name: "right, while locked out",
        attempts: 60,
        async attempt(n) {
          const { status } = await recover("locked2", locked.codes[n % 10]!);
          return status === 429 ? null : `${status}`;
        },
      },
      {
        name: "right, many times at once",
        attempts: 12,
        async attempt() {
          const { account, codes } = await somebodyNew(`raced${batches++}`);
          const answers = await Promise.all(Array.from({ length: 8 }, () => recover(account, codes[0]!)));
          const begun = answers.filter(({ status }) => status === 200).length;
          return begun === 1 ? null : `one code began ${begun} sessions`;
        },
      },
      {
        name: "made by another page, without a session, or with an old one",
        attempts: 66,
        async attempt(n) {
          const foreign = FOREIGN[n % FOREIGN.length]!;
          const answer = [
            () => site.send(MAKE, { ...foreign, cookie: mallory.cookie }, {}),
            () => site.post(MAKE, "", {}),
            () => site.post(MAKE, old.cookie, {}),
          ][n % 3]!();
          const { status, body } = await answer;
          if (status === 429) return LIMITED;
          return [401, 403].includes(status) && !body.includes('codes":[') ? null : `${status} ${body}`;
        },
      },
    ],
    async control() {
      const { account, codes } = await somebody("righteous", 0);
      const { status, body } = await recover(account.toUpperCase(), codes[0]!.toUpperCase());
      return status === 200 ? null : `a recovery code is answered with ${status}: ${body}`;
    },
  };
}
