import { startIssuer, type TestIssuer } from "../support/issuer.ts";
import type { Proof } from "./proof.ts";
import { administration } from "./sign-in/administration.ts";
import { codes } from "./sign-in/codes.ts";
import { confirmations } from "./sign-in/confirmations.ts";
import { consents } from "./sign-in/consents.ts";
import { endpoints } from "./sign-in/endpoints.ts";
import { identities } from "./sign-in/identities.ts";
import { invitations } from "./sign-in/invitations.ts";
import { issuerTokens } from "./sign-in/issuer-tokens.ts";
import { type Group, type Kind, LIMITED } from "./sign-in/kinds.ts";
import { links } from "./sign-in/links.ts";
import { mixUp } from "./sign-in/mix-up.ts";
import { passwords } from "./sign-in/passwords.ts";
import { recovery } from "./sign-in/recovery.ts";
import { redirects } from "./sign-in/redirects.ts";
import { registrations } from "./sign-in/registrations.ts";
import { sessions } from "./sign-in/sessions.ts";
import { openSignInSite, type SignInSite } from "./sign-in/site.ts";
import { tokens } from "./sign-in/tokens.ts";

const GROUPS: readonly ((site: SignInSite, issuer: TestIssuer) => Promise<Group>)[] = [
  links,
  passwords,
  recovery,
  sessions,
  administration,
  invitations,
  tokens,
  codes,
  redirects,
  consents,
  mixUp,
  registrations,
  identities,
  issuerTokens,
  confirmations,
  endpoints,
];
/** Attempts of a kind in a quick run, per one of a full run. */
const QUICK_SHARE = 1 / 20;
/** Attempts that are under way at once. */
const AT_ONCE = 6;

/** Tries to get in, in every way of which the list of kinds knows. */
export const signIn: Proof = {
  name: "sign-in",
  claim:
    "Nobody gets in by a link, a password, a recovery code, a session, a token, a code, an address, a consent or an identity that is not theirs, and no agent confirms what it asked for",

  async run({ scale, report }) {
    const issuer = await startIssuer();
    const site = await openSignInSite(issuer.settings);
    const broken: string[] = [];
    const count = { attempts: 0, kinds: 0, limited: 0 };
    try {
      for (const open of GROUPS) {
        const group = await open(site, issuer);
        const counts: string[] = [];
        for (const kind of group.kinds) {
          const attempts = scale === "full" ? kind.attempts : Math.ceil(kind.attempts * QUICK_SHARE);
          const limited = await tryKind(group, kind, attempts, broken);
          counts.push(`${kind.name} ${attempts}${limited > 0 ? ` (${limited} at a limit)` : ""}`);
          count.attempts += attempts;
          count.limited += limited;
          count.kinds++;
        }
        const wrong = await group.control();
        if (wrong !== null) broken.push(`${group.name}, the right one: ${wrong}`);
        broken.push(...((await group.close?.()) ?? []));
        report(`${group.name}: ${counts.join(", ")}`);
      }
      broken.push(...site.errors);
      return {
        figure: `${count.attempts} attempts of ${count.kinds} kinds, ${count.limited} of them refused at a limit, the others on their merits: ${broken.length} got in`,
        broken,
      };
    } finally {
      await site.stop();
      issuer.close();
    }
  },
};

/** Makes the attempts of a kind. Returns how many met a limit. */
async function tryKind(
  { name }: Group,
  { name: kind, attempt }: Kind,
  attempts: number,
  broken: string[],
): Promise<number> {
  let [next, limited] = [0, 0];
  const work = async () => {
    while (next < attempts) {
      const n = next++;
      const got = await attempt(n).catch((cause: unknown) => `the attempt failed: ${(cause as Error).stack}`);
      if (got === LIMITED) limited++;
      else if (got !== null) broken.push(`${name}, ${kind} (${n}): ${got}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return limited;
}
