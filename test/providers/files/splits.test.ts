import { describe, expect, it } from "vitest";
import { SetupError } from "../../../src/lib/setup-error.ts";
import { embeddedListings } from "../../../src/market/symbols/listings.ts";
import { openFiles } from "../../../src/providers/files/open.ts";
import { readSplits } from "../../../src/providers/files/splits.ts";
import { stoppedClock } from "../../support/context.ts";
import { csvFolder } from "../../support/csv-folder.ts";

const open = (dir: string) => openFiles({ dir, clock: stoppedClock() });
const RAW = `date,open,high,low,close,volume
2020-08-27,500,510,490,500,100
2020-08-28,504,508,496,500,200
2020-08-31,126,131,125,129,700
2020-09-01,132,134,130,134,600
`;
/** The same days with the three before and after, which complete two weeks. */
const WEEKS = RAW.replace(
  "2020-08-27,",
  `${["24", "25", "26"].map((day) => `2020-08-${day},500,510,490,500,100\n`).join("")}2020-08-27,`,
).concat(["02", "03", "04"].map((day) => `2020-09-${day},132,134,130,134,600\n`).join(""));
const EARLIER = RAW.replace("2020-08-27", "2014-06-06").replace("2020-08-28", "2014-06-09");

describe("splits.csv", () => {
  it("adjusts the prices and volumes before each split", async () => {
    const market = await open(
      csvFolder({
        "AAPL.csv": EARLIER,
        "MSFT.csv": RAW,
        "splits.csv": "symbol,date,ratio\naapl,2014-06-09,7:1\nAAPL,2020-08-31,4:1\n\n",
      }),
    );
    const [aapl, msft] = market.members;
    const history = (instrument: typeof aapl) =>
      market.bars.history(instrument!, { timeframe: "1d", limit: 4, asOf: Date.parse("2020-09-03") });
    const { bars } = await history(aapl);
    expect([...bars.close]).toEqual([500 / 28, 125, 129, 134]);
    expect([...bars.volume]).toEqual([2_800, 800, 700, 600]);
    expect([...(await history(msft)).bars.close]).toEqual([500, 500, 129, 134]);
    expect(market.report().skipped).toEqual([]);
  });

  it("adjusts only once the session of the split has begun", async () => {
    const market = await open(
      csvFolder({ "AAPL.csv": RAW, "splits.csv": "symbol,date,ratio\nAAPL,2020-08-31,4:1\n" }),
    );
    const closesAt = async (asOf: string) => {
      const { bars } = await market.bars.history(market.members[0]!, {
        timeframe: "1d",
        limit: 4,
        asOf: Date.parse(asOf),
      });
      return [...bars.close];
    };
    expect(await closesAt("2020-08-31T03:59:59Z")).toEqual([500, 500]);
    expect(await closesAt("2020-08-31T04:00:00Z")).toEqual([125, 125]);
    expect(await closesAt("2020-09-03")).toEqual([125, 125, 129, 134]);
  });

  it("adjusts intraday bars up to midnight in New York", async () => {
    const intraday = `date,open,high,low,close,volume
2020-08-30T23:00:00Z,500,500,500,500,10
2020-08-31T03:00:00Z,504,504,504,504,10
2020-08-31T13:00:00Z,126,126,126,126,10
2020-08-31T14:00:00Z,128,128,128,128,10
`;
    const splits = "symbol,date,ratio\nAAPL,2020-08-31,4:1\n";
    const market = await open(csvFolder({ "AAPL_1h.csv": intraday, "splits.csv": splits }));
    const { bars } = await market.bars.history(market.members[0]!, { timeframe: "1h", limit: 4 });
    expect([...bars.close]).toEqual([125, 126, 126, 128]);
  });

  it("applies to a symbol in another spelling, and names a symbol without bars", async () => {
    const market = await open(
      csvFolder({
        "BRK-B.csv": RAW,
        "splits.csv": "symbol,date,ratio\nBRK.B,2020-08-31,4:1\nMSFT,2020-08-31,2:1\n",
      }),
    );
    const { bars } = await market.bars.history(market.members[0]!, { timeframe: "1d", limit: 4 });
    expect([...bars.close]).toEqual([125, 125, 129, 134]);
    expect(market.report().notes).toContainEqual({
      file: "splits.csv",
      note: "MSFT has no bars in this folder",
    });
  });

  it.each([
    ["AAPL,adjusted", ["split", "unknown"]],
    ["aapl, Adjusted,", ["split", "unknown"]],
    ["*,adjusted", ["split", "split"]],
  ])("marks prices as adjusted: %s", async (line, adjustments) => {
    const market = await open(
      csvFolder({ "AAPL.csv": RAW, "MSFT.csv": RAW, "splits.csv": `symbol,date,ratio\n${line}\n` }),
    );
    const read = await Promise.all(
      market.members.map((one) => market.bars.history(one, { timeframe: "1d", limit: 4 })),
    );
    expect(read.map(({ adjustment }) => adjustment)).toEqual(adjustments);
    expect(read.map(({ bars }) => bars.adjustment)).toEqual(adjustments);
    expect([...read[0]!.bars.close]).toEqual([500, 500, 129, 134]);
  });

  it("marks a price change as no split by the ratio 1:1, in weekly bars too", async () => {
    const market = await open(
      csvFolder({ "AAPL.csv": WEEKS, "splits.csv": "symbol,date,ratio\nAAPL,2020-08-31,1:1\n" }),
    );
    for (const timeframe of ["1d", "1w"] as const) {
      const { bars } = await market.bars.history(market.members[0]!, { timeframe, limit: 20 });
      expect(bars.close[0]).toBe(500);
      expect(bars.noSplits).toEqual([{ date: Date.parse("2020-08-31"), basis: "file" }]);
    }
  });

  it("changes the content of the market", async () => {
    const dir = { "AAPL.csv": RAW };
    const [plain, adjusted] = await Promise.all([
      open(csvFolder(dir)),
      open(csvFolder({ ...dir, "splits.csv": "symbol,date,ratio\nAAPL,2020-08-31,4:1\n" })),
    ]);
    expect(adjusted.contentId).not.toBe(plain.contentId);
  });

  it.each([
    ["AAPL,2020-08-31,4:1", 'line 1: "AAPL,2020-08-31,4:1" is not the header symbol,date,ratio'],
    ["symbol,date,ratio\nAAPL,2020-08-31,4", 'line 2: "AAPL,2020-08-31,4" is not a split such as'],
    ["symbol,date,ratio\nAAPL,2020-08-31,4:0", "line 2: "],
    ["symbol,date,ratio\nAAPL,2020-13-31,4:1", "line 2: "],
    ["symbol,date,ratio\nAAPL,31.8.2020,4:1", "line 2: "],
    ["symbol,date,ratio\nAAPL,2026-02-31,4:1", "line 2: "],
    [
      "symbol,date,ratio\nAAPL,2020-08-31,4:1\naapl,2020-08-31,4:1",
      'line 3: "aapl,2020-08-31,4:1" is the second split of this symbol on this date',
    ],
    ["symbol,date,ratio\nAAPL,2020-08-31,4:1,x", "line 2: "],
    ["symbol,date,ratio\n,2020-08-31,4:1", "line 2: "],
    ["symbol,date,ratio\n,adjusted", 'line 2: ",adjusted" does not mark prices as adjusted'],
    ["symbol,date,ratio\nAAPL,adjusted,4:1", "line 2: "],
    [
      "symbol,date,ratio\nAAPL,2020-08-31,4:1\n*,adjusted",
      'line 3: "*,adjusted" contradicts the split of AAPL',
    ],
  ])("is refused for %j", (text, reason) => {
    expect(() => readSplits(text, embeddedListings())).toThrow(SetupError);
    expect(() => readSplits(text, embeddedListings())).toThrow(`splits.csv, ${reason}`);
  });
});
