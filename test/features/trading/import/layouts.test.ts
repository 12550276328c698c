import { describe, expect, it } from "vitest";
import { parsePositions } from "../../../../src/features/trading/import/positions.ts";
import { createDirectory } from "../../../../src/market/symbols/directory.ts";
import { embeddedListings } from "../../../../src/market/symbols/listings.ts";

const symbols = createDirectory({ members: [], listings: embeddedListings() });
const HEADER = "Symbol,Quantity,Average Price";
/** Returns what is imported and what is refused: `AAPL 10 @ 150`, `5: option`. */
async function read(...lines: readonly string[]) {
  const { positions, refused } = await parsePositions(lines.join("\n"), symbols);
  return [
    ...positions.map(({ symbol, quantity, averagePrice }) => `${symbol} ${quantity} @ ${averagePrice}`),
    ...refused.map(({ line, kind }) => `${line}: ${kind}`),
  ];
}

describe("the layout of", () => {
  it("Kraken and Binance lists balances of coins, not staked ones", async () => {
    expect(
      await read("asset,balance,cost basis", "XXBT,0.5,30000", "SOL.S,10,1500", "ZUSD,9,9", "AAPL,5,500"),
    ).toEqual(["BTC-USD 0.5 @ 60000", "3: unknown_symbol", "4: cash", "5: class_conflict"]);
    expect(await read("Coin,Total,Available,In Order,Avg. Cost", "BTC,0.5,0.3,0.2,60000")).toEqual([
      "BTC-USD 0.5 @ 60000",
    ]);
  });

  it("wallets is not read where a balance is in dollars", async () => {
    await expect(read("coin,balance (USD),average price", "BTC,30000,60000")).rejects.toThrow(
      /No header line/,
    );
  });

  it("Wealthsimple has its cost in the currency of the market, and a direction", async () => {
    const header =
      "Symbol,Exchange,MIC,Security Type,Quantity,Position Direction,Book Value (CAD),Book Value Currency (CAD),Book Value (Market),Book Value Currency (Market)";
    expect(
      await read(
        header,
        "AAPL,NASDAQ,XNAS,EQUITY,10,LONG,2100,CAD,1500,USD",
        "TSLA,NASDAQ,XNAS,EQUITY,5,SHORT,1500,CAD,1000,USD",
        "SHOP,TSX,XTSE,EQUITY,10,LONG,900,CAD,900,CAD",
      ),
    ).toEqual(["AAPL 10 @ 150", "TSLA -5 @ 200", "4: currency"]);
  });

  it("Questrade and Saxo names the exchange in the symbol", async () => {
    expect(
      await read(
        "Equity Symbol,Equity Description,Currency,Quantity,Average Price",
        "RY.TO,ROYAL BANK,CAD,10,120",
      ),
    ).toEqual(["2: currency"]);
    expect(
      await read(
        "Instrument;Symbol;L/S;Amount;Open Price;Currency;Status",
        "Apple Inc.;AAPL:xnas;Long;10;150,25;USD;Open",
        "Tesla;TSLA:xnas;Short;5;200,00;USD;Open",
        "SAP;SAP:xetr;Long;5;200,00;USD;Open",
      ),
    ).toEqual(["AAPL 10 @ 150.25", "TSLA -5 @ 200", "4: unknown_symbol"]);
  });

  it("thinkorswim lists options below their shares", async () => {
    const header = "Instrument,Qty,Days,Trade Price,Mark,P/L Open";
    expect(
      await read(
        "Equities and Equity Options",
        header,
        "AAPL,+40,,150.25,190,0",
        "100 (Weeklys) 16 JAN 26 200 CALL,-1,50,5,4,0",
        "Futures",
        header,
        "/ES,+1,,5000,5100,0",
      ),
    ).toEqual(["AAPL 40 @ 150.25", "4: option", "7: future"]);
  });

  it("two quantities has a short one, and never both", async () => {
    expect(
      await read(
        "Symbol,Long Qty,Short Qty,Avg Price",
        "AAPL,10,0,150",
        "MSFT,0,5,300",
        "NVDA,5,5,100",
        "META,,,9",
      ),
    ).toEqual(["AAPL 10 @ 150", "MSFT -5 @ 300", "4: side", "5: unreadable"]);
  });

  it("working orders holds no positions", async () => {
    await expect(
      read("Symbol,Type,Side,Quantity,Limit Price,Status", "AAPL,Limit,Buy,10,150,Working"),
    ).rejects.toThrow(/lists transactions, not positions/);
  });
});

describe("a cell", () => {
  it.each([
    ["5-", "AAPL -5 @ 150"],
    ["1 000", "AAPL 1000 @ 150"],
    ["1'000", "AAPL 1000 @ 150"],
    ["5E-1", "AAPL 0.5 @ 150"],
    ['"=""5"""', "AAPL 5 @ 150"],
    ["5 00", "2: unreadable"],
    ["-5-", "2: unreadable"],
  ])("%s is a quantity as Excel and accountants write it, or refused", async (quantity, result) => {
    expect(await read(HEADER, `AAPL,${quantity},150`)).toEqual([result]);
  });

  it("that may have thousands or decimals is refused with this reason", async () => {
    expect(
      (await parsePositions("Symbol;Quantity;Average Price\nAAPL;1.000;150.250", symbols)).refused[0]?.why,
    ).toMatch(/^"1\.000" may be read with thousands or with decimals/);
  });

  it("that says short makes a row without a side doubtful, but not the term of a lot", async () => {
    expect(await read(`${HEADER},Book`, "AAPL,5,150,Short", "MSFT,-5,300,Short", "NVDA,5,9,Long")).toEqual([
      "MSFT -5 @ 300",
      "NVDA 5 @ 9",
      "2: side",
    ]);
    expect(await read(`${HEADER},Term`, "AAPL,5,150,Short")).toEqual(["AAPL 5 @ 150"]);
  });

  it("with an exchange of neither list needs a currency", async () => {
    expect(await read(`${HEADER},Exchange`, "AAPL,5,150,Somewhere", "MSFT,5,300,NYSE Arca")).toEqual([
      "MSFT 5 @ 300",
      "2: listing",
    ]);
    expect(
      await read(`${HEADER},Exchange,Currency`, "AAPL,5,150,Somewhere,USD", "MSFT,5,300,XETR,USD"),
    ).toEqual(["AAPL 5 @ 150", "3: listing"]);
  });

  it("in UTF-16 that was read as another encoding is refused with this reason", async () => {
    await expect(
      read(new TextDecoder().decode(Buffer.from(`\ufeff${HEADER}\nAAPL,10,150`, "utf16le"))),
    ).rejects.toThrow(/UTF-16/);
  });
});

describe("a section", () => {
  it("begins at a heading with the number or the value of its rows", async () => {
    expect(
      await read(
        `${HEADER},Value`,
        "AAPL,10,150,1900",
        "Options (2)",
        "MSFT,5,3,20",
        "Stocks: 1",
        "NVDA,5,100,600",
        "Options,,,$20.00",
        "F,5,3,20",
      ),
    ).toEqual(["AAPL 10 @ 150", "NVDA 5 @ 100", "4: option", "8: option"]);
  });

  it("of several classes leaves each row to its own cells, unless none is imported", async () => {
    expect(await read("Stocks & ETFs", HEADER, "AAPL,10,150", "SPY,1,400")).toEqual([
      "AAPL 10 @ 150",
      "SPY 1 @ 400",
    ]);
    expect(await read("Options & Futures", HEADER, "AAPL,10,150")).toEqual(["3: option"]);
  });
});

describe("a total", () => {
  it.each(["IRA Total", "Total IRA", "Grand Total", "All", "Consolidated"])(
    "%s of accounts",
    async (account) => {
      expect(await read(`Account,${HEADER}`, "IRA,AAPL,10,150", `${account},AAPL,10,150`)).toEqual([
        "AAPL 10 @ 150",
      ]);
    },
  );

  it("in the first cell of any column adds up others, but a strategy of total return does not", async () => {
    expect(await read(`Type,${HEADER}`, "Stock,AAPL,10,150", "Subtotal,AAPL,10,150")).toEqual([
      "AAPL 10 @ 150",
    ]);
    expect(await read(`Account,${HEADER}`, "Total Return,AAPL,10,150")).toEqual(["AAPL 10 @ 150"]);
  });
});

describe("a symbol that is cash too", () => {
  it("is a fund where the description begins as its name does", async () => {
    expect(
      await read(`${HEADER},Description`, "USD,5,70,ProShares Ultra Semiconductors", "USD,5,1,US Dollar"),
    ).toEqual(["USD 5 @ 70", "3: cash"]);
  });

  it("is refused with the way to import it where the name is not known", async () => {
    const { refused } = await parsePositions(
      `${HEADER},Description\nCASH,5,70,Pathward Financial Inc`,
      symbols,
    );
    expect(refused[0]?.why).toMatch(/add a column asset_class$/);
  });

  it("is Nokia or ConocoPhillips where the description says so", async () => {
    expect(
      await read(
        `${HEADER},Description`,
        "NOK,5,7,Nokia Corp ADR",
        "COP,5,9,CONOCOPHILLIPS",
        "NOK,5,1,Krone",
      ),
    ).toEqual(["COP 5 @ 9", "NOK 5 @ 7", "4: cash"]);
  });

  it("of four letters is no mutual fund", async () => {
    expect(await read(`${HEADER},Description`, "PUTW,5,30,WisdomTree PutWrite Strategy Fund")).toEqual([
      "2: unknown_symbol",
    ]);
  });
});

describe("a description", () => {
  it.each([
    "TSLA 20260116 200 Call",
    "AAPL Jan-16-2026 200 C",
    "MSFT 16.01.2026 400 Call",
    "AAPL Collar",
    "AAPL Cash Secured Put",
    "Call option on Apple",
    "AAPL260116C00200000",
  ])("%s is an option", async (description) => {
    expect(await read(`${HEADER},Description`, `AAPL,1,5,${description}`)).toEqual(["2: option"]);
  });

  it.each(["Butterfly Network Inc", "Global X Covered Call", "iBonds Dec 2026 Term ETF"])(
    "%s is none",
    async (name) => {
      expect(await read(`${HEADER},Description`, `AAPL,1,5,${name}`)).toEqual(["AAPL 1 @ 5"]);
    },
  );
});
