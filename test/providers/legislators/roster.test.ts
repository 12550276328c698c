import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Roster } from "../../../src/domain/congress/provider.ts";
import { createJoin } from "../../../src/features/congress/live/roster.ts";
import { legislators } from "../../../src/providers/legislators/roster.ts";
import { disclosure } from "../../support/congress.ts";
import { parseCsv, rosterOfYaml } from "../../support/roster-yaml.ts";
import { describeWithData } from "../../support/test-data.ts";
import { signal } from "../requests.ts";

const respondWith =
  (body: unknown, status = 200): typeof fetch =>
  async () =>
    new Response(typeof body === "string" ? body : JSON.stringify(body), { status });
const ask = (body: unknown, minLegislators = 1) =>
  legislators({ fetch: respondWith(body), minLegislators }).call(null, { signal });

const sitting = {
  id: { bioguide: "S000001", thomas: "1" },
  name: { first: "Alpha", last: "Sample", nickname: "Al", official_full: "Alpha Q. Sample" },
  bio: { gender: "F" },
  terms: [
    { type: "rep", start: "2019-01-03", end: "2021-01-03", state: "CA", district: 1, party: "Democrat" },
    {
      type: "sen",
      start: "2021-01-03",
      end: "2027-01-03",
      state: "CA",
      class: 1,
      party: "Independent",
      party_affiliations: [
        { start: "2021-01-03", end: "2022-12-09", party: "Democrat" },
        { start: "2022-12-09", end: "2027-01-03", party: "Independent" },
      ],
    },
  ],
};

describe("the roster of Congress", () => {
  it("returns people with their terms and changes of party", async () => {
    expect(await ask([sitting])).toEqual({
      legislators: [
        {
          id: "S000001",
          last: "Sample",
          firsts: ["Alpha", "Al"],
          terms: [
            { chamber: "house", start: "2019-01-03", end: "2021-01-03", state: "CA", party: "D" },
            { chamber: "senate", start: "2021-01-03", end: "2022-12-09", state: "CA", party: "D" },
            { chamber: "senate", start: "2022-12-09", end: "2027-01-03", state: "CA", party: "I" },
          ],
        },
      ],
    });
  });

  it("drops unreadable rows and rejects an incomplete roster", async () => {
    const { legislators: people } = await ask([sitting, { id: { bioguide: "x" } }, null]);
    expect(people).toHaveLength(1);
    await expect(ask([sitting], 2)).rejects.toMatchObject({ kind: "malformed" });
    await expect(ask([])).rejects.toMatchObject({ kind: "malformed" });
  });

  it.each([
    ["{}", 200, "malformed"],
    ["<html>", 200, "blocked"],
    ["", 404, "malformed"],
    ["", 429, "rate_limited"],
    ["", 503, "down"],
  ])("fails on %j with status %i", async (body, status, kind) => {
    await expect(
      legislators({ fetch: respondWith(body, status) }).call(null, { signal }),
    ).rejects.toMatchObject({ name: "ProviderFailure", kind });
  });
});

describeWithData("joining as recorded", ["fixtures", "congress"], (dir) => {
  const roster: Roster = rosterOfYaml(
    readFileSync(join(dir, "legislators", "legislators-current.yaml"), "utf8"),
  );
  const joined = createJoin(roster);

  it("reads a roster of both chambers", () => {
    expect(roster.legislators.length).toBeGreaterThan(500);
  });

  it.each([
    ["house", 399, 0],
    // One member had left by the date of the roster.
    ["senate", 399, 75],
  ] as const)("finds the same members as another program: %s", (chamber, count, left) => {
    const rows = parseCsv(readFileSync(join(dir, chamber, `2026_${chamber}_parsed_first400.csv`), "utf8"));
    expect(rows).toHaveLength(count);
    const outcome = { same: 0, none: 0, other: 0, party: 0 };
    for (const row of rows) {
      const trade = joined(
        disclosure({
          chamber,
          member: row.declarant_name!,
          member_id: null,
          party: null,
          state: row.state_district!.slice(0, 2),
          transaction_date: row.transaction_date! <= row.disclosure_date! ? row.transaction_date! : null,
          filing_date: row.disclosure_date!,
        }),
      );
      if (trade.member_id === row.bioguide_id) outcome.same++;
      else outcome[trade.member_id === null ? "none" : "other"]++;
      if (trade.party === row.party![0]) outcome.party++;
    }
    expect(outcome).toEqual({ same: count - left, none: left, other: 0, party: count - left });
  });
});
