import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Tool } from "../../src/kernel/tool.ts";
import * as catalogue from "../../tools/index.ts";

const FILE = new URL("../../docs/views.md", import.meta.url);
const tools = (Object.values(catalogue) as unknown as readonly Tool[]).filter(
  ({ view }) => view !== undefined,
);
const list = (names: readonly string[]): string =>
  names.length === 0
    ? "none"
    : [...new Set(names)]
        .sort()
        .map((name) => `\`${name}\``)
        .join(", ");

/** One row per view: its tools, and the tools that it may call. */
const rows = [...new Set(tools.map(({ view }) => view!.name))].sort().map((name) => {
  const own = tools.filter(({ view }) => view!.name === name);
  const called = own.flatMap(({ view }) => view!.calls ?? []);
  return `| \`${name}\` | ${list(own.map((tool) => tool.name))} | ${list(called)} |`;
});

it("docs/views.md lists every view with its tools; UPDATE_VIEWS=1 writes it", () => {
  const text = readFileSync(FILE, "utf8");
  const expected = text.replace(
    /<!-- views -->\n[\s\S]*?<!-- \/views -->/,
    () => `<!-- views -->\n${rows.join("\n")}\n<!-- /views -->`,
  );
  if (process.env.UPDATE_VIEWS === "1") writeFileSync(FILE, expected);
  expect(readFileSync(FILE, "utf8")).toBe(expected);
});
