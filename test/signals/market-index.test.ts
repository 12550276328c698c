import { describe, expect, it } from "vitest";
import { indexOver } from "../../src/signals/market-index.ts";
import { climbingBars, marketOf } from "../support/market.ts";

const { signal } = new AbortController();
const COINS = ["BTC-USD", "ETH-USD", "LTC-USD", "SOL-USD", "XRP-USD"] as const;

/** A market whose coins climb all the time. */
function stand() {
  const coin = climbingBars({ zone: "UTC", count: 400 });
  const coins = Object.fromEntries(COINS.map((name) => [name, coin]));
  const { ports, asked } = marketOf({ bars: { SPY: climbingBars(), AAPL: climbingBars(), ...coins } });
  const index = (members: readonly string[], stop = signal) =>
    indexOver({ members, symbols: ports.symbols, bars: ports.bars, signal: stop });
  return { index, asked };
}
const part = (found: Awaited<ReturnType<typeof indexOver>>, name: string) =>
  found!.parts.find((one) => one.part === name)!;

describe("the index over members", () => {
  it("counts each member once, however often it is named", async () => {
    const { index, asked } = stand();
    const found = await index([...COINS, ...COINS]);
    expect(part(found, "risk_appetite").reading).toBe(1);
    expect(asked.filter(({ symbol }) => symbol === "SOL-USD")).toHaveLength(1);
    expect(part(await index([...COINS.slice(1), ...COINS.slice(1)]), "risk_appetite").reason).toBe(
      "It takes 5 coins, the run holds 4",
    );
  });

  it("ends with its signal", async () => {
    await expect(stand().index(COINS, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
  });
});
