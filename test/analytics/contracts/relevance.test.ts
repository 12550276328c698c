import { describe, expect, it } from "vitest";
import { tickerMatcher, topicShare } from "../../../src/analytics/contracts/relevance.ts";
import { contract } from "../../support/contracts.ts";

describe("a ticker in a text", () => {
  it.each([
    ["Will Meta Platforms, Inc. (META) hit $660?", "META"],
    ["Will $META rise?", "META"],
    ["Will META rise?", "META"],
    ["What about BRK.B?", "BRK.B"],
    ["Is (F) fine?", "F"],
    ["Will $V be above $340?", "V"],
  ])("is named in %j", (text, ticker) => {
    expect(tickerMatcher(ticker)(text)).toBe(true);
  });

  it.each([
    ["Will Metaplanet buy more?", "META"],
    ["Will METAX rise?", "META"],
    ["The metaverse", "META"],
    ["WILL META RISE?", "META"], // everything is in capitals
    ["Will it go ON?", "ON"],
    ["Will the CEO resign?", "CEO"],
    ["Is an IPO near?", "IPO"],
    ["F1 winner?", "F"],
    ["Will BRKxB rise?", "BRK.B"],
    ["Will $VTI rise?", "V"],
  ])("is not in %j", (text, ticker) => {
    expect(tickerMatcher(ticker)(text)).toBe(false);
  });
});

describe("a topic", () => {
  const share = (topic: string, over: Parameters<typeof contract>[0]) =>
    topicShare(contract({ question: "?", outcome: "Yes", event_title: "", ...over }), topic);

  it("matches a text with all of its words, in any form", () => {
    expect(share("Fed rate cut", { question: "Will the Fed cut rates by 25 bps?" })).toBe(1);
    expect(share("fed rate cuts", { question: "Federal Reserve cutting interest rates" })).toBe(1);
  });

  it("matches words in outcomes, event titles and keywords", () => {
    const filed = {
      question: "Decision in October?",
      outcome: "Cut 25bps",
      event_title: "Fed decision",
      keywords: ["Interest Rates"],
    };
    expect(share("Fed rate cut", filed)).toBe(1);
    expect(share("Fed rate cut", { ...filed, keywords: [] })).toBeCloseTo(2 / 3, 12);
  });

  it("does not match a text that shares one word or lacks the first", () => {
    expect(share("Fed rate cut", { question: "CA-18 House winner?" })).toBe(0);
    expect(share("Fed rate cut", { question: "Will the Fed chair resign?" })).toBe(0);
    expect(share("Fed rate cut", { question: "Will the Bank of England cut its rate?" })).toBe(0);
  });

  it("of stop words only matches no text", () => {
    expect(share("will it be", { question: "Will it be?" })).toBe(0);
  });
});
