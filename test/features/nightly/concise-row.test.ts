import { expect, it } from "vitest";
import { invoke } from "../../../src/kernel/invoke.ts";
import { screenUniverse } from "../../../tools/screen-universe.ts";
import { pro } from "../../support/context.ts";
import { engineRunOver, runsOf } from "../../support/engine-runs.ts";
import { smallMarket } from "../../support/market.ts";

const market = smallMarket().ports;
const ports = { ...market, engineRuns: runsOf(await engineRunOver(market)) };
const ask = (input: unknown = {}) =>
  invoke(screenUniverse, input, { ports, principal: pro, transport: "test" });

it("has with detail concise only the change in percent, and the column it is sorted by", async () => {
  const { results: full } = await ask();
  const { results: concise } = await ask({ detail: "concise" });
  expect(concise).toEqual(
    full.map(({ change, volume, volume_ratio, moves_reason, other_day, ...row }) => ({
      ...row,
      ...(moves_reason !== null && { moves_reason }),
      ...(other_day !== null && { other_day }),
    })),
  );
  const { results: byVolume } = await ask({ detail: "concise", sort: "volume" });
  expect(byVolume.map(({ volume }) => volume)).toEqual(
    full.map(({ volume }) => volume!).toSorted((a, b) => b - a),
  );
  expect(byVolume[0]).not.toHaveProperty("volume_ratio");
});
