import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Alternatives } from "../../src/domain/answers.ts";
import { defineTool } from "../../src/kernel/tool.ts";

const given = {
  name: "get_thing",
  title: "t",
  description: "d",
  toolset: "system",
  plan: "member",
  effect: "read",
  route: "GET /thing",
  needs: [],
  input: z.object({ n: z.number() }),
  output: z.object({}),
  examples: [{ ask: "?", input: { n: 1 } }],
  handler: () => ({}),
} as const;

describe("a tool definition", () => {
  it("is listed by default", () => {
    expect(defineTool(given).listed).toBe(true);
    expect(defineTool({ ...given, listed: false }).listed).toBe(false);
  });

  it("rejects unknown fields without changing the given schema", () => {
    expect(defineTool(given).input.safeParse({ n: 1, m: 2 }).success).toBe(false);
    expect(given.input.safeParse({ n: 1, m: 2 }).success).toBe(true);
  });

  it("ends its terminal text with the other meanings of a name", () => {
    const output = z.object({ alternatives: Alternatives });
    const handler = () => ({ alternatives: [] });
    const { terminal } = defineTool({ ...given, output, handler, terminal: () => "BTC-USD 100" });
    const paint = (style: string, text: string) => `<${style}>${text}</>`;
    const trust = { symbol: "BTC.US", name: "Bitcoin Trust", asset_class: "etf" as const };
    expect(terminal!({ alternatives: [] }, paint)).toBe("BTC-USD 100");
    expect(terminal!({ alternatives: [trust] }, paint)).toBe(
      "BTC-USD 100\n<dim>the name may also mean BTC.US (Bitcoin Trust)</>",
    );
    expect(defineTool(given).terminal).toBeUndefined();
  });

  it("is immutable", () => {
    const tool: { title: string } = defineTool(given);
    expect(() => {
      tool.title = "other";
    }).toThrow(TypeError);
  });
});
