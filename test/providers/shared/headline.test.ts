import { describe, expect, it } from "vitest";
import {
  headlineFrom,
  itemsAbout,
  newsFrom,
  type RawHeadline,
  tagsFor,
} from "../../../src/providers/shared/headline.ts";

const raw = (over: Partial<RawHeadline> = {}): RawHeadline => ({
  id: 7,
  title: "Acme gains",
  publisher: "Desk",
  url: "https://a.example.com/1",
  publishedAt: Date.UTC(2026, 0, 15, 12),
  tags: ["ACM"],
  ...over,
});

describe("an external headline", () => {
  it("is unchanged if it is plain", () => {
    expect(headlineFrom(raw())).toEqual({ ...raw(), id: "7" });
  });

  it("loses control and invisible characters, and is truncated if too long", () => {
    const title = `\u001b[31mAcme\u0000\u202e\u200b  gains${"x".repeat(999)}`;
    const read = headlineFrom(raw({ title, publisher: `De\u0007sk${"y".repeat(99)}` }))!;
    expect(read.title.startsWith("Acme gainsx")).toBe(true);
    expect([...read.title].length).toBeLessThanOrEqual(300);
    expect(read.title.endsWith("…")).toBe(true);
    expect([...read.publisher!].length).toBeLessThanOrEqual(60);
  });

  it.each([
    [{ title: "  \u200b " }],
    [{ title: null }],
    [{ publishedAt: Number.NaN }],
    [{ publishedAt: 0 }],
    [{ publishedAt: 9e15 }],
  ])("is null with %j", (over) => {
    expect(headlineFrom(raw(over))).toBeNull();
  });

  it.each([
    ["javascript:alert(1)", null],
    ["data:text/html,x", null],
    ["https://", null],
    ["https://user:pass@a.example.com/", null],
    ["http://localhost/x", null],
    [`https://a.example.com/${"x".repeat(3_000)}`, null],
    ["http://a.example.com/x", "http://a.example.com/x"],
  ])("has of the link %s what leads to the web: %s", (url, expected) => {
    expect(headlineFrom(raw({ url }))!.url).toBe(expected);
  });

  it("is identified by its link if it has no id, and by its text without both", () => {
    expect(headlineFrom(raw({ id: null }))!.id).toBe("https://a.example.com/1");
    expect(headlineFrom(raw({ id: "", url: null }))!.id).toBe("1768478400000 Acme gains");
  });

  it("is tagged with valid symbols only, each once", () => {
    const tags = ["ACM", "ACM", "BRK-B", "X:BTCUSD", "not a symbol", "<b>", ""];
    expect(headlineFrom(raw({ tags }))!.tags).toEqual(["ACM", "BRK-B", "X:BTCUSD"]);
    expect(tagsFor(["brk-b", "AAPL"], "BRK-B", "BRK.B")).toEqual(["BRK.B", "AAPL"]);
  });
});

describe("a response with headlines", () => {
  it("omits invalid rows, and fails if no valid row is left", () => {
    expect(newsFrom([raw(), raw({ title: "" })], { complete: true }).headlines).toHaveLength(1);
    expect(() => newsFrom([raw({ title: "" })], { complete: true })).toThrow("rows without headlines");
    expect(newsFrom([], { complete: false })).toEqual({ headlines: [], completeFrom: null });
  });

  it("gives the start of complete data, unless it is complete", () => {
    const rows = [raw(), raw({ id: 8, publishedAt: Date.UTC(2026, 0, 14) })];
    expect(newsFrom(rows, { complete: false }).completeFrom).toBe(Date.UTC(2026, 0, 14));
    expect(newsFrom(rows, { complete: true }).completeFrom).toBeNull();
    expect(newsFrom([], { complete: true, reaches: 7 }).completeFrom).toBe(7);
    expect(newsFrom(rows, { complete: false, reaches: 7 }).completeFrom).toBe(Date.UTC(2026, 0, 14));
  });
});

describe("the items about a symbol", () => {
  const items = [{ tags: ["AAPL", "MSFT"] }, { tags: ["SPY"] }];
  const about = (symbol: string, of: readonly { readonly tags: readonly string[] }[] = items) =>
    itemsAbout(symbol, of, ({ tags }) => tags);

  it("are those that name it, and malformed if none does", () => {
    expect(about("AAPL")).toEqual([items[0]]);
    expect(about("AAPL", [])).toEqual([]);
    expect(() => about("QQQ")).toThrow("response about another symbol");
  });
});
