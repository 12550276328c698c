import { describe, expect, it } from "vitest";
import { withHelp } from "../../../src/features/questions/helped.ts";
import { readQuery } from "../../../src/features/questions/language/read-query.ts";
import { createDirectory } from "../../../src/market/symbols/directory.ts";
import { LISTINGS } from "../../../src/providers/sample/listing.ts";

const symbols = createDirectory({ members: LISTINGS.map(({ instrument }) => instrument) });

describe("the help of a language model", () => {
  it("names nothing that the question leaves aside", async () => {
    const query = "news, but don't tell me about Apple";
    const queryHelp = { read: async () => ({ intent: null, texts: ["Apple", "Nvidia"] }) };
    const { reading } = await withHelp(query, readQuery(query, symbols), {
      queryHelp,
      symbols,
      signal: new AbortController().signal,
    });
    expect(reading.excluded.map(({ text }) => text)).toEqual(["Apple"]);
    expect(reading.mentions.map(({ text }) => text)).toEqual(["NVDA"]);
  });

  it("is not asked for where the whole market or a portfolio is meant", async () => {
    let asked = 0;
    const read = async () => {
      asked++;
      return { intent: null, texts: [] };
    };
    const { signal } = new AbortController();
    const help = (query: string, isWhole: boolean) =>
      withHelp(query, readQuery(query, symbols), { queryHelp: { read }, symbols, signal }, isWhole);
    await help("What is Congress buying?", true);
    await help("how is my portfolio doing", false);
    expect(asked).toBe(0);
    await help("blorb the fnord", false);
    expect(asked).toBe(1);
  });
});
