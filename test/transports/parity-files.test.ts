import { describe, expect, it } from "vitest";
import { getHistory } from "../../tools/get-history.ts";
import { getQuote } from "../../tools/get-quote.ts";
import { exampleCases, isTrading, requiredInput, toolsTaking, useParity } from "../support/parity.ts";

describe("one definition, every transport, over a folder of bars", () => {
  const { callEverywhere } = useParity("files");

  it.each(exampleCases(1))("returns one answer at one cost: $name, $question", async ({ tool, input }) => {
    const { answer, burst, day } = await callEverywhere(tool, { ...input });
    // closes of files are too old to trade at
    if (!isTrading(tool)) expect(answer).toHaveProperty("data");
    expect({ burst, day }).toEqual({ burst: 1, day: 1 });
  });

  it.each(toolsTaking("symbol"))("refuses an unknown symbol alike: $name", async (tool) => {
    const refused = await callEverywhere(tool, { ...requiredInput(tool), symbol: "ZZZZQ" });
    expect(refused).toEqual({ answer: { code: "UNKNOWN_SYMBOL" }, burst: 1, day: 1 });
  });

  it("refuses a fractional limit alike", async () => {
    const { answer } = await callEverywhere(getHistory, { symbol: "AAPL", limit: 1.5 });
    expect(answer).toEqual({ code: "INVALID_INPUT" });
  });

  it("refuses a symbol without a file alike", async () => {
    expect((await callEverywhere(getQuote, { symbol: "KO" })).answer).toEqual({ code: "NO_PRICE" });
  });
});
