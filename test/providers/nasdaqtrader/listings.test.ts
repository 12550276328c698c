import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { companyName, nasdaqtraderListings } from "../../../src/providers/nasdaqtrader/listings.ts";
import { nasdaqtraderVendor, symbolDirectory } from "../../replay/nasdaqtrader.ts";
import type { Reply } from "../../replay/vendor.ts";
import { fixedWorld } from "../../support/fixed-world.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, respondAs, respondWith, signal } from "../requests.ts";

describe("the name from a security's title", () => {
  it.each([
    ["Agilent Technologies, Inc. Common Stock", "Agilent Technologies, Inc."],
    ["Zymeworks Inc. - Common Stock", "Zymeworks Inc."],
    ["Gaia, Inc. - Class A Common Stock", "Gaia, Inc."],
    [
      "Zhengye Biotechnology Holding Limited - Class A Ordinary Shares",
      "Zhengye Biotechnology Holding Limited",
    ],
    ["American Vanguard Corporation Common Stock ($0.10 Par Value)", "American Vanguard Corporation"],
    [
      "Sequans Communications S.A. American Depositary Shares (each representing one hundred (100) Ordinary Shares)",
      "Sequans Communications S.A.",
    ],
    [
      "Nuveen Massachusetts Quality Municipal Income Fund Common Shares of Beneficial Interest",
      "Nuveen Massachusetts Quality Municipal Income Fund",
    ],
  ])("of %s is %s", (title, name) => {
    expect(companyName(title)).toBe(name);
  });

  it.each([
    "AT&T Inc.",
    "Common Stock",
    "Melar Acquisition Corp. I - Unit",
    "CN Healthy Food Tech Group Corp. - Warrant",
    "Arbor Realty Trust 6.375% Series D Cumulative Redeemable Preferred Stock",
    "Petroleo American Depositary Shares (each representing two preferred shares)",
    "Sunoco LP Common Units representing limited partner interests",
  ])("of %s is the whole title", (title) => {
    expect(companyName(title)).toBe(title);
  });
});

const HEADER = "Nasdaq Traded|Symbol|Security Name|Listing Exchange|Market Category|ETF|Test Issue";
const CLOSING = "File Creation Time: 1120202621:31||||||";
const list = (body: string, setup: { minRows?: number } = {}, init: ResponseInit = {}) =>
  nasdaqtraderListings({ fetch: respondWith({ "": body }, init).fetch, ...setup }).list({ signal });
/** Listings of a short file. */
const read = (body: string, status = 200, headers: Readonly<Record<string, string>> = {}) =>
  list(body, { minRows: 1 }, { status, headers });
const file = (...rows: readonly string[]) => [HEADER, ...rows, CLOSING].join("\r\n");

describe("the symbol directory of Nasdaq Trader", () => {
  it("requests one file", async () => {
    const { fetch, requests } = respondWith({ "": file("Y|A|Agilent|N||N|N") });
    const listings = nasdaqtraderListings({ fetch, minRows: 1 });
    await listings.list({ signal });
    expect(listings.name).toBe("nasdaqtrader");
    expect(requests).toEqual(["https://www.nasdaqtrader.com/dynamic/SymDir/nasdaqtraded.txt"]);
  });

  it("is read by column names, in any order", async () => {
    const body = `Test Issue|ETF|Extra|Symbol|Listing Exchange|Security Name\nN|Y|?|SPY|P|SPDR Fund\n${CLOSING}\n`;
    expect(await read(`\uFEFF${body}`)).toEqual([
      { ticker: "SPY", name: "SPDR Fund", asset_class: "etf", exchange: "NYSE ARCA" },
    ]);
  });

  it.each([
    ["BRK.B", "BRK.B"],
    ["ABR$D", "ABR-PD"],
    ["DCOM$", "DCOM-P"],
    ["ACHR.W", "ACHR.W"],
  ])("writes %s as %s", async (symbol, ticker) => {
    expect(await read(file(`Y|${symbol}|Some Company|N||N|N`))).toEqual([
      { ticker, name: "Some Company", asset_class: "equity", exchange: "NYSE" },
    ]);
  });

  it("omits test issues, rows without symbol or name, ragged rows, invalid symbols and duplicates", async () => {
    const rows = [
      "Y|ZVZZT|Test|Q||N|Y",
      "Y| |Nameless|Q||N|N",
      "Y|NONE| |Q||N|N",
      "Y|CUT|Short row",
      "Y|ab<c|Strange|Q||N|N",
      "Y|GOOD|First|X||N|N",
      "Y|GOOD|Second|Q||N|N",
    ];
    expect(await read(file(...rows))).toEqual([
      { ticker: "GOOD", name: "First", asset_class: "equity", exchange: "US" },
    ]);
  });

  it("returns names as plain text of at most 80 characters", async () => {
    const [hidden, long] = await read(
      file("Y|A|Safe\u202Eevil\u0007  name|N||N|N", `Y|B|${"long ".repeat(40)}|N||N|N`),
    );
    expect(hidden!.name).toBe("Safe evil name");
    expect(long!.name).toHaveLength(80);
    expect(long!.name.endsWith("…")).toBe(true);
  });

  it("uses full titles if the short names would be equal", async () => {
    const rows = await read(
      file(
        "Y|FOX|Fox Corporation - Class B Common Stock|Q||N|N",
        "Y|FOXA|Fox Corporation - Class A Common Stock|Q||N|N",
      ),
    );
    expect(rows.map(({ name }) => name)).toEqual([
      "Fox Corporation - Class B Common Stock",
      "Fox Corporation - Class A Common Stock",
    ]);
  });

  it.each([
    ["no header", "Y|A|Agilent|N||N|N"],
    ["a column missing", file("Y|A|Agilent|N||N|N").replace("|Test Issue", "|Tests")],
    ["no closing line", [HEADER, "Y|A|Agilent|N||N|N"].join("\n")],
    ["a closing line that was cut", [HEADER, "Y|A|Agilent|N||N|N", "File Crea"].join("\n")],
    ["nothing", ""],
  ])("refuses a file with %s", async (_, body) => {
    expect(await kindOf(read(body))).toBe("malformed");
  });

  it("rejects a file of fewer than 5,000 rows, and one without its end", async () => {
    const whole = symbolDirectory(fixedWorld());
    expect((await list(whole)).length).toBeGreaterThan(5_000);
    const lines = whole.split("\r\n");
    expect(await kindOf(list([...lines.slice(0, 4_000), ...lines.slice(-2)].join("\r\n")))).toBe("malformed");
    expect(await kindOf(list(whole.slice(0, -200)))).toBe("malformed");
  });

  const refusals: readonly (readonly [string, Reply])[] = [
    ...nasdaqtraderVendor.limits.map((reply) => ["rate_limited", reply] as const),
    ...nasdaqtraderVendor.blocks.map((reply) => ["blocked", reply] as const),
    ["down", { status: 503, body: "" }],
  ];
  it.each(refusals)("fails as %s for its error response", async (kind, { status, headers, body }) => {
    expect(await kindOf(read(body, status, headers))).toBe(kind);
  });

  it("returns the listings of the replay", async () => {
    const { fetch } = respondAs(nasdaqtraderVendor);
    const rows = await nasdaqtraderListings({ fetch }).list({ signal });
    const kinds = Object.fromEntries(rows.map(({ ticker, asset_class }) => [ticker, asset_class]));
    expect(kinds).toMatchObject({ AAPL: "equity", "BRK.B": "equity", SPY: "etf" });
    const tokens = Object.keys(kinds).filter((ticker) => /USD$|ZVZZT/.test(ticker));
    expect(tokens.filter((ticker) => ticker !== "CUSD" && ticker !== "USD")).toEqual([]);
  });
});

describeWithData(
  "the recorded directory of 2026-05-12",
  ["universe", "nasdaqtraded_2026-05-12.txt"],
  (path) => {
    const recorded = () => list(readFileSync(path, "utf8"));

    it("contains all rows except test issues, with funds by their column", async () => {
      const rows = await recorded();
      // 12,629 rows, 33 of them test issues; 5,208 funds, none of them a test issue
      expect(rows).toHaveLength(12_629 - 33);
      expect(rows.filter(({ asset_class }) => asset_class === "etf")).toHaveLength(5_208);
      expect(new Set(rows.map(({ ticker }) => ticker)).size).toBe(rows.length);
    });

    it.each([
      ["A", "Agilent Technologies, Inc.", "equity", "NYSE"],
      ["ZYME", "Zymeworks Inc.", "equity", "NASDAQ"],
      [
        "ABR-PD",
        "Arbor Realty Trust 6.375% Series D Cumulative Redeemable Preferred Stock, Liqui…",
        "equity",
        "NYSE",
      ],
      [
        "ACHR.W",
        "Archer Aviation Inc. Redeemable Warrants, each whole warrant exercisable for on…",
        "equity",
        "NYSE",
      ],
      ["BTC", "Grayscale Bitcoin Mini Trust (BTC)", "etf", "NYSE ARCA"],
      ["LINK", "Interlink Electronics, Inc.", "equity", "NASDAQ"],
      ["AKO.A", "Embotelladora Andina S.A. Common Stock", "equity", "NYSE"],
    ])("knows %s as %s", async (ticker, name, asset_class, exchange) => {
      const found = (await recorded()).find((row) => row.ticker === ticker);
      expect(found).toMatchObject({ asset_class, exchange });
      expect(found!.name).toBe(name);
    });
  },
);
