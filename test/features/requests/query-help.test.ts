import { describe, expect, it } from "vitest";
import { withQueryHelp } from "../../../src/features/requests/query-help.ts";
import { readQuestion, symbols } from "./parsed-question.ts";

describe("the help of a language model", () => {
  it("names nothing that the question excludes", async () => {
    const query = "news, but don't tell me about Apple";
    const queryHelp = { read: async () => ({ intent: null, texts: ["Apple", "Nvidia"] }) };
    const { reading } = await withQueryHelp(query, readQuestion(query, symbols), {
      queryHelp,
      symbols,
      signal: new AbortController().signal,
    });
    expect(reading.excluded.map(({ text }) => text)).toEqual(["Apple"]);
    expect(reading.mentions.map(({ text }) => text)).toEqual(["NVDA"]);
  });

  it("is not called for questions on the whole market or a portfolio", async () => {
    let calls = 0;
    const read = async () => {
      calls++;
      return { intent: null, texts: [] };
    };
    const { signal } = new AbortController();
    const help = (query: string, isComplete: boolean) =>
      withQueryHelp(
        query,
        readQuestion(query, symbols),
        { queryHelp: { read }, symbols, signal },
        isComplete,
      );
    await help("What is Congress buying?", true);
    await help("how is my portfolio doing", false);
    expect(calls).toBe(0);
    await help("blorb the fnord", false);
    expect(calls).toBe(1);
  });
});
