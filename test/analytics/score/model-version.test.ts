import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { consensus, MODEL_VERSION } from "../../../src/analytics/score/consensus.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";

/** Half a unit in the tenth digit is no other formula: engines differ in the last bits of a logarithm. */
const rounded = (_: string, value: unknown): unknown =>
  typeof value === "number" ? Number(value.toPrecision(9)) : value;

it("The version of the model names these very figures: other formulas have another name", () => {
  const figures = [1, 2, 3, 4, 5, 6].map((seed) => {
    const bars = syntheticBars(seed, 100 * seed);
    const peers = [7, 8, 9].map((other) => syntheticBars(other, 600));
    const { model_version: _, ...whole } = consensus({
      bars,
      assetClass: seed % 2 === 0 ? "equity" : "crypto",
      benchmark: syntheticBars(10, 600),
      isBenchmark: false,
      peers,
      universe: { returns: Array.from({ length: 30 }, (_, i) => i / 30), own: seed / 7, hash: "pinned" },
    });
    return whole;
  });
  const hash = createHash("sha256").update(JSON.stringify(figures, rounded)).digest("hex").slice(0, 16);
  expect({ version: MODEL_VERSION, hash }).toMatchInlineSnapshot(`
    {
      "hash": "87773035b15b9155",
      "version": "consensus-1.0.0",
    }
  `);
});
