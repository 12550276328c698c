import { describe, expect, it } from "vitest";
import { csvOf } from "../../src/dashboard/pages/screener/csv.ts";
import { inputOf, queryOf, screenOf, toggled } from "../../src/dashboard/pages/screener/screen-query.ts";
import { beforeNewestClose, verdictsBefore } from "../../src/dashboard/pages/today/use-verdicts.ts";
import type { ScreenRow } from "../../src/dashboard/views/screener/table-row.ts";

const ROW = {
  symbol: "XYZ",
  name: 'Acme, "Big" Co',
  asset_class: "equity",
  sector: "=1+1",
  tier: "HOT",
  bias: "LONG",
  overallScore: 93.2,
  grade: "A+",
  close: 10.5,
  change_percent: -1.25,
  volume: null,
  actionCard: { entry: 10, stop: 9, target: 12, rr: 2, levels_basis: "signal" },
  stage: 2,
  phase: "Markup",
  wave: null,
  as_of: "2026-11-27T21:00:00.000Z",
  source: "sample",
} as unknown as ScreenRow;

describe("the screener", () => {
  it("writes rows as CSV, without formulas", () => {
    expect(csvOf([ROW]).split("\r\n")).toEqual([
      "symbol,name,asset_class,sector,tier,bias,grade,score,close,change_percent,volume,entry,stop,target,reward_to_risk,levels_basis,stage,wyckoff,elliott,as_of,source",
      'XYZ,"Acme, ""Big"" Co",equity,\'=1+1,HOT,LONG,A+,93.2,10.5,-1.25,,10,9,12,2,signal,2,Markup,,2026-11-27T21:00:00.000Z,sample',
      "",
    ]);
  });

  it("keeps a screen in the address of the page", () => {
    const query = "bias=LONG%7CSHORT&stage=2&rules=rsi%2814%29+%3C+30&sort=change_percent&order=asc";
    const screen = screenOf(new URLSearchParams(query));
    expect(queryOf(screen)).toBe(query);
    expect(inputOf(screen)).toEqual({
      bias: ["LONG", "SHORT"],
      stage: [2],
      rules: "rsi(14) < 30",
      sort: "change_percent",
      order: "asc",
    });
    expect(queryOf(screenOf(new URLSearchParams()))).toBe("");
  });

  it("adds a value to a filter and takes it away", () => {
    const screen = screenOf(new URLSearchParams("bias=LONG"));
    expect(toggled(screen, "bias", "SHORT").filters.bias).toEqual(["LONG", "SHORT"]);
    expect(toggled(screen, "bias", "LONG").filters.bias).toEqual([]);
  });
});

describe("the signal before the newest close", () => {
  it("is that of the oldest close among the rows", () => {
    expect(beforeNewestClose([])).toBeNull();
    expect(
      beforeNewestClose([{ as_of: "2026-11-28T00:00:00.000Z" }, { as_of: "2026-11-27T21:00:00.000Z" }]),
    ).toBe("2026-11-27T20:59:00.000Z");
  });

  it("is that before the first change, else the recomputed one", () => {
    const verdict = (grade: string) => ({ direction: "WAIT", grade, score: 50 });
    const answer = {
      changes: [
        { symbol: "A", before: verdict("C") },
        { symbol: "A", before: verdict("B") },
      ],
      compared: [
        { symbol: "B", before: { ...verdict("D"), decided_at: "2026-11-26T21:00:00.000Z" } },
        { symbol: "E", before: null },
      ],
    };
    expect([...verdictsBefore(answer as unknown as Parameters<typeof verdictsBefore>[0])]).toEqual([
      ["B", { ...verdict("D"), decided_at: "2026-11-26T21:00:00.000Z" }],
      ["A", { ...verdict("C"), decided_at: null }],
    ]);
  });
});
