import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { parseFeed } from "../../../src/providers/shared/feed.ts";
import { rssOf } from "../../replay/rss.ts";
import { describeWithData } from "../../support/test-data.ts";

const kindOf = (xml: string): string => {
  try {
    parseFeed(xml);
    return "read";
  } catch (failure) {
    if (!(failure instanceof ProviderFailure)) throw failure;
    return failure.kind;
  }
};

describe("a feed", () => {
  it("is parsed by item and element, with the first of each name", () => {
    const xml = `<?xml version="1.0"?><!-- made up --><rss version="2.0"><channel><title>All</title>
      <item><title>One &amp; two &#8217;s &#x2014; &lt;b&gt;</title><link>https://a.example.com/1?x=1&amp;y=2</link><category>a</category><category>b</category></item>
      <item><title><![CDATA[Raw & <i>kept</i>]]></title><dc:creator>Desk</dc:creator><empty/></item>
    </channel></rss>`;
    expect(parseFeed(xml).map((item) => Object.fromEntries(item))).toEqual([
      { title: "One & two \u2019s \u2014 <b>", link: "https://a.example.com/1?x=1&y=2", category: "a" },
      { title: "Raw & <i>kept</i>", "dc:creator": "Desk" },
    ]);
  });

  it("in Atom format has links in attributes", () => {
    const xml =
      '<feed xmlns="x"><entry><title type="text">8-K</title><link rel="alternate" href="https://a.example.com/?a=1&amp;b=2"/><updated>2026-01-15</updated></entry></feed>';
    expect(parseFeed(xml).map((item) => item.get("title"))).toEqual(["8-K"]);
  });

  it("does not expand custom entities, only the five of XML", () => {
    expect(
      kindOf(
        '<!DOCTYPE rss [<!ENTITY a "aaaa">]><rss><channel><item><title>&a;</title></item></channel></rss>',
      ),
    ).toBe("malformed");
    const [item] = parseFeed(
      "<rss><channel><item><title>&nbsp;&amp;amp;&#0;&#xD800;</title></item></channel></rss>",
    );
    expect(item!.get("title")).toBe("&nbsp;&amp;");
  });

  it.each([
    ["<!doctype html><html></html>", "blocked"],
    ["<html><body></body></html>", "blocked"],
    ["", "malformed"],
    ["{}", "malformed"],
    ["<rss><channel>", "malformed"],
    ["<rss><channel><item><title>a</title></channel></rss>", "malformed"],
    ["<opml></opml>", "malformed"],
  ])("is not %j", (xml, kind) => {
    expect(kindOf(xml)).toBe(kind);
  });

  it("has at most 200 items, each element at most 4,000 characters", () => {
    const items = Array.from({ length: 300 }, (_, i) => ({ title: `${i} ${"x".repeat(9_000)}` }));
    const read = parseFeed(rssOf("long", items));
    expect(read).toHaveLength(200);
    expect(read[0]!.get("title")).toHaveLength(4_000);
  });

  it("parses or rejects any text, and returns the written values", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) =>
        ["read", "malformed", "blocked"].includes(kindOf(text)),
      ),
    );
    const plain = fc.stringMatching(/^[a-zA-Z0-9&<>"' .,;-]{1,80}$/).filter((text) => text.trim() !== "");
    fc.assert(
      fc.property(plain, (title) => {
        expect(parseFeed(rssOf("x", [{ title }]))[0]!.get("title")).toBe(title.trim());
      }),
    );
  });
});

describeWithData(
  "a recorded feed of 2026-08",
  ["fixtures", "news", "google_news_rss_2026-08-05.xml"],
  (file) => {
    it("is parsed item by item", () => {
      const items = parseFeed(readFileSync(file, "utf8"));
      expect(items).toHaveLength(6);
      expect(items[0]!.get("title")).toBe(
        "Middle East War Triggers New Global Refining Boom - Crude Oil Prices Today | OilPrice.com",
      );
      expect(Date.parse(items[0]!.get("pubDate")!)).toBe(Date.UTC(2026, 7, 5));
    });
  },
);
