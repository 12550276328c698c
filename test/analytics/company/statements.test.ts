import { describe, expect, it } from "vitest";
import { filedBy, type Period, periodsOf } from "../../../src/analytics/company/statements.ts";
import type { LineName } from "../../../src/domain/company/facts.ts";
import { filedFact } from "../../support/company.ts";

const valueIn = (periods: readonly Period[], end: string, line: LineName) =>
  periods.find((period) => period.end === end)?.facts.get(line);

describe("facts filed by a time", () => {
  it("are known from 17:30 New York on the day of the filing", () => {
    const facts = [filedFact("revenue", 1)];
    expect(filedBy(facts, Date.parse("2025-05-01T21:29:59Z"))).toEqual([]);
    expect(filedBy(facts, Date.parse("2025-05-01T21:30:00Z"))).toEqual(facts);
    const winter = [filedFact("revenue", 1, { filed: "2025-02-03" })];
    expect(filedBy(winter, Date.parse("2025-02-03T22:29:59Z"))).toEqual([]);
    expect(filedBy(winter, Date.parse("2025-02-03T22:30:00Z"))).toEqual(winter);
  });
});

describe("periods", () => {
  it("are quarters, newest first, with the balance of their last day", () => {
    const periods = periodsOf(
      [
        filedFact("revenue", 10),
        filedFact("assets", 99, { start: null }),
        filedFact("assets", 50, { start: null, end: "2025-01-31" }),
        filedFact("revenue", 12, { start: "2025-04-01", end: "2025-06-30" }),
      ],
      "quarterly",
    );
    expect(periods.map(({ start, end }) => [start, end])).toEqual([
      ["2025-04-01", "2025-06-30"],
      ["2025-01-01", "2025-03-31"],
    ]);
    expect(valueIn(periods, "2025-03-31", "assets")).toMatchObject({ value: 99, derived: false });
    expect(valueIn(periods, "2025-06-30", "assets")).toBeUndefined();
  });

  it("have figures as last filed, under the preferred tag", () => {
    const later = { filed: "2026-05-01", accession: "0000000001-26-000001" };
    const periods = periodsOf(
      [
        filedFact("revenue", 10),
        filedFact("revenue", 11, later),
        filedFact("revenue", 77, { ...later, rank: 1, tag: "Other" }),
        filedFact("net_income", 2, { rank: 1, tag: "Other" }),
      ],
      "quarterly",
    );
    expect(valueIn(periods, "2025-03-31", "revenue")).toMatchObject({ value: 11, ...later });
    expect(valueIn(periods, "2025-03-31", "net_income")).toMatchObject({ value: 2, tag: "Other" });
  });

  it("derive a quarter from the figures since the start of the year, but not per share", () => {
    const half = { end: "2025-06-30", filed: "2025-08-01", accession: "0000000001-25-000002" };
    const nine = { end: "2025-09-30", filed: "2025-11-01" };
    const year = { end: "2025-12-31", filed: "2026-02-01", form: "10-K" };
    const facts = [
      filedFact("operating_cash_flow", 10),
      filedFact("operating_cash_flow", 25, half),
      filedFact("operating_cash_flow", 45, nine),
      filedFact("operating_cash_flow", 70, year),
      filedFact("eps_diluted", 1),
      filedFact("eps_diluted", 3, half),
      filedFact("revenue", 5),
      filedFact("revenue", 4, { ...half, start: "2025-04-01" }),
      filedFact("revenue", 99, { ...half, tag: "Other" }),
    ];
    const periods = periodsOf(facts, "quarterly");
    expect(periods.map(({ start, end }) => `${start} ${end}`)).toEqual([
      "2025-10-01 2025-12-31",
      "2025-07-01 2025-09-30",
      "2025-04-01 2025-06-30",
      "2025-01-01 2025-03-31",
    ]);
    const flows = periods.map(({ facts: own }) => own.get("operating_cash_flow"));
    expect(flows.map((fact) => [fact?.value, fact?.derived])).toEqual([
      [25, true],
      [20, true],
      [15, true],
      [10, false],
    ]);
    expect(flows[2]).toMatchObject({ accession: "0000000001-25-000002" });
    expect(valueIn(periods, "2025-06-30", "eps_diluted")).toBeUndefined();
    expect(valueIn(periods, "2025-06-30", "revenue")).toMatchObject({ value: 4, derived: false });
    expect(periodsOf(facts, "annual").map(({ end, facts: own }) => [end, own.size])).toEqual([
      ["2025-12-31", 1],
    ]);
  });
});
