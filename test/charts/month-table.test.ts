import { describe, expect, it } from "vitest";
import { monthTable } from "../../src/charts/month-table.ts";

const cellsOf = (html: string) => [...html.matchAll(/<td[^>]*>(?:<b>)?([^<]*)/g)].map(([, text]) => text!);

describe("the table of months", () => {
  it("has a row for each year, and what its months came to one after the other", () => {
    const html = monthTable([
      { year: 2025, month: 12, percent: 10 },
      { year: 2026, month: 1, percent: 10 },
      { year: 2026, month: 2, percent: -50 },
    ]);
    // 1.1 * .5 = .55
    expect(cellsOf(html)).toEqual([
      ...["2025", ...Array<string>(11).fill(""), "+10.0", "+10.0"],
      ...["2026", "+10.0", "-50.0", ...Array<string>(10).fill(""), "-45.0"],
    ]);
  });

  it("colours by size up to 15%, and by nothing less than 2%", () => {
    const colours = (...percents: number[]) =>
      [
        ...monthTable(percents.map((percent, i) => ({ year: 2026, month: i + 1, percent }))).matchAll(
          /rgba\(([^)]*)\)/g,
        ),
      ].map(([, colour]) => colour);
    // .06 + .5 times the share of the strongest
    expect(colours(30, -7.5)).toEqual(["0,150,136,0.56", "211,47,47,0.31"]);
    expect(colours(1)).toEqual(["0,150,136,0.31"]);
  });

  it("knows no year of which a month is not known", () => {
    const html = monthTable([
      { year: 2026, month: 1, percent: 1 },
      { year: 2026, month: 2, percent: null },
    ]);
    expect(cellsOf(html).filter((text) => text === "n/a")).toHaveLength(2);
  });

  it("gives no sign to nothing", () => {
    expect(cellsOf(monthTable([{ year: 2026, month: 1, percent: -0.01 }]))[1]).toBe("0.0");
    expect(cellsOf(monthTable([{ year: 2026, month: 1, percent: 0.01 }]))[1]).toBe("0.0");
  });
});
