import { expect, it } from "vitest";
import { invoke } from "../../../src/kernel/invoke.ts";
import { openFiles } from "../../../src/providers/files/open.ts";
import { runBacktest } from "../../../tools/run-backtest.ts";
import { stoppedClock } from "../../support/context.ts";
import { marketOf } from "../../support/market.ts";
import { describeWithData } from "../../support/test-data.ts";

const NOW = new Date("2026-11-28T12:00:00Z");

/** Reads all series of a folder: `SYMBOL timeframe count first last`, the unused files and the notes. */
async function read(dir: string) {
  const market = await openFiles({ dir, clock: stoppedClock(NOW) });
  const series: string[] = [];
  const histories = [];
  for (const { symbol, timeframe } of market.report().series) {
    const member = market.members.find((one) => one.symbol === symbol)!;
    const history = await market.bars.history(member, { timeframe, limit: 1_000_000 });
    const at = (index: number) =>
      new Date(history.bars.time.at(index)!).toISOString().replace(/:00\.000Z$/, "Z");
    histories.push(history);
    series.push(`${symbol} ${timeframe} ${history.bars.time.length} ${at(0)} ${at(-1)}`);
  }
  const { readAs, skipped, notes } = market.report();
  return {
    series,
    histories,
    market,
    readAs,
    skipped,
    notes: notes.map(({ file, note }) => `${file}: ${note}`),
  };
}

const inWorld = (name: string, files: string, test: (dir: string) => Promise<void>) =>
  describeWithData(name, ["reports", "bars", files], (dir) => it(files, () => test(dir)));
const HELD = "with trades on days without a session";

inWorld("prices with the noise of floating point", "float-noise", async (dir) => {
  const { series, notes, histories } = await read(dir);
  expect(series).toEqual(["AAPL 1d 300 2025-01-02T00:00Z 2026-02-25T00:00Z"]);
  expect(notes).toEqual([`AAPL.csv: 13 rows ${HELD}, line 7, 14, 34, 78, 104 ...: used; check the dates`]);
  const { low, close } = histories[0]!.bars;
  expect(low[0]).toBe(Math.min(99.3977943658829, 99.39779436588287));
  expect(close[0]).toBe(99.39779436588287);
});

inWorld("rows before the first price", "leading-nan", async (dir) => {
  const { series, notes, readAs } = await read(dir);
  expect(series).toEqual(["RDDT 1d 80 2024-11-18T00:00Z 2025-03-07T00:00Z"]);
  expect(notes).toEqual([
    "RDDT.csv: 100 rows dropped, line 2, 3, 4, 5, 6 ...: no price",
    `RDDT.csv: 6 rows ${HELD}, line 110, 129, 134, 140, 147 ...: used; check the dates`,
  ]);
  expect(readAs).toEqual([
    { file: "RDDT.csv", note: "1d bars of RDDT: 80 bars, 2024-11-18 to 2025-03-07; 100 rows left out" },
  ]);
});

inWorld("flat rows without volume on holidays", "holiday-rows", async (dir) => {
  const { series, notes, histories } = await read(dir);
  expect(series).toEqual(["AAPL 1d 192 2025-01-02T00:00Z 2025-10-07T00:00Z"]);
  expect(notes).toEqual([
    "AAPL.csv: 7 rows dropped, line 14, 34, 78, 104, 122 ...: on a day without trading",
    `AAPL.csv: 1 row ${HELD}, line 7: used; check the dates`,
  ]);
  const [{ bars, omitted = [] }] = histories as [(typeof histories)[number]];
  const holidays = [
    "2025-01-20",
    "2025-02-17",
    "2025-04-18",
    "2025-05-26",
    "2025-06-19",
    "2025-07-04",
    "2025-09-01",
  ];
  expect(omitted).toEqual(holidays.map((day) => ({ time: Date.parse(day), reason: "no_session" })));
  expect(bars.time).not.toContain(Date.parse("2025-07-04"));
});

inWorld("hours in UTC without a zone", "naive-utc", async (dir) => {
  const { series, notes, histories } = await read(dir);
  expect(series).toEqual(["AAPL 1h 210 2025-02-24T14:30Z 2025-04-04T19:30Z"]);
  expect(notes).toEqual(["AAPL_1h.csv: its hours without a zone follow UTC; read as UTC"]);
  const firsts = [...histories[0]!.bars.time].filter((_, at) => at % 7 === 0);
  const hours = new Set(firsts.map((time) => new Date(time).toISOString().slice(11, 16)));
  expect([...hours]).toEqual(["14:30", "13:30"]);
});

inWorld("days of a coin that begin at 06:00", "crypto-day-from-0600", async (dir) => {
  await expect(read(dir)).rejects.toThrow(
    /BTC-USD\.csv: its days begin at 06:00 UTC, and days of coins are those of UTC: a day would be known before its end; bring days that begin at 00:00 UTC, or hourly bars\./,
  );
});

inWorld("a column of symbols", "several-symbols", async (dir) => {
  const { series, skipped, notes, histories } = await read(dir);
  expect(series).toEqual([
    "AAL 1d 300 2025-01-02T00:00Z 2026-02-25T00:00Z",
    "ZTS 1d 300 2025-01-02T00:00Z 2026-02-25T00:00Z",
  ]);
  expect(histories.map(({ bars }) => [bars.close[0], bars.close.at(-1)])).toEqual([
    [99.4, 97.92],
    [40.56, 39.68],
  ]);
  expect(notes[0]).toBe("DATA.csv: its column of symbols holds 2 symbols; one series each");
  expect(skipped.map(({ file }) => file)).toEqual(["PORT.csv", "PORT.csv"]);
});

inWorld("names of Kraken's downloads", "kraken-names", async (dir) => {
  const { series, skipped } = await read(dir);
  expect(series).toEqual([
    "ETH-USD 1d 80 2025-01-02T00:00Z 2025-04-23T00:00Z",
    "BTC-USD 1d 80 2025-01-02T00:00Z 2025-04-23T00:00Z",
  ]);
  expect(skipped).toEqual([]);
});

inWorld("formats of other tools", "refused-without-a-clue", async (dir) => {
  const { series, skipped, notes, histories } = await read(dir);
  expect(series).toEqual([
    "AAPL 1d 79 2025-01-02T00:00Z 2025-04-22T00:00Z",
    "BTC-USD 1h 78 2020-06-17T18:00Z 2020-06-20T23:00Z",
    "MSFT 1d 79 2025-11-07T00:00Z 2026-02-25T00:00Z",
    "TSLA 1d 79 2025-11-07T00:00Z 2026-02-25T00:00Z",
  ]);
  expect(histories.map(({ bars }) => bars.close.at(-1))).toEqual([90.36, 7487.93, 97.92, 97.92]);
  expect(histories.map(({ bars }) => bars.volume.at(-1))).toEqual([1_443_308, 113.68, 1_470_000, 1_466_015]);
  expect(skipped).toEqual([{ file: "NVDA.csv", reason: "it has no column volume, which is required" }]);
  expect(notes.filter((note) => !note.includes(HELD))).toEqual([
    "AAPL.csv: its numbers are read with decimal commas",
    "TSLA.csv: adjusted close ignored; prices are open, high, low, close",
  ]);
});

inWorld("a crash with 15 times the volume", "guard-crash", async (dir) => {
  const { series } = await read(dir);
  expect(series).toEqual(["FRC 1d 320 2025-01-02T00:00Z 2026-03-25T00:00Z"]);
});

inWorld("a header of three lines", "guard-multiindex", async (dir) => {
  const { series } = await read(dir);
  expect(series).toEqual(["AAPL 1d 117 2025-01-02T00:00Z 2025-06-13T00:00Z"]);
});

inWorld("a close that is not adjusted as the other prices are", "guard-mixed-adjustment", async (dir) => {
  await expect(read(dir)).rejects.toThrow(
    /AAPL\.csv: its close is not adjusted, but its open, high and low are: in 80 of 80 rows the close lies outside high and low, and the adjusted close does not\./,
  );
});

inWorld("milliseconds, then microseconds", "guard-microseconds", async (dir) => {
  const { series } = await read(dir);
  expect(series).toEqual(["BTC-USD 1h 72 2024-12-31T00:00Z 2025-01-02T23:00Z"]);
});

inWorld("an open below the stop", "guard-stop-gap", async (dir) => {
  const { series, histories } = await read(dir);
  expect(series).toEqual(["AAPL 1d 300 2025-01-02T00:00Z 2026-02-25T00:00Z"]);
  const { bars } = histories[0]!;
  const { ports } = marketOf({ bars: { AAPL: bars }, clock: stoppedClock(NOW) });
  const rules = { entry: "close > 102.9", exit: "close < 0", stop: "5%", target: "10%" };
  const input = { symbol: "AAPL", strategy: "rules", rules, slippage: 0, picture: false, detail: "full" };
  const principal = { account: "one", plan: "founding", scopes: ["read"] } as const;
  const { trades } = await invoke(runBacktest, input, { ports, principal, transport: "test" });
  expect(trades[0]).toMatchObject({ exit_price: 80, exit_reason: "stop" });
});
