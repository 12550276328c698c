import { describe, expect, it } from "vitest";
import { SetupError } from "../../../src/lib/setup-error.ts";
import { embeddedListings } from "../../../src/market/symbols/listings.ts";
import { readMemberships } from "../../../src/providers/files/memberships.ts";
import { openFiles } from "../../../src/providers/files/open.ts";
import { stoppedClock } from "../../support/context.ts";
import { csvFolder } from "../../support/csv-folder.ts";

const HEADER = "list,symbol,from,to\n";
const day = (text: string) => Date.parse(text);
const read = (text: string) => readMemberships(text, embeddedListings());
const BARS = `date,open,high,low,close,volume
2020-08-27,500,510,490,500,100
2020-08-28,504,508,496,500,200
`;

describe("memberships.csv", () => {
  it("lists the members of each list over time, in any order and spelling", () => {
    const lists = read(
      `List, Symbol, From, To\r\nTop 2,brk-b,2012-03-01,2015-06-30\r\n\r\ntop 2,BRK.B,2001-01-02,2010-12-31\r\n"Top 2",TWTR,2013-11-07,\r\nother,AAPL,1982-11-30\r\n`,
    );
    expect([...lists.keys()]).toEqual(["TOP 2", "OTHER"]);
    const top = lists.get("TOP 2")!;
    expect(top.name).toBe("Top 2");
    expect([...top.members]).toEqual([
      [
        "BRK.B",
        [
          { from: day("2001-01-02"), to: day("2010-12-31") },
          { from: day("2012-03-01"), to: day("2015-06-30") },
        ],
      ],
      ["TWTR", [{ from: day("2013-11-07"), to: Number.POSITIVE_INFINITY }]],
    ]);
    expect(lists.get("OTHER")!.members.get("AAPL")).toEqual([
      { from: day("1982-11-30"), to: Number.POSITIVE_INFINITY },
    ]);
  });

  it("is no file of bars, and changes the content of the market", async () => {
    const folder = { "AAPL.csv": BARS };
    const clock = stoppedClock();
    const plain = await openFiles({ dir: csvFolder(folder), clock });
    const named = await openFiles({
      dir: csvFolder({ ...folder, "memberships.csv": `${HEADER}x,AAPL,2020-01-02,\n` }),
      clock,
    });
    expect([plain.memberships.size, named.memberships.size]).toEqual([0, 1]);
    expect(named.report().skipped).toEqual([]);
    expect(named.contentId).not.toBe(plain.contentId);
  });

  it.each([
    ["x,AAPL,2020-01-02,", 'line 1: "x,AAPL,2020-01-02," is not the header list,symbol,from,to'],
    [`${HEADER}x,AAPL,,`, 'line 2: "x,AAPL,," is not a membership such as SP500,AAPL,1982-11-30,'],
    [`${HEADER},AAPL,2020-01-02,`, "line 2: "],
    [`${HEADER}x,,2020-01-02,`, "line 2: "],
    [`${HEADER}x,AAPL,2020-02-30,`, "line 2: "],
    [`${HEADER}x,AAPL,01/02/2020,`, "line 2: "],
    [`${HEADER}x,AAPL,2020-01-02,today`, "line 2: "],
    [`${HEADER}x,AAPL,2020-01-02,2021-01-04,4:1`, "line 2: "],
    [`${HEADER}${"x".repeat(41)},AAPL,2020-01-02,`, "line 2: "],
    [
      `${HEADER}\nx,AAPL,2020-01-02,2020-01-01`,
      'line 3: "x,AAPL,2020-01-02,2020-01-01" ends before it begins',
    ],
    [
      `${HEADER}x,AAPL,2020-01-02,2021-01-04\nX,aapl,2021-01-04,`,
      'line 3: "X,aapl,2021-01-04," overlaps another membership of AAPL in this list',
    ],
    [`${HEADER}x,AAPL,2020-01-02,\nx,AAPL,2019-01-02,2020-06-01`, "line 3: "],
  ])("is refused for %j", (text, reason) => {
    expect(() => read(text)).toThrow(SetupError);
    expect(() => read(text)).toThrow(`memberships.csv, ${reason}`);
  });
});
