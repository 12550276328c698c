import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pdfText } from "../../../src/providers/houseclerk/pdf-text.ts";
import { parseReportRows, toTextLines } from "../../../src/providers/houseclerk/report.ts";
import { pdfOf, reportPdf } from "../../support/report-pdf.ts";
import { describeWithData } from "../../support/test-data.ts";

const HEAD = ["ID Owner Asset Transaction", "Type", "$200?"];
const read = (...lines: readonly string[]) => parseReportRows([...HEAD, ...lines]);

describe("rows of a transaction report", () => {
  it("are parsed with owner, ticker, code, type, date and band", () => {
    const { rows, whole } = read(
      "SP Sample Corp. - Class B Common",
      "Stock (SMP.B) [ST]",
      "S (partial) 01/14/202501/15/2025 $250,001 -",
      "$500,000",
      "F S : New",
    );
    expect(whole).toBe(true);
    expect(rows).toEqual([
      {
        ticker: "SMP.B",
        asset: "Sample Corp. - Class B Common Stock (SMP.B) [ST]",
        asset_type: "stock",
        type: "sell",
        partial: true,
        owner: "spouse",
        amount: { low: 250_001, high: 500_000, label: "$250,001 - $500,000" },
        amended: false,
        traded: "2025-01-14",
        as_filed: { type: "S (partial)", amount: "$250,001 - $500,000", owner: "SP" },
      },
    ]);
  });

  it.each([
    ["P", "buy", null],
    ["S", "sell", false],
    ["S (partial)", "sell", true],
    ["E", "exchange", null],
  ])("take %s for what it is", (type, meant, partial) => {
    const { rows } = read(`JT Sample (SMP) [ST] ${type} 01/14/2026 01/15/2026 $1,001 - $15,000`);
    expect(rows).toMatchObject([{ type: meant, partial, owner: "joint" }]);
  });

  it.each([
    ["[ST]", "stock"],
    ["[EF]", "fund"],
    ["[OP]", "option"],
    ["[GS]", "bond"],
    ["[HN]", "other"],
    ["", null],
  ])("take the code %s for what it is", (code, kind) => {
    const { rows } = read(`DC Sample (SMP) ${code} P 01/14/2026 01/15/2026 $1,001 - $15,000`);
    expect(rows).toMatchObject([{ asset_type: kind, ticker: "SMP", owner: "child" }]);
  });

  it("write a token as a pair, a share class after a dot, and null without a ticker", () => {
    const of = (asset: string) => read(`${asset} P 01/14/2026 01/15/2026 $1,001 - $15,000`).rows[0]!.ticker;
    expect([
      of("Bitcoin (BTC) [CT]"),
      of("B (BRK/B) [ST]"),
      of("A bond (2030) [GS]"),
      of("A fund [HN]"),
    ]).toEqual(["BTC-USD", "BRK.B", null, null]);
  });

  it("complete a band without a readable upper end, and have null for other words", () => {
    const of = (amount: string) => read(`A [ST] P 01/14/2026 01/15/2026 ${amount}`).rows[0]!.amount;
    expect(of("$50,001")).toMatchObject({ low: 50_001, high: 100_000 });
    expect(of("$50,001 -")).toMatchObject({ low: 50_001, high: 100_000 });
    expect(of("Spouse/DC Over $1,000,000")).toMatchObject({ low: 1_000_001, high: null });
    expect(of("some")).toBeNull();
  });

  it("continue on the next page, without the table header and the filing number", () => {
    const { rows } = read(
      "SP First (FST) [ST]",
      "P 01/14/2025 01/14/2025 $1,001 - $15,000",
      "F S : New",
      "Filing ID #20026590",
      ...HEAD,
      "Second (SEC) [ST]",
      "S 01/14/2025 01/14/2025 $1,001 - $15,000",
      "F S : Amended",
      "* For the complete list of asset type abbreviations",
      "I CERTIFY P 01/14/2025 01/14/2025 $1,001 - $15,000",
    );
    expect(rows).toMatchObject([
      { asset: "First (FST) [ST]", owner: "spouse", amended: false },
      { asset: "Second (SEC) [ST]", owner: "self", amended: true },
    ]);
  });

  it("exclude the number of a corrected row and the end of a remark from the asset", () => {
    const { rows } = read(
      "D : Exercised with an expiration",
      "of 12/20/24.",
      "2000152831 SP Sample (SMP) [ST]",
      "P 12/20/2024 12/20/2024 $1,001 - $15,000",
    );
    expect(rows).toMatchObject([{ asset: "Sample (SMP) [ST]", owner: "spouse" }]);
  });

  it("are marked incomplete if unmatched dates remain", () => {
    expect(read("SP A [ST] X 01/14/2025 01/14/2025 $1,001 - $15,000")).toEqual({ rows: [], whole: false });
    expect(parseReportRows(["anything else", "P 01/14/2025 01/14/2025"])).toEqual({ rows: [], whole: true });
  });

  it("do not throw on any text", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 60 })), (lines) => {
        expect(Array.isArray(read(...lines).rows)).toBe(true);
      }),
    );
  });
});

describe("the text of a PDF", () => {
  it("is read line by line, a wrapped remark as one line", () => {
    const pages = pdfText(
      reportPdf([
        [
          "SP Sample (SMP) [ST] P 01/14/2026 01/15/2026 $1,001 - $15,000",
          "F S : New",
          "D : a remark",
          "that wraps",
        ],
      ]),
    );
    expect(toTextLines(pages!)).toEqual([
      "ID Owner Asset",
      "$200?",
      "SP Sample (SMP) [ST] P 01/14/2026 01/15/2026 $1,001 - $15,000",
      "F S : New",
      "D : a remark that wraps",
      "* For the complete list of asset type abbreviations",
    ]);
  });

  it("is null for other files and empty for a scan", () => {
    expect(pdfText(Buffer.from("<html></html>"))).toBeNull();
    expect(pdfText(new Uint8Array())).toBeNull();
    expect(
      pdfText(pdfOf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [1 0 R] >>"])),
    ).toBeDefined();
  });

  it("does not throw or hang on any corrupt file", () => {
    const whole = reportPdf([["SP Sample (SMP) [ST] P 01/14/2026 01/15/2026 $1,001 - $15,000"]]);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.uint8Array({ minLength: 1, maxLength: 8 }), (at, bytes) => {
        const spoiled = Buffer.from(whole);
        Buffer.from(bytes).copy(spoiled, at);
        const pages = pdfText(spoiled);
        expect(pages === null || Array.isArray(parseReportRows(toTextLines(pages)).rows)).toBe(true);
      }),
    );
  });
});

describeWithData("reports as recorded", ["fixtures", "congress", "house"], (dir) => {
  const file = (...path: readonly string[]) => readFileSync(join(dir, ...path));
  const rowsOf = (pdf: Buffer) => parseReportRows(toTextLines(pdfText(pdf)!));

  it("give the same nine rows from our own parser as from the text of pdftotext", () => {
    const own = rowsOf(file("ptr_20026590.pdf"));
    const other = parseReportRows(file("ptr_20026590.pdftotext.txt").toString().split("\n"));
    expect(own).toEqual(other);
    expect(own.whole).toBe(true);
    expect(
      own.rows.map(({ ticker, type, asset_type, amount }) => [ticker, type, asset_type, amount!.low]),
    ).toEqual([
      ["GOOGL", "buy", "option", 250_001],
      ["AMZN", "buy", "option", 250_001],
      ["AAPL", "sell", "stock", 5_000_001],
      ["NVDA", "sell", "stock", 1_000_001],
      ["NVDA", "buy", "stock", 500_001],
      ["NVDA", "buy", "option", 250_001],
      ["PANW", "buy", "stock", 1_000_001],
      ["TEM", "buy", "option", 50_001],
      ["VST", "buy", "option", 500_001],
    ]);
  });

  it.each(["ptr_sp_owner_options", "ptr_typical_single_row"])(
    "give the rows transcribed by hand: %s",
    (name) => {
      const expected = JSON.parse(file(name, "expected.gold.json").toString()) as readonly {
        readonly asset_description_raw: string;
        readonly side: string;
        readonly transaction_date: string;
        readonly value: { readonly low: string; readonly high: string };
        readonly owner: string;
        readonly details: { readonly amount_band_raw: string; readonly transaction_type_raw: string };
      }[];
      const { rows, whole } = rowsOf(file(name, "input.pdf"));
      expect(whole).toBe(true);
      expect(
        rows.map(({ asset, type, traded, amount, owner, as_filed }) => ({
          asset,
          type,
          traded,
          low: amount!.low,
          high: amount!.high,
          owner,
          filed: [as_filed.type, as_filed.amount],
        })),
      ).toEqual(
        expected.map(({ asset_description_raw, side, transaction_date, value, owner, details }) => ({
          asset: asset_description_raw,
          type: side,
          traded: transaction_date,
          low: Number(value.low),
          high: Number(value.high),
          owner,
          filed: [details.transaction_type_raw, details.amount_band_raw],
        })),
      );
    },
  );

  it("have no text if they are scanned", () => {
    expect(
      toTextLines(pdfText(file("ptr_scanned_paper_ptr", "input.pdf"))!)
        .join("")
        .trim(),
    ).toBe("");
  });

  it("are not a PDF if the report is missing", () => {
    expect(pdfText(file("error_404_ptr_missing.html"))).toBeNull();
  });
});
