import { describe, expect, it } from "vitest";
import { FULL } from "../support/draws.ts";
import { exampleCases, useParity } from "../support/parity.ts";

const ALL = [
  "REST",
  "MCP 2026-07-28",
  "MCP 2025-11-25",
  "MCP over SSE",
  "stdio",
  "command line",
  "A2A 1.0 JSON-RPC",
  "A2A 1.0 HTTP+JSON",
  "A2A 0.3 JSON-RPC",
];
/** One client of each kind for the first example of each tool; with TEST_SCALE=full, every client and every example. */
const [NAMES, EXAMPLES] = FULL
  ? [ALL, undefined]
  : [["REST", "MCP 2026-07-28", "command line", "A2A 1.0 JSON-RPC"], 1];

describe("one tool definition over every transport, with the simulated market", () => {
  const { callEverywhere, clients } = useParity("sample", NAMES);

  it("opens REST, MCP, the command line and A2A; at full scale in every version and binding", () => {
    expect(clients().map(({ name }) => name)).toEqual(NAMES);
  });

  it.each(exampleCases(EXAMPLES))(
    "returns one response at one cost: $name, $question",
    async ({ tool, input }) => {
      const { answer, burst, day } = await callEverywhere(tool, { ...input });
      expect(answer).toHaveProperty("data");
      expect({ burst, day }).toEqual({ burst: 1, day: 1 });
    },
  );
});
