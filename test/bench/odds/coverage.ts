import type { Section } from "./results.ts";
import { COVERS } from "./walk.ts";

/** Returns the JSON of the coverage that `get_odds` publishes, by asset class and number of bars. */
export function coverageJson(sections: readonly Section[], day: string): string {
  const classes = sections.map(({ assetClass, files, paths }) => {
    const rows = paths.map(({ horizon, forecasts, cover }) => {
      const covers = COVERS.map((range, i) => `"cover_${100 * range}": ${Number(cover[i]!.toFixed(3))}`);
      return `      "${horizon}": { "forecasts": ${forecasts}, ${covers.join(", ")} }`;
    });
    const horizons = `"horizons": {\n${rows.join(",\n")}\n    }`;
    return `  "${assetClass === "crypto" ? "crypto" : "us"}": {\n    "files": ${files},\n    ${horizons}\n  }`;
  });
  return `{\n  "measured": "${day}",\n${classes.join(",\n")}\n}\n`;
}
