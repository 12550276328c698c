import { expect, it } from "vitest";
import { alignedTable } from "../../src/lib/aligned-table.ts";

it("aligns the first column to the left and all others to the right", () => {
  expect(
    alignedTable([
      ["date", "close"],
      ["2026-01-14", "9"],
    ]),
  ).toEqual(["date        close", "2026-01-14      9"]);
});
