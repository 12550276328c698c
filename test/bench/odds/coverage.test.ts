import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pastCoverage } from "../../../src/analytics/odds/past-coverage.ts";
import type { AssetClass } from "../../../src/domain/market/market.ts";
import { coverageJson } from "./coverage.ts";
import type { Section } from "./results.ts";

const percent = (share: number) => Number((100 * share).toFixed(1));

describe("the published coverage", () => {
  it("has the coverage of each asset class as shares", () => {
    const section = (assetClass: "equity" | "crypto", cover: readonly number[]) =>
      ({
        assetClass,
        files: 3,
        paths: [{ horizon: 5, forecasts: 120, cover }],
        planErrors: [
          { assetClass, side: "LONG", plans: 600, error: { value: 0.0204, low: 0.01, high: 0.0316 } },
          { assetClass, side: "SHORT", plans: 1, error: { value: 0.2, low: null, high: null } },
        ],
      }) as unknown as Section;
    const text = coverageJson(
      [section("equity", [0.5, 0.8006, 0.91]), section("crypto", [0.4, 0.7, 1])],
      "2026-01-31",
    );
    expect(JSON.parse(text)).toEqual({
      measured: "2026-01-31",
      us: { files: 3, horizons: { 5: { forecasts: 120, cover_50: 0.5, cover_80: 0.801, cover_90: 0.91 } } },
      crypto: { files: 3, horizons: { 5: { forecasts: 120, cover_50: 0.4, cover_80: 0.7, cover_90: 1 } } },
      plan_errors: {
        "equity LONG": { plans: 600, error: 0.02, error_95: 0.032 },
        "equity SHORT": { plans: 1, error: 0.2, error_95: null },
        "crypto LONG": { plans: 600, error: 0.02, error_95: 0.032 },
        "crypto SHORT": { plans: 1, error: 0.2, error_95: null },
      },
    });
  });

  it.each<[AssetClass, string]>([
    ["equity", "## US stocks and funds: us_daily"],
    ["crypto", "## Coins: crypto_daily"],
  ])("is that of docs/odds.md: %s", (assetClass, heading) => {
    const page = readFileSync(new URL("../../../docs/odds.md", import.meta.url), "utf8");
    const section = page.slice(page.indexOf(`${heading}\n`));
    const rowOf = (name: string) => {
      const row = section.split("\n").find((line) => line.startsWith(`| ${name} `));
      return row!
        .split("|")
        .slice(2, 5)
        .map((cell) => Number(cell.replaceAll(",", "")));
    };
    const coverage = pastCoverage(assetClass, "1d");
    expect(coverage.map(({ forecasts }) => forecasts)).toEqual(rowOf("forecasts"));
    expect(coverage.map(({ cover_50 }) => percent(cover_50))).toEqual(rowOf("coverage of the 50 % range, %"));
    expect(coverage.map(({ cover_80 }) => percent(cover_80))).toEqual(rowOf("coverage of the 80 % range, %"));
    expect(coverage.map(({ cover_90 }) => percent(cover_90))).toEqual(rowOf("coverage of the 90 % range, %"));
  });
});
