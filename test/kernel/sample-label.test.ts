import { expect, it } from "vitest";
import { z } from "zod";
import { invoke } from "../../src/kernel/invoke.ts";
import { carriesPrices, isSimulated } from "../../src/kernel/sample-label.ts";
import { defineTool } from "../../src/kernel/tool.ts";
import { member, sampleMarket, testPorts } from "../support/context.ts";
import { getEcho, runScan } from "../support/http-tools.ts";

it("labels exactly the prices of the simulated market", () => {
  expect([carriesPrices(runScan), carriesPrices(getEcho)]).toEqual([true, false]);
  expect(isSimulated(runScan, sampleMarket)).toBe(true);
  expect(isSimulated(getEcho, sampleMarket)).toBe(false);
  expect(isSimulated(runScan, { mode: "files" })).toBe(false);
});

const definition = {
  name: "get_price",
  title: "Get price",
  description: "Returns a price.",
  toolset: "market",
  plan: "member",
  effect: "read",
  route: "GET /price",
  input: z.object({}),
  output: z.object({ price: z.number() }),
  examples: [{ ask: "Price?", input: {} }],
  handler: () => ({ price: 1 }),
} as const;
const priced = defineTool({ ...definition, needs: ["quotes"] });
const unpriced = defineTool({ ...definition, needs: ["clock"] });

it.each(["sample", "files", "live"] as const)(
  "is a field of answers with simulated data only: %s",
  async (mode) => {
    const ports = testPorts({ market: { mode, id: "test" }, quotes: { latest: () => Promise.reject() } });
    const call = { ports, principal: member, transport: "test" };
    const label = mode === "sample" ? { label: "SAMPLE (simulated)" } : {};
    expect(await invoke(priced, {}, call)).toEqual({ price: 1, ...label });
    expect(await invoke(unpriced, {}, call)).toEqual({ price: 1 });
    expect(Object.keys(priced.output.shape)).toEqual(["price", "understood", "label"]);
    expect(Object.keys(unpriced.output.shape)).toEqual(["price", "understood"]);
  },
);
