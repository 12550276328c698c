import type { Disclosure } from "../../../domain/congress/congress.ts";
import type { Roster } from "../../../domain/congress/provider.ts";
import { dayAfter } from "../../../lib/day-after.ts";

/** Adds member and party to a disclosure; returns it unchanged if no member, or more than one, matches. */
export type Join = (trade: Disclosure) => Disclosure;

/** Days after leaving office in which a member may still file. */
const GRACE_DAYS = 60;
const TITLES = /^(?:hon|mr|mrs|ms|dr|rep|representative|sen|senator)$/;
const SUFFIXES = /^(?:jr|sr|ii|iii|iv|v|md|phd|dds|facs)$/;

/**
 * Creates the function that joins disclosures to members of a roster: by chamber, by state if known, by the family name
 * at the end of the filed name, by the term of office at the time of the trade, and by given name if several members
 * are left.
 */
export function createJoin({ legislators }: Roster): Join {
  const people = legislators.map((person) => ({
    ...person,
    family: nameParts(person.last),
    given: person.firsts.map((first) => nameParts(first)[0] ?? ""),
  }));
  return (trade) => {
    const on = trade.transaction_date ?? trade.filing_date;
    const words = nameParts(trade.member);
    const sitting = people.flatMap((person) => {
      const term = person.terms.find(
        ({ chamber, state, start, end }) =>
          chamber === trade.chamber &&
          (trade.state === null || trade.state === state) &&
          start <= trade.filing_date &&
          on <= dayAfter(end, GRACE_DAYS),
      );
      return term !== undefined && endsWith(words, person.family) ? [{ person, term }] : [];
    });
    const [first = ""] = words;
    const by = (near: (given: string) => boolean) =>
      sitting.filter(({ person }) => person.given.some((given) => given !== "" && near(given)));
    const found = [sitting, by((given) => given === first), by((given) => given[0] === first[0])].find(
      (one) => one.length === 1,
    )?.[0];
    if (found === undefined) return withoutParty(trade, NO_MATCH);
    const { person, term } = found;
    const missing = parts(trade.missing?.replace(PART, ""), term.party === null && "party: not D, R or I");
    return { ...trade, member_id: person.id, party: term.party, state: trade.state ?? term.state, missing };
  };
}

/** Join used without a roster: disclosures stay unmatched. */
export const unjoined: Join = (trade) => withoutParty(trade, "the roster of members is unavailable");

const NO_MATCH = "no member of this name in the roster";
const PART = /(?:; )?member_id, party: [^;]*/;

/** Adds the reason for a missing party; keeps a party that the provider supplied. */
function withoutParty(trade: Disclosure, why: string): Disclosure {
  return trade.party !== null
    ? trade
    : { ...trade, missing: parts(trade.missing?.replace(PART, ""), `member_id, party: ${why}`) };
}

const parts = (...all: readonly (string | false | undefined)[]): string | null =>
  all
    .filter((part) => part)
    .join("; ")
    .replace(/^; /, "") || null;

/** Returns the words of a name without titles, degrees and accents; `Family, Given` becomes `Given Family`. */
function nameParts(name: string): readonly string[] {
  const [family, given, ...rest] = name.split(",");
  const turned =
    given === undefined || rest.length > 0 || SUFFIXES.test(plain(given)) ? name : `${given} ${family}`;
  return turned
    .split(/[\s,]+/)
    .flatMap((word) => word.split("-"))
    .map(plain)
    .filter((word) => word !== "" && !TITLES.test(word) && !SUFFIXES.test(word));
}

const plain = (word: string): string =>
  word
    .normalize("NFD")
    .replace(/[^A-Za-z]/g, "")
    .toLowerCase();

const endsWith = (words: readonly string[], family: readonly string[]): boolean =>
  family.length > 0 && family.every((word, i) => words[words.length - family.length + i] === word);
