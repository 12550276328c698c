import { describe, expect, it } from "vitest";
import { getHistory } from "../../tools/get-history.ts";
import { getQuote } from "../../tools/get-quote.ts";
import { exampleCases, isTrading, requiredInput, toolsTaking, useParity } from "../support/parity.ts";

describe("one tool definition over every transport, with a folder of bars", () => {
  const { callEverywhere } = useParity("files");

  it.each(exampleCases(1))("returns one response at one cost: $name, $question", async ({ tool, input }) => {
    const { answer, burst, day } = await callEverywhere(tool, { ...input });
    // closes from files are too old to trade at, and for a claim, which is dated now
    if (!isTrading(tool) && tool.name !== "record_claim") expect(answer).toHaveProperty("data");
    expect({ burst, day }).toEqual({ burst: 1, day: 1 });
  });

  it.each(toolsTaking("symbol"))("rejects an unknown symbol with the same error: $name", async (tool) => {
    const refused = await callEverywhere(tool, { ...requiredInput(tool), symbol: "ZZZZQ" });
    expect(refused).toEqual({ answer: { code: "UNKNOWN_SYMBOL" }, burst: 1, day: 1 });
  });

  it("rejects a fractional limit with the same error", async () => {
    const { answer } = await callEverywhere(getHistory, { symbol: "AAPL", limit: 1.5 });
    expect(answer).toEqual({ code: "INVALID_INPUT" });
  });

  it("rejects a symbol without a file with the same error", async () => {
    expect((await callEverywhere(getQuote, { symbol: "KO" })).answer).toEqual({ code: "NO_PRICE" });
  });
});
