import { describe, expect, it } from "vitest";
import { z } from "zod";
import { catalogue } from "../../src/app/catalogue.ts";
import { defineTool, type Tool } from "../../src/kernel/tool.ts";
import { lint } from "../support/definition-lint.ts";

const tools: readonly Tool[] = Object.values(catalogue);
const names = tools.map(({ name }) => name);

/** Returns what is missing in the definition, by lint rule. */
const missingIn = (tool: Tool) =>
  Object.fromEntries(lint(tool, names).findings.map(({ rule, missing }) => [rule, missing]));

const good = {
  name: "get_rain",
  title: "Get rain",
  description:
    "Rain of one town in millimetres, by hour and day, with its source. Use it for wet days. A price is in get_quote.",
  toolset: "market",
  plan: "member",
  effect: "read",
  route: "GET /api/v1/rain",
  needs: [],
  input: z.object({
    town: z.string().max(40).describe("Name of the town"),
    days: z.number().int().min(1).max(9).optional().describe("Days ahead"),
  }),
  output: z.object({
    source: z.string(),
    hour: z.array(z.object({ fell_mm: z.number().describe("Millimetres") })),
    day: z.object({ rain_percent: z.number().nullable() }),
  }),
  examples: [{ ask: "Will it rain in Ghent?", input: { town: "Ghent", days: 2 } }],
  handler: () => ({ source: "", hour: [], day: { rain_percent: null } }),
} as const;

describe("the lint of definitions", () => {
  it("finds nothing missing in a complete definition", () => {
    expect(lint(defineTool(good), names)).toMatchObject({ share: 1 });
  });

  it("reports what a bare definition lacks, for every rule", () => {
    const bare = defineTool({
      ...good,
      effect: "write",
      route: "POST /api/v1/rain",
      description: "It rains.",
      input: z.object({ town: z.string(), towns: z.array(z.string()).max(7) }),
      output: z.object({ source: z.string(), a: z.string(), b: z.string(), wet: z.number().nullable() }),
      examples: [{ ask: "Rain?", input: { town: "Ghent" } as never }],
      handler: () => ({ source: "", a: "", b: "", wet: null }),
    });
    expect(missingIn(bare)).toEqual({
      "when to use it": ["no 'Use it for' or 'Use it when'"],
      "what instead": ["names no other tool"],
      "what it answers": ["speaks of fewer than three fields of its answer"],
      "how it behaves": ["does not say what it changes", "does not say how many towns"],
      "its parameters": [
        "town is not described",
        "town has neither unit nor values",
        "towns is not described",
      ],
      "its figures": ["wet"],
      "its examples": ["an ask is no sentence", "a field it needs is in no example"],
    });
  });

  it("requires the purpose of the other tool next to its name", () => {
    const curt = defineTool({ ...good, description: `${good.description} See get_news.` });
    expect(missingIn(curt)).toMatchObject({ "what instead": ["does not say for what the other is"] });
  });
});

describe("every definition", () => {
  it.each(tools.map((tool) => [tool.name, tool] as const))(
    "%s meets at least four fifths of the lint requirements",
    (_, tool) => {
      expect(lint(tool, names).share).toBeGreaterThanOrEqual(0.8);
    },
  );
});
