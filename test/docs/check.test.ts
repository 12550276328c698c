import { expect, it } from "vitest";
import { RULE_TERMS } from "../../src/analytics/risk/verdict.ts";
import { documentText } from "./documents.ts";

it("docs/check.md names every rule in its table, and no other", () => {
  const section = documentText("docs/check.md").split("\n## Rules\n")[1]!.split("\n## ")[0]!;
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  const named = rows.flatMap((row) =>
    [...row.split("|")[1]!.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name!),
  );
  expect(named.toSorted()).toEqual(Object.keys(RULE_TERMS).toSorted());
});
