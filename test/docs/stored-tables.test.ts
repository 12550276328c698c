import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { INITIAL_TABLES } from "../../src/store/migrations/0001-initial.ts";
import { BASE_TABLES } from "../../src/store/migrations/0002-base-results.ts";
import { PRINT_TABLES } from "../../src/store/migrations/0003-prints.ts";
import { ODDS_TABLES } from "../../src/store/migrations/0004-odds-forecasts.ts";
import { ANSWER_TABLES } from "../../src/store/migrations/0005-odds-answers.ts";
import { NO_SPLIT_TABLES } from "../../src/store/migrations/0006-no-splits.ts";
import { TABLE_NAMES } from "../../src/store/migrations/0008-plain-names.ts";
import { USAGE_TABLES } from "../../src/store/migrations/0009-usage.ts";
import { RESTORE_TABLES } from "../../src/store/migrations/0010-restores.ts";
import { CALL_TABLES } from "../../src/store/migrations/0011-calls.ts";
import { BROWSER_TABLES } from "../../src/store/migrations/0012-browser-sessions.ts";
import { DRAWN_LEVEL_TABLES } from "../../src/store/migrations/0013-drawn-levels.ts";

it("docs/operations.md names the bound of every table once", () => {
  const text = readFileSync(new URL("../../docs/operations.md", import.meta.url), "utf8");
  const [, table = ""] = /<!-- tables -->(.*?)<!-- \/tables -->/s.exec(text) ?? [];
  const named = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
  );
  expect(named.toSorted()).toEqual(
    Object.keys({
      ...INITIAL_TABLES,
      ...BASE_TABLES,
      ...PRINT_TABLES,
      ...ODDS_TABLES,
      ...ANSWER_TABLES,
      ...NO_SPLIT_TABLES,
      ...USAGE_TABLES,
      ...RESTORE_TABLES,
      ...CALL_TABLES,
      ...BROWSER_TABLES,
      ...DRAWN_LEVEL_TABLES,
    })
      .map((name) => (TABLE_NAMES as Readonly<Record<string, string>>)[name] ?? name)
      .sort(),
  );
});
