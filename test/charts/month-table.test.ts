import { describe, expect, it } from "vitest";
import { monthTable } from "../../src/charts/month-table.ts";

const cellsOf = (html: string) => [...html.matchAll(/<td[^>]*>(?:<b>)?([^<]*)/g)].map(([, text]) => text!);

describe("the monthly return table", () => {
  it("has a row per year with the compounded return of its months", () => {
    const html = monthTable([
      { month: "2025-12", return_pct: 10 },
      { month: "2026-01", return_pct: 10 },
      { month: "2026-02", return_pct: -50 },
    ]);
    // 1.1 * .5 = .55
    expect(cellsOf(html)).toEqual([
      ...["2025", ...Array<string>(11).fill(""), "+10.0", "+10.0"],
      ...["2026", "+10.0", "-50.0", ...Array<string>(10).fill(""), "-45.0"],
    ]);
  });

  it("scales colour intensity to the strongest month, between 2% and 15%", () => {
    const colours = (...percents: number[]) =>
      [
        ...monthTable(percents.map((return_pct, i) => ({ month: `2026-0${i + 1}`, return_pct }))).matchAll(
          /rgba\(([^)]*)\)/g,
        ),
      ].map(([, colour]) => colour);
    // opacity .06 + .5 times the ratio to that maximum
    expect(colours(30, -7.5)).toEqual(["0,150,136,0.56", "211,47,47,0.31"]);
    expect(colours(1)).toEqual(["0,150,136,0.31"]);
  });

  it("shows no sign for zero", () => {
    expect(cellsOf(monthTable([{ month: "2026-01", return_pct: -0.01 }]))[1]).toBe("0.0");
    expect(cellsOf(monthTable([{ month: "2026-01", return_pct: 0.01 }]))[1]).toBe("0.0");
  });
});
