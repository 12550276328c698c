import { describe, expect, it } from "vitest";
import {
  createRowIds,
  type FiledTrade,
  parseAssetType,
  parseFiledTicker,
  parseOwner,
  parseTradeType,
  toDisclosure,
} from "../../../src/providers/shared/disclosure.ts";

const said = (over: Partial<FiledTrade> = {}): FiledTrade => ({
  id: "x",
  chamber: "house",
  member: "Sample Member",
  state: "CA",
  ticker: "AAPL",
  asset: "Apple Inc.",
  assetType: "stock",
  type: "buy",
  partial: null,
  owner: "self",
  amount: { low: 1_001, high: 15_000, label: "$1,001 - $15,000" },
  traded: "2026-01-01",
  filed: "2026-02-15",
  docUrl: "https://example.org/1.pdf",
  asFiled: { type: "P", amount: "$1,001 - $15,000", owner: null },
  ...over,
});

describe("a disclosure from a provider", () => {
  it("counts the days to its filing, and is late from the 46th", () => {
    expect(toDisclosure(said())).toMatchObject({ days_to_file: 45, late: false, missing: null });
    expect(toDisclosure(said({ filed: "2026-02-16" }))).toMatchObject({ days_to_file: 46, late: true });
    expect(toDisclosure(said({ filed: "2026-01-01" }))).toMatchObject({ days_to_file: 0, late: false });
  });

  it("has no trade date after its filing, and gives a reason for missing values", () => {
    const bare = { ticker: null, amount: null, owner: null, assetType: null, docUrl: null };
    expect(toDisclosure(said({ ...bare, traded: "2026-02-16" }))).toMatchObject({
      transaction_date: null,
      days_to_file: null,
      late: null,
      missing:
        "ticker: not stated; amount: not one of the form's ranges; transaction_date: after the filing; owner: not stated; asset_type: not stated",
    });
    expect(toDisclosure(said({ traded: null })).missing).toBe("transaction_date: unreadable");
  });

  it("sanitizes external text, and accepts only https links", () => {
    const hostile = toDisclosure(
      said({ member: "\u001b[31mA\u202eB\nC", asset: "x".repeat(500), docUrl: "javascript:alert(1)" }),
    );
    expect(hostile.member).toBe("A B C");
    expect(hostile.asset).toHaveLength(200);
    expect(hostile.doc_url).toBeNull();
    for (const docUrl of ["http://example.org", "https://a b", `https://${"x".repeat(400)}`])
      expect(toDisclosure(said({ docUrl })).doc_url).toBeNull();
  });
});

describe("field values of providers", () => {
  it.each([
    ["Buy", { type: "buy", partial: null }],
    ["Purchase", { type: "buy", partial: null }],
    ["Sale (Full)", { type: "sell", partial: false }],
    ["Sell (PARTIAL)", { type: "sell", partial: true }],
    ["S(partial)", { type: "sell", partial: true }],
    ["Exchange", { type: "exchange", partial: null }],
    ["N/A", null],
    ["", null],
    ["Sale of everything", null],
  ])("say of a trade %j", (words, meant) => {
    expect(parseTradeType(words)).toEqual(meant);
  });

  it.each([
    ["Self", "self"],
    ["SP", "spouse"],
    ["joint", "joint"],
    ["Dependent Child", "child"],
    ["not-disclosed", null],
    [null, null],
  ])("say of an owner %j", (words, meant) => {
    expect(parseOwner(words)).toBe(meant);
  });

  it.each([
    ["Stock", "stock"],
    ["Stock Option", "option"],
    ["Municipal Security", "bond"],
    ["Gov Security", "bond"],
    ["Corporate Bond", "bond"],
    ["Non-Public Stock", "other"],
    ["Mutual Fund", "fund"],
    ["Cryptocurrency", "crypto"],
    ["Farm", "other"],
    ["", null],
  ])("say of an asset %j", (words, meant) => {
    expect(parseAssetType(words)).toBe(meant);
  });

  it.each([
    ["aapl", "AAPL"],
    ["BRK-B", "BRK.B"],
    ["BRK/B", "BRK.B"],
    ["--", null],
    ["N/A", null],
    ["ONSOLVE LLC", null],
    ["<a>", null],
    [null, null],
  ])("name a ticker %j", (words, meant) => {
    expect(parseFiledTicker(words)).toBe(meant);
  });

  it("give equal rows distinct ids, which are the same each time", () => {
    const names = () => {
      const name = createRowIds("s");
      return [name(["a", 1]), name(["a", 1]), name(["a", null])];
    };
    expect(new Set(names()).size).toBe(3);
    expect(names()).toEqual(names());
  });
});
