import { z } from "zod";
import type { Party } from "../../domain/congress/congress.ts";
import type { Legislator, Roster, Term } from "../../domain/congress/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import type { Provider } from "../../domain/providers/provider.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";

const BASE_URL = "https://unitedstates.github.io";
const PATH = "/congress-legislators/legislators-current.json";
/** Both chambers have 535 seats, a few of them empty, and delegates besides. */
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
      /** Where somebody changed sides within the term. */
      party_affiliations: z.array(PartyPeriod).nullish(),
    }),
  ),
});

export interface LegislatorsSetup extends ProviderSetup {
  /** A roster of fewer is taken for a part of one; 400 unsaid. */
  readonly least?: number;
}

/**
 * Who sits in Congress, for which party and state: the public-domain roster of the project unitedstates, one call of about a
 * megabyte. The project publishes no limit for its pages; 10 calls an hour are far more than a roster wants.
 * @see https://github.com/unitedstates/congress-legislators
 */
export function legislators({ least = MIN_LEGISLATORS, ...setup }: LegislatorsSetup): Provider<null, Roster> {
  const wire = createHttpClient({ ...setup, baseUrl: setup.baseUrl ?? BASE_URL });
  return {
    name: "legislators",
    budget: { calls: 10, perMs: 3_600_000, atOnce: 1 },
    async call(_, { signal }) {
      const { body } = await wire.json(PATH, { signal });
      const read = z.array(z.unknown()).safeParse(body);
      if (!read.success) throw new ProviderFailure("malformed", "no list", { cause: read.error });
      const people = read.data.flatMap((row) => {
        const person = Person.safeParse(row);
        return person.success ? [legislatorOf(person.data)] : [];
      });
      if (people.length < least) throw new ProviderFailure("malformed", `fewer than ${least} legislators`);
      return { legislators: people };
    },
  };
}

function legislatorOf({ id, name, terms }: z.infer<typeof Person>): Legislator {
  const { first, last, nickname, official_full } = name;
  const firsts = [first, nickname, official_full?.split(" ")[0]].filter((one) => one != null && one !== "");
  return {
    id: id.bioguide,
    last,
    firsts: [...new Set(firsts as readonly string[])],
    terms: terms.flatMap(termsOf),
  };
}

/** A term, or its parts where somebody changed sides within it. */
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
