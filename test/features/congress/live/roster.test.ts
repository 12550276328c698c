import { describe, expect, it } from "vitest";
import type { Legislator } from "../../../../src/domain/congress/provider.ts";
import { createJoin } from "../../../../src/features/congress/live/roster.ts";
import { disclosure } from "../../../support/congress.ts";

const term = {
  chamber: "house" as const,
  start: "2025-01-03",
  end: "2027-01-03",
  state: "CA",
  party: "D" as const,
};
const person = (
  id: string,
  first: string,
  last: string,
  over: Partial<Legislator["terms"][number]> = {},
): Legislator => ({
  id,
  last,
  firsts: [first],
  terms: [{ ...term, ...over }],
});
const filed = (member: string, over = {}) =>
  disclosure({ member, member_id: null, party: null, state: "CA", ...over });
const join = createJoin({
  legislators: [
    person("A000001", "Alpha", "Sample"),
    person("A000002", "Beta", "Sample", { party: "R" }),
    person("A000003", "Gamma", "Sample", { state: "TX", party: "I" }),
    person("B000001", "Delta", "Sample Testname", { state: "TX" }),
    person("B000002", "Epsilón", "Exámple", { chamber: "senate", state: "NY" }),
    person("B000003", "Zeta", "Former", { start: "2023-01-03", end: "2025-01-03" }),
  ],
});
const idOf = (member: string, over = {}) => join(filed(member, over)).member_id;

describe("the member who filed a disclosure", () => {
  it("is found by name in that chamber and state, with party", () => {
    expect(join(filed("Hon. Alpha Q. Sample Jr."))).toMatchObject({ member_id: "A000001", party: "D" });
    expect(join(filed("Beta Sample"))).toMatchObject({ member_id: "A000002", party: "R" });
    expect(idOf("Sample, Beta")).toBe("A000002");
    expect(idOf("B. Sample")).toBe("A000002");
    expect(idOf("G Sample", { state: "TX" })).toBe("A000003");
  });

  it("is found by two family names, with or without accents and hyphens", () => {
    expect(idOf("Delta Sample-Testname", { state: "TX" })).toBe("B000001");
    expect(join(filed("EPSILON EXAMPLE", { chamber: "senate", state: null }))).toMatchObject({
      member_id: "B000002",
      state: "NY",
    });
  });

  it("is null for an ambiguous name, with the reason once", () => {
    const unknown = join(filed("X. Sample"));
    expect(unknown).toMatchObject({
      member_id: null,
      party: null,
      missing: "member_id, party: no member of this name in the roster",
    });
    expect(join(unknown)).toEqual(unknown);
    expect(idOf("Alpha Sample", { state: "NY" })).toBeNull();
    expect(idOf("Alpha Sample", { chamber: "senate" })).toBeNull();
    expect(idOf("Alpha Sampleson")).toBeNull();
    expect(idOf("")).toBeNull();
  });

  it("must hold office at the trade, and may file some time after leaving", () => {
    expect(idOf("Zeta Former", { transaction_date: "2024-12-01", filing_date: "2025-01-20" })).toBe(
      "B000003",
    );
    expect(idOf("Zeta Former", { transaction_date: "2025-06-01", filing_date: "2025-07-01" })).toBeNull();
    expect(idOf("Alpha Sample", { transaction_date: "2024-12-01", filing_date: "2024-12-20" })).toBeNull();
  });

  it("keeps a party from the provider", () => {
    expect(join(filed("Nobody Known", { party: "R" }))).toMatchObject({ party: "R", missing: null });
  });
});
