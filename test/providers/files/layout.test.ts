import { describe, expect, it } from "vitest";
import { findLayout } from "../../../src/providers/files/layout.ts";

const found = (...lines: string[]) => {
  const layout = findLayout(lines);
  if (typeof layout === "string") return layout;
  const { time, open, high, low, close, volume, headerLines, separator } = layout;
  return `${headerLines}${separator === "\t" ? "t" : separator}${[time, open, high, low, close, volume].join("")}`;
};

describe("findLayout", () => {
  it.each([
    ["date,open,high,low,close,volume", "1,012345"],
    [",Open,High,Low,Close,Volume", "1,012345"],
    ["Date,Open,High,Low,Close,Adj Close,Volume", "1,012346"],
    ["Date,Close/Last,Volume,Open,High,Low", "1,034512"],
    ["timestamp;o;h;l;c;v", "1;012345"],
    ["time_ny\tvol\tclose\tlow\thigh\topen", "1t054321"],
    ["timestamp,1. open,2. high,3. low,4. close,5. volume", "1,012345"],
    ["<DATE>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>", "1,012345"],
    ["unix,date,symbol,open,high,low,close,Volume BTC,Volume USDT", "1,034567"],
    ['"Date","Price","Open","High","Low","Vol.","Change %"', "1,023415"],
    ['"date", "open", "high", "low", "close", "volume"', "1,012345"],
  ])("finds the columns of %s", (header, layout) => {
    expect(found(header)).toBe(layout);
  });

  it.each([
    "Datum;Eröffnung;Hoch;Tief;Schluss;Volumen",
    "Datum;Erster;Hoch;Tief;Schlusskurs;Stuecke;Volumen",
    "Date;Ouverture;Plus haut;Plus bas;Clôture;Volume",
    "Fecha;Último;Apertura;Máximo;Mínimo;Vol.",
  ])("names the language as the cause in %s", (header) => {
    expect(findLayout([header, "02.01.2025;1,5;1,5;1,5;1,5;100"])).toMatch(/^its header is not in English/);
  });

  it("skips lines above the header and captions below it", () => {
    expect(found("https://www.example.com", "date,open,high,low,close,volume")).toBe("2,012345");
    expect(
      found(
        "Price,Close,High,Low,Open,Volume",
        "Ticker,AAPL,AAPL,AAPL,AAPL,AAPL",
        "Date,,,,,",
        "2024-01-02,1,1,1,1,1",
      ),
    ).toBe("3,042315");
  });

  it("accepts rows without header in the usual order", () => {
    expect(found("2024-01-02,1,2,0.5,1.5,100")).toBe("0,012345");
    expect(found("1704205800000,1,2,0.5,1.5,100,1704209399999,5")).toBe("0,012345");
    expect(found("2024.01.02,09:30,1,2,0.5,1.5,100")).toBe("0,023456");
  });

  it("reads date and time from two columns", () => {
    expect(findLayout(["Date,Time,Open,High,Low,Close,Volume"])).toMatchObject({ time: 0, timeOfDay: 1 });
  });

  it("reads the time zone from a header and prefers a column with one", () => {
    expect(findLayout(["date,time_utc,open,high,low,close,volume"])).toMatchObject({ time: 1, zone: "UTC" });
    expect(findLayout(["time_ny,open,high,low,close,volume"])).toMatchObject({ zone: "America/New_York" });
    expect(findLayout(["time,open,high,low,close,volume"])).toMatchObject({ zone: null });
  });

  it("notes an ignored adjusted close", () => {
    expect(findLayout(["date,open,high,low,close,adj close,volume"])).toMatchObject({
      hasAdjustedClose: true,
      close: 4,
    });
    expect(findLayout(["date,open,high,low,close,volume"])).toMatchObject({ hasAdjustedClose: false });
  });

  it.each([
    ["Date,Dividend", "it has no columns open, high, low, close"],
    ["", "it has no columns open, high, low, close"],
    ["date,open,high,low,close", "it has no column volume, which is required"],
    ["date,open,high,low,volume", "it has no column close, which is required"],
    ["open,high,low,close,volume", "it has no column of dates or times"],
    ["date,open,high,low,close,volume,close", "it has two columns close"],
  ])("says why %s will not do", (header, reason) => {
    expect(found(header)).toBe(reason);
  });
});
