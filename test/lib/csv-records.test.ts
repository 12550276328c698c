import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvRecords, linesOf } from "../../src/lib/csv-records.ts";

const read = (text: string, separator = ",") =>
  csvRecords(linesOf(text), separator).map(({ line, cells }) => [line, cells]);

describe("csvRecords", () => {
  it.each([
    ["a, b ,,c", ",", ["a", "b", "", "c"]],
    ["a;b,c", ";", ["a", "b,c"]],
    ["a\t\tb", "\t", ["a", "", "b"]],
    ['"30,002" ,"say ""so""",x', ",", ["30,002", 'say "so"', "x"]],
    ['5" pipe,10', ",", ['5" pipe', "10"]],
    ["", ",", [""]],
  ])("splits %j at %j", (line, separator, cells) => {
    expect(read(line, separator)).toEqual([[1, cells]]);
  });

  it("reads line ends within quotes, and keeps the number of the first line", () => {
    expect(read('\ufeffa,b\r\n"x\r\n\r\ny",2\rc,d\n')).toEqual([
      [1, ["a", "b"]],
      [2, ["x\n\ny", "2"]],
      [5, ["c", "d"]],
      [6, [""]],
    ]);
  });

  it("gives no cells for a line with unbalanced quotes, and reads on below it", () => {
    expect(read('a,1\n"b"c,2\nd,3\n"e,4\nf,5\n"g\nh",6')).toEqual([
      [1, ["a", "1"]],
      [2, null],
      [3, ["d", "3"]],
      [4, null],
      [5, ["f", "5"]],
      [6, ["g\nh", "6"]],
    ]);
  });

  it("reads line by line after four unreadable lines", () => {
    const lines = Array.from({ length: 6 }, () => '"b"c,2');
    expect(read([...lines, '"d",3', '"e', 'f",4'].join("\n"))).toEqual([
      ...lines.map((_, i) => [i + 1, null]),
      [7, ["d", "3"]],
      [8, null],
      [9, ['f"', "4"]],
    ]);
  });

  it("reads the text of a formula, as Excel quotes numbers", () => {
    expect(csvRecords(['="007",5', '"=""A""",=1+1'], ",").map(({ cells }) => cells)).toEqual([
      ["007", "5"],
      ["A", "=1+1"],
    ]);
  });

  it("gives every line of any text to exactly one record", () => {
    const text = fc.string({ unit: fc.constantFrom('"', ",", "\n", "\r", "a", " ", "1"), maxLength: 80 });
    fc.assert(
      fc.property(text, (sent) => {
        const lines = linesOf(sent);
        const records = csvRecords(lines, ",");
        expect(records.flatMap((record) => record.text.split("\n"))).toEqual(lines);
        expect(records.map(({ line }) => line)).toEqual(
          records.map((_, i) => 1 + records.slice(0, i).flatMap((one) => one.text.split("\n")).length),
        );
      }),
      { numRuns: 500 },
    );
  });
});
