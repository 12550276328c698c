import { z } from "zod";
import type { Party } from "../../domain/congress/congress.ts";
import type { Legislator, Roster, Term } from "../../domain/congress/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import type { Provider } from "../../domain/providers/provider.ts";
import { createApi } from "../shared/api.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { readRows } from "../shared/rows.ts";

const PATH = "/congress-legislators/legislators-current.json";
/** Minimum size of a complete roster. Congress has 535 members minus vacancies, plus delegates. */
const MIN_LEGISLATORS = 400;
const CHAMBERS = { rep: "house", sen: "senate" } as const;
const PARTIES: Readonly<Record<string, Party>> = { Democrat: "D", Republican: "R", Independent: "I" };

const Day = z.string().regex(/^\d{4}-\d\d-\d\d$/);
const PartyPeriod = z.object({ start: Day, end: Day, party: z.string().nullish() });
const Person = z.object({
  id: z.object({ bioguide: z.string().regex(/^[A-Z]\d{6}$/) }),
  name: z.object({
    first: z.string(),
    last: z.string(),
    nickname: z.string().nullish(),
    official_full: z.string().nullish(),
  }),
  terms: z.array(
    PartyPeriod.extend({
      type: z.enum(["rep", "sen"]),
      state: z.string().regex(/^[A-Z]{2}$/),
      /** Present only if the person changed parties within the term. */
      party_affiliations: z.array(PartyPeriod).nullish(),
    }),
  ),
});

export interface LegislatorsSetup extends ProviderSetup {
  /** Minimum size of a roster; a shorter one counts as incomplete. Default: 400. */
  readonly minLegislators?: number;
}

/**
 * Creates the provider of the members of Congress with party and state: the public-domain roster of the project
 * unitedstates, one call of about a megabyte. No limit is published; at most 10 calls an hour are made, far more than
 * needed.
 * @see https://github.com/unitedstates/congress-legislators
 */
export function legislators({
  minLegislators = MIN_LEGISLATORS,
  ...setup
}: LegislatorsSetup): Provider<null, Roster> {
  const get = createApi(setup, { baseUrl: "https://unitedstates.github.io" });
  return {
    name: "legislators",
    budget: { calls: 10, perMs: 3_600_000, atOnce: 1 },
    async call(_, { signal }) {
      const people = await readRows(Person, await get(PATH, z.array(z.unknown()), { signal }));
      if (people.length < minLegislators)
        throw new ProviderFailure("malformed", `fewer than ${minLegislators} legislators`);
      return { legislators: people.map(legislatorOf) };
    },
  };
}

function legislatorOf({ id, name, terms }: z.infer<typeof Person>): Legislator {
  const { first, last, nickname, official_full } = name;
  const firsts = [first, nickname, official_full?.split(" ")[0]].filter(
    (given) => given != null && given !== "",
  );
  return {
    id: id.bioguide,
    last,
    firsts: [...new Set(firsts as readonly string[])],
    terms: terms.flatMap(termsOf),
  };
}

/** Returns the parts of a term, split where the person changed parties. */
function termsOf({
  type,
  state,
  start,
  end,
  party,
  party_affiliations,
}: z.infer<typeof Person>["terms"][number]): readonly Term[] {
  const parts = party_affiliations ?? [];
  return (parts.length === 0 ? [{ start, end, party }] : parts).map((part) => ({
    chamber: CHAMBERS[type],
    start: part.start,
    end: part.end,
    state,
    party: PARTIES[part.party ?? ""] ?? null,
  }));
}
