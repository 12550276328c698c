import type { Section } from "./results.ts";
import { COVERS } from "./walk.ts";

/** Returns the JSON of the coverage that `get_odds` publishes, by asset class and number of bars, and of the errors of plans. */
export function coverageJson(sections: readonly Section[], day: string): string {
  const classes = sections.map(({ assetClass, files, paths }) => {
    const rows = paths.map(({ horizon, forecasts, cover }) => {
      const covers = COVERS.map((range, i) => `"cover_${100 * range}": ${Number(cover[i]!.toFixed(3))}`);
      return `      "${horizon}": { "forecasts": ${forecasts}, ${covers.join(", ")} }`;
    });
    const horizons = `"horizons": {\n${rows.join(",\n")}\n    }`;
    return `  "${assetClass === "crypto" ? "crypto" : "us"}": {\n    "files": ${files},\n    ${horizons}\n  }`;
  });
  const errors = sections
    .flatMap(({ planErrors }) => planErrors)
    .map(({ assetClass, side, plans, error }) => {
      const [usual, most] = [error.value, error.high].map((figure) => figure && Number(figure.toFixed(3)));
      return `    "${assetClass} ${side}": { "plans": ${plans}, "error": ${usual}, "error_95": ${most} }`;
    });
  return `{\n  "measured": "${day}",\n${classes.join(",\n")},\n  "plan_errors": {\n${errors.join(",\n")}\n  }\n}\n`;
}
