import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { catalogue } from "../../../src/app/catalogue.ts";
import type { Principal } from "../../../src/domain/accounts/access.ts";
import asks from "../../../src/features/tool-search/asks.json" with { type: "json" };
import { createToolSearch } from "../../../src/features/tool-search/find.ts";
import type { Tool } from "../../../src/kernel/tool.ts";

/** A request of a user, and the tools that may answer it first. */
interface Ask {
  readonly ask: string;
  readonly tools: readonly string[];
}

const tools: readonly Tool[] = Object.values(catalogue);
const search = createToolSearch(() => tools);
const owner: Principal = { account: "owner", plan: "enterprise", scopes: ["read", "write", "trade:paper"] };
const MIN_SHARE = 0.9;

const readAsks = (file: string): readonly Ask[] =>
  JSON.parse(readFileSync(new URL(`../../bench/asks/${file}`, import.meta.url), "utf8"));

describe("the requests by tool", () => {
  it("name existing tools, and have none twice", () => {
    const names = new Set(tools.map(({ name }) => name));
    expect(Object.keys(asks).filter((name) => !names.has(name))).toEqual([]);
    const all = Object.values<readonly string[]>(asks).flat();
    expect(all.length - new Set(all).size).toBe(0);
  });

  it("contain none of the held-out requests", () => {
    const all = new Set(Object.values<readonly string[]>(asks).flat());
    expect(readAsks("held-out.json").filter(({ ask }) => all.has(ask))).toEqual([]);
  });
});

describe("a request of a user", () => {
  it.each(["tuning.json", "held-out.json"])(
    "finds the right tool first for at least 90 %% of %s",
    async (file) => {
      const requests = readAsks(file);
      const missed: string[] = [];
      for (const { ask, tools: right } of requests) {
        const { tools: found } = await search.find(ask, { principal: owner, limit: 1, readonly: false });
        if (!right.includes(found[0]?.name ?? "")) missed.push(ask);
      }
      expect(requests).toHaveLength(100);
      expect(1 - missed.length / requests.length).toBeGreaterThanOrEqual(MIN_SHARE);
    },
  );
});
