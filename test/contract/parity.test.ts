import { describe, expect, it } from "vitest";
import { FULL } from "../support/draws.ts";
import { exampleCases, useParity } from "../support/parity.ts";

describe("one tool definition over every transport, with the simulated market", () => {
  const { callEverywhere, clients } = useParity("sample");

  it("opens both MCP protocols, SSE, stdio, REST, the command line, and A2A in both versions and bindings", () => {
    expect(clients().map(({ name }) => name)).toEqual([
      "REST",
      "MCP 2026-07-28",
      "MCP 2025-11-25",
      "MCP over SSE",
      "stdio",
      "command line",
      "A2A 1.0 JSON-RPC",
      "A2A 1.0 HTTP+JSON",
      "A2A 0.3 JSON-RPC",
    ]);
  });

  it.each(exampleCases(FULL ? undefined : 1))(
    "returns one response at one cost: $name, $question",
    async ({ tool, input }) => {
      const { answer, burst, day } = await callEverywhere(tool, { ...input });
      expect(answer).toHaveProperty("data");
      expect({ burst, day }).toEqual({ burst: 1, day: 1 });
    },
  );
});
