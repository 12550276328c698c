import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { catalogue } from "../../../src/app/catalogue.ts";
import type { Principal } from "../../../src/domain/accounts/access.ts";
import asks from "../../../src/features/requests/learnt/asks.json" with { type: "json" };
import requests from "../../../src/features/requests/learnt/requests.json" with { type: "json" };
import type { Tool } from "../../../src/kernel/tool.ts";
import { toolSearchOf } from "../../support/requests.ts";

/** A request of a user, and the tools that may answer it first. */
interface Ask {
  readonly ask: string;
  readonly tools: readonly string[];
}

const tools: readonly Tool[] = Object.values(catalogue);
const search = toolSearchOf(tools);
const owner: Principal = { account: "owner", plan: "enterprise", scopes: ["read", "write", "trade:paper"] };

const readAsks = (file: string): readonly Ask[] =>
  JSON.parse(readFileSync(new URL(`../../bench/asks/${file}`, import.meta.url), "utf8"));

describe("the requests by tool", () => {
  it("name existing tools, and have none twice", () => {
    const names = new Set(tools.map(({ name }) => name));
    expect([asks, requests].flatMap(Object.keys).filter((name) => !names.has(name))).toEqual([]);
    const all = [asks, requests].flatMap((byTool) => Object.values<readonly string[]>(byTool).flat());
    expect(all.length - new Set(all).size).toBe(0);
  });

  it("contain none of the held-out requests", () => {
    const all = new Set(
      [asks, requests].flatMap((byTool) => Object.values<readonly string[]>(byTool).flat()),
    );
    expect(readAsks("held-out.json").filter(({ ask }) => all.has(ask))).toEqual([]);
  });
});

/** Returns the share of requests for which the right tool is found first. */
function shareFound(requests: readonly Ask[]): number {
  let right = 0;
  for (const { ask, tools: wanted } of requests) {
    const { tools: found } = search.find(ask, { principal: owner, limit: 1, readonly: false });
    if (wanted.includes(found[0]?.name ?? "")) right++;
  }
  return right / requests.length;
}

describe("the requests of users", () => {
  const [tuning, heldOut] = [readAsks("tuning.json"), readAsks("held-out.json")];

  it("are two hundred, half of them held out", () => {
    expect([tuning.length, heldOut.length]).toEqual([100, 100]);
  });

  it("find the right tool first for at least 90 % of all", async () => {
    expect(shareFound([...tuning, ...heldOut])).toBeGreaterThanOrEqual(0.9);
  });

  it("find the right tool first for at least 85 % of those that are held out", async () => {
    expect(shareFound(heldOut)).toBeGreaterThanOrEqual(0.85);
  });
});
