import { describe, expect, it } from "vitest";
import type { CorporateActions } from "../../src/domain/market/corporate-actions.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { getCorporateActions } from "../../tools/get-corporate-actions.ts";
import { pro } from "../support/context.ts";
import { simulatedMarket, smallMarket } from "../support/market.ts";
import { toolContract } from "../support/tool-contract.ts";

const { ports } = smallMarket();
const plain = (_style: string, text: string) => text;
const ACTIONS: CorporateActions = {
  splits: [
    { date: "2020-08-31", ratio: 4 },
    { date: "2025-12-10", ratio: 0.1 },
  ],
  dividends: [
    { date: "2025-11-10", amount: 0.26 },
    { date: "2026-01-09", amount: 0.27 },
  ],
};
/** Calls the tool over bars that carry these actions; undefined: the provider does not report any. */
function call(symbol: string, actions?: CorporateActions) {
  const requests: unknown[] = [];
  const bars: typeof ports.bars = {
    async history(instrument, request) {
      requests.push(request.actions);
      const series = await ports.bars.history(instrument, request);
      return { ...series, ...(actions && { actions }) };
    },
  };
  const answer = invoke(
    getCorporateActions,
    { symbol },
    { ports: { ...ports, bars }, principal: pro, transport: "test" },
  );
  return { answer, requests };
}

describe("get_corporate_actions", () => {
  it("returns splits and dividends within the bars, newest first, from a provider that reports them", async () => {
    const { answer, requests } = call("AAPL", ACTIONS);
    expect(await answer).toMatchObject({
      symbol: "AAPL",
      asset_class: "equity",
      splits: [{ date: "2025-12-10", ratio: 0.1 }],
      dividends: [
        { date: "2026-01-09", amount: 0.27 },
        { date: "2025-11-10", amount: 0.26 },
      ],
      notes: [],
    });
    expect(requests).toEqual([true]);
  });

  it("is null with the reason if they are not known, never an empty list", async () => {
    expect(await call("AAPL").answer).toMatchObject({
      splits: null,
      dividends: null,
      notes: ["fixture does not report splits", "fixture does not report dividends"],
    });
    expect(await call("AAPL", { ...ACTIONS, dividends: null }).answer).toMatchObject({
      splits: [{ ratio: 0.1 }],
      dividends: null,
    });
  });

  it("says that tokens have none", async () => {
    const { answer, requests } = call("BTC-USD");
    expect(await answer).toMatchObject({
      splits: [],
      dividends: [],
      notes: ["Tokens have no splits and no dividends."],
    });
    expect(requests).toEqual([undefined]);
  });

  it("prints one line per split and dividend", async () => {
    const text = getCorporateActions.terminal!(await call("AAPL", ACTIONS).answer, plain).split("\n");
    expect(text.slice(1)).toEqual([
      "2025-12-10  split 1:10",
      "2026-01-09  dividend 0.27 USD",
      "2025-11-10  dividend 0.26 USD",
    ]);
  });

  it("has simulated quarterly dividends in the sample market, which later bars do not change", async () => {
    const read = async (at: string) => {
      const options = { ports: simulatedMarket(at), principal: pro, transport: "test" } as const;
      return (await invoke(getCorporateActions, { symbol: "AAPL" }, options)).dividends!;
    };
    const [before, after] = [await read("2026-01-15T00:00:00Z"), await read("2026-01-20T00:00:00Z")];
    expect(before).toHaveLength(8);
    expect(after.slice(0, 4)).toEqual(before.slice(0, 4));
    for (const { date, amount } of before) {
      expect([2, 5, 8, 11]).toContain(Number(date.slice(5, 7)));
      expect(amount).toBeGreaterThan(0);
    }
  });
});

describe("get_corporate_actions from and to", () => {
  it("returns the actions of a range, and refuses years with from", async () => {
    const bars: typeof ports.bars = {
      history: async (instrument, request) => ({
        ...(await ports.bars.history(instrument, request)),
        actions: ACTIONS,
      }),
    };
    const ask = (input: object) =>
      invoke(
        getCorporateActions,
        { symbol: "AAPL", ...input },
        {
          ports: { ...ports, bars },
          principal: pro,
          transport: "test",
        },
      );
    expect(await ask({ from: "2025-11-11", to: "2026-01-08" })).toMatchObject({
      splits: [{ date: "2025-12-10" }],
      dividends: [],
    });
    expect((await ask({ to: "2025-11-10" })).dividends).toEqual([{ date: "2025-11-10", amount: 0.26 }]);
    expect((await ask({ from: "1990-01-01" })).notes).toContain("Only the last 10 years are covered");
    await expect(ask({ years: 3, from: "2025-01-01" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });
});

toolContract(getCorporateActions, { ports });
