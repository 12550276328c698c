import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { getSignal } from "../../tools/get-signal.ts";
import { interpretQuery } from "../../tools/interpret-query.ts";
import { pro } from "../support/context.ts";
import { taskMarket } from "../support/market.ts";
import { toolContract } from "../support/tool-contract.ts";

const ports = taskMarket([getSignal]);
const ask = (query: string) => invoke(interpretQuery, { query }, { ports, principal: pro, door: "test" });

describe("interpret_query", () => {
  it("answers with the signal of what the question names, and says how it was read", async () => {
    const answer = await ask("What is the signal on Apple?");
    expect(answer).toMatchObject({
      ok: true,
      query: "What is the signal on Apple?",
      market: "sample",
      timeframe: null,
      symbols: [{ text: "Apple", symbol: "AAPL", name: "Apple", asset_class: "equity" }],
      failed: 0,
    });
    expect(answer.results).toMatchObject([
      {
        symbol: "AAPL",
        skill: "get_signal",
        data: { data: { signal: { symbol: "AAPL", timeframe: "1d" } } },
      },
    ]);
  });

  it("takes the bar length from the question", async () => {
    const answer = await ask("bitcoin on the 4h chart");
    expect(answer.timeframe).toBe("4h");
    expect(answer.results[0]!.data).toMatchObject({
      data: { signal: { symbol: "BTC-USD", timeframe: "4h" } },
    });
  });

  it("says what to name when it finds nothing, and never guesses", async () => {
    await expect(ask("should I buy now?")).rejects.toMatchObject({
      code: "INVALID_INPUT",
      hint: expect.stringContaining("Name one, such as AAPL"),
    });
  });

  it("answers no other bars than those asked for", async () => {
    await expect(ask("AAPL on the weekly chart")).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: 'There are no bars of the length "weekly"',
      hint: "Bar lengths: 1d, 4h, 1h, 30m, 15m, 5m.",
    });
  });

  it("refuses more symbols than one call may ask for", async () => {
    const many =
      "all of AAPL MSFT NVDA TSLA AMD INTC ORCL CRM CSCO ADBE IBM QCOM TXN INTU PLTR AMAT MU LRCX ADI PANW SNPS";
    await expect(ask(many)).rejects.toMatchObject({ message: "The query names more than 20 symbols" });
  });
});

toolContract(interpretQuery, { ports });
