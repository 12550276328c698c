import { describe, expect, it } from "vitest";
import { figures, readFiles, sessionDates } from "../../support/bar-files.ts";

const dates = sessionDates("2025-01-02", 10);
const HEADER = "symbol,date,open,high,low,close,volume";
const rowsOf = (symbol: string, from = 0) =>
  dates.map((date, at) => [symbol, date, ...figures(at + from)].join(","));
const table = (symbols: readonly string[], header = HEADER) =>
  [header, ...symbols.flatMap((symbol, at) => rowsOf(symbol, at)), ""].join("\n");
const symbolsIn = async (name: string, text: string) => {
  const { series, reason } = await readFiles({ [name]: text });
  return series.length === 0 ? reason : series.map(({ symbol, bars }) => `${symbol} ${bars.time.length}`);
};

describe("a column of symbols", () => {
  it.each(["symbol", "ticker", "Stock", "<TICKER>", "Name", "instrument", "code", "tic"])(
    "named %s gives one series a symbol",
    async (name) => {
      const text = table(["AAPL", "MSFT"], HEADER.replace("symbol", name));
      expect(await symbolsIn("bars.csv", text)).toEqual(["AAPL 10", "MSFT 10"]);
    },
  );

  it("gives each symbol its own rows, in blocks or in turn", async () => {
    const turns = dates.flatMap((_, at) => [rowsOf("AAPL")[at]!, rowsOf("MSFT", 3)[at]!]);
    for (const rows of [[...rowsOf("AAPL"), ...rowsOf("MSFT", 3)], turns]) {
      const { series, notes } = await readFiles({ "PORT.csv": [HEADER, ...rows, ""].join("\n") });
      expect(series.map(({ symbol, bars }) => [symbol, [...bars.close]])).toEqual([
        ["AAPL", dates.map((_, at) => figures(at)[3])],
        ["MSFT", dates.map((_, at) => figures(at + 3)[3])],
      ]);
      expect(notes).toEqual(["its column of symbols holds 2 symbols; one series each"]);
    }
  });

  it("keeps the line numbers of the file in notes", async () => {
    const rows = [...rowsOf("AAPL"), ...rowsOf("MSFT"), "MSFT,2025-02-03,x,1,1,1,1"];
    const { notes } = await readFiles({ "PORT.csv": [HEADER, ...rows, ""].join("\n") });
    expect(notes).toContain("1 row dropped, line 22: a price that is not a number");
  });

  it.each([
    ["AAPL.csv", ["AAPL"], ["AAPL 10"]],
    ["AAPL.csv", ["NASDAQ:AAPL"], ["AAPL 10"]],
    ["AAPL.csv", ["AAPL.O"], ["AAPL 10"]],
    ["BTCUSDT_1d.csv", ["BTC/USD"], ["BTC-USD 10"]],
    ["AAPL.csv", ["MSFT"], "its rows are of MSFT, but its name says AAPL"],
    ["prices_2025.csv", ["MSFT"], ["MSFT 10"]],
    ["AAPL.csv", ["AAPL", "MSFT"], ["AAPL 10", "MSFT 10"]],
    ["all.csv", ["XBTUSD", "ETH/USD", "SOLUSDT"], ["BTC-USD 10", "ETH-USD 10", "SOL-USD 10"]],
  ])("in %s with %j gives %j", async (name, symbols, expected) => {
    expect(await symbolsIn(name, table(symbols))).toEqual(expected);
  });

  it("leaves out rows of other symbols, and says how many", async () => {
    const { series, notes } = await readFiles({ "bars.csv": table(["AAPL", "ADAEUR", "some words"]) });
    expect(series.map(({ symbol }) => symbol)).toEqual(["AAPL"]);
    expect(notes).toEqual(["20 rows dropped: their symbol is not a US stock, fund or dollar pair of a coin"]);
  });

  it("with names of companies is no column of symbols", async () => {
    const named = HEADER.replace("symbol", "name");
    expect(await symbolsIn("AAPL.csv", table(["Apple"], named))).toEqual(["AAPL 10"]);
    for (const own of ["Apple Inc.", "APPLE INC", "Apple Inc. Common Stock"])
      expect(await readFiles({ "AAPL.csv": table([own], named) })).toMatchObject({ reason: null, notes: [] });
    expect(await symbolsIn("AAPL.csv", table(["Apple Inc", "Microsoft Corp"], named))).toBe(
      "its symbol column has 2 different values, and none is a US stock, fund or dollar pair of a coin",
    );
  });

  it("with the name of another company than the file's is refused, and an unknown name is noted", async () => {
    const named = HEADER.replace("symbol", "name");
    const refused = "its rows are of Microsoft Corp (MSFT), but its name says AAPL";
    expect(await symbolsIn("AAPL.csv", table(["Microsoft Corp"], named))).toBe(refused);
    expect(await symbolsIn("GOOG.csv", table(["Alphabet Inc. Class C"], named))).toEqual(["GOOG 10"]);
    const unknown = await readFiles({ "AAPL.csv": table(["Pear Computers KG"], named) });
    expect(unknown.series.map(({ symbol }) => symbol)).toEqual(["AAPL"]);
    expect(unknown.notes).toEqual([
      'its column of symbols holds "Pear Computers KG", which is not a known name of AAPL; check that the bars are its own',
    ]);
  });

  it("has at most 1,000 symbols", async () => {
    const many = Array.from({ length: 1001 }, (_, at) => `A${at},2025-01-02,1,1,1,1,1`);
    expect(await symbolsIn("bars.csv", [HEADER, ...many, ""].join("\n"))).toBe(
      "its symbol column has more than 1000 different values; split the file",
    );
  });

  it("may be the caption of pandas, which contradicts another name", async () => {
    const rows = dates.map((date, at) => [date, ...figures(at)].join(","));
    const text = [
      "Price,Open,High,Low,Close,Volume",
      "Ticker,AAPL,AAPL,AAPL,AAPL,AAPL",
      "Date,,,,,",
      ...rows,
      "",
    ].join("\n");
    expect(await symbolsIn("AAPL.csv", text)).toEqual(["AAPL 10"]);
    expect(await symbolsIn("MSFT.csv", text)).toBe("its rows are of AAPL, but its name says MSFT");
  });
});
