import { describe, expect, it } from "vitest";
import { csvCells } from "../../src/lib/csv-line.ts";

describe("csvCells", () => {
  it.each([
    ["a, b ,,c", ",", ["a", "b", "", "c"]],
    ["a;b,c", ";", ["a", "b,c"]],
    ["a\t\tb", "\t", ["a", "", "b"]],
    ['"30,002" ,"say ""so""",x', ",", ["30,002", 'say "so"', "x"]],
    ['5" pipe,10', ",", ['5" pipe', "10"]],
    ["", ",", [""]],
  ])("splits %j at %j", (line, separator, cells) => {
    expect(csvCells(line, separator)).toEqual(cells);
  });

  it.each(['"a,b', '"a"b,c'])("returns null for the unbalanced quotes of %j", (line) => {
    expect(csvCells(line, ",")).toBeNull();
  });
});
