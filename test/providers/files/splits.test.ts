import { describe, expect, it } from "vitest";
import { SetupError } from "../../../src/lib/setup-error.ts";
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
    ["symbol,date,ratio\nAAPL,2020-08-31,4:1,x", "line 2: "],
    ["symbol,date,ratio\n,2020-08-31,4:1", "line 2: "],
  ])("is refused for %j", (text, reason) => {
    expect(() => readSplits(text)).toThrow(SetupError);
    expect(() => readSplits(text)).toThrow(`splits.csv, ${reason}`);
  });
});
