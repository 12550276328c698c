import { describe, expect, it } from "vitest";
import { withAlternativesHint } from "../../../src/features/signal/missing-data.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { directoryOf } from "../../support/market.ts";

const symbols = directoryOf(["AAPL", "LINK-USD"]);
const fails =
  (code: "NO_PRICE" | "DEADLINE", hint = "Ask for AAPL.") =>
  async () => {
    throw new ToolError(code, "None", { hint, data: { symbol: "x" } });
  };

describe("withAlternativesHint", () => {
  it("suggests the alternative that the market has when it lacks the chosen instrument", async () => {
    await expect(
      withAlternativesHint(symbols.resolve("LINK"), symbols, fails("NO_PRICE")),
    ).rejects.toMatchObject({
      code: "NO_PRICE",
      hint: "The name may also mean LINK-USD (Chainlink), which this market has.",
      data: { symbol: "x", alternatives: [{ symbol: "LINK-USD", asset_class: "crypto" }] },
    });
  });

  it("keeps the original hint when the market has neither", async () => {
    const neither = directoryOf(["AAPL"]);
    await expect(
      withAlternativesHint(neither.resolve("LINK"), neither, fails("NO_PRICE")),
    ).rejects.toMatchObject({
      hint: "Ask for AAPL.",
      data: { alternatives: [{ symbol: "LINK-USD" }] },
    });
  });

  it("does not change other errors or answers", async () => {
    const late = withAlternativesHint(symbols.resolve("LINK"), symbols, fails("DEADLINE"));
    await expect(late).rejects.toMatchObject({ code: "DEADLINE", data: { symbol: "x" } });
    await expect(
      withAlternativesHint(symbols.resolve("AAPL"), symbols, fails("NO_PRICE")),
    ).rejects.not.toHaveProperty("data.alternatives");
    expect(await withAlternativesHint(symbols.resolve("LINK"), symbols, async () => 7)).toBe(7);
  });
});
