import { z } from "zod";
import { ERROR_CODES, ToolError } from "../../src/kernel/errors.ts";
import { defineTool, type Tool } from "../../src/kernel/tool.ts";
import { TEST_TOOL } from "./test-tool.ts";

const symbol = z.string().max(20).describe("Ticker or pair");

/** Returns its input. */
export const getEcho = defineTool({
  name: "get_echo",
  title: "Echo",
  description: "Returns its input.",
  toolset: "market",
  plan: "member",
  effect: "read",
  route: "GET /api/v1/echo/:symbol",
  http: { aliases: ["/api/echo"] },
  needs: [],
  input: z.object({
    symbol,
    limit: z.int().min(1).max(500).optional().describe("How many"),
    ratio: z.number().optional().describe("Any number"),
    deep: z.boolean().optional().describe("Yes or no"),
    tags: z.array(z.string()).max(5).optional().describe("Words"),
    detail: z.enum(["concise", "full"]).optional().describe("How much"),
  }),
  output: z.object({ ok: z.boolean().describe("true"), got: z.unknown().describe("The input") }),
  examples: [{ ask: "Say AAPL", input: { symbol: "AAPL", limit: 5 } }],
  handler: (input) => ({ ok: true, got: input }),
});

/** Public and cacheable. */
export const getHealth = defineTool({
  ...TEST_TOOL,
  name: "get_health",
  title: "Health",
  description: "Whether <the server> & its sources are well.",
  plan: "open",
  route: "GET /api/v1/health",
  needs: ["clock"],
  http: { cacheSeconds: 5 },
  output: z.object({ ok: z.boolean().describe("true"), at: z.iso.datetime().describe("Now") }),
  handler: (_, { clock }) => ({ ok: true, at: clock.now().toISOString() }),
});

/** Requires a body and the pro plan. */
export const runScan = defineTool({
  name: "run_scan",
  title: "Scan",
  description: "Ranks symbols.",
  toolset: "signal",
  plan: "pro",
  effect: "read",
  route: "POST /api/v1/scan",
  needs: ["bars"],
  input: z.object({
    symbols: z.array(symbol).min(1).max(20).describe("What to scan"),
    tier: z.enum(["HOT", "WATCH"]).optional().describe("Only this tier"),
  }),
  output: z.object({ ok: z.boolean().describe("true"), count: z.int().describe("How many") }),
  examples: [{ ask: "Scan it's two", input: { symbols: ["AAPL", "MSFT"] } }],
  handler: ({ symbols }) => ({ ok: true, count: symbols.length }),
});

/** Fails with the given code; `crash` with an unexpected error. */
export const getFailure = defineTool({
  ...TEST_TOOL,
  name: "get_failure",
  title: "Failure",
  description: "Fails.",
  plan: "member",
  route: "GET /api/v1/failure/:code",
  http: { cacheSeconds: 60 },
  input: z.object({ code: z.enum([...ERROR_CODES, "crash"]).describe("How to fail") }),
  output: z.object({ ok: z.boolean().describe("true") }),
  examples: [{ ask: "Fail", input: { code: "REFUSED" } }],
  handler: ({ code }) => {
    if (code === "crash") throw new Error("secret detail of a crash");
    throw new ToolError(code, `Failed with ${code}`, {
      hint: "Expect it.",
      data: {
        symbol: "ZZZZ",
        price: null,
        data: { price: null },
        code: "FORGED",
        status: 200,
        type: "forged",
      },
    });
  },
});

const flow = { toolset: "flow", plan: "individual", effect: "read", needs: [] } as const;
const which = z.object({ which: z.string().describe("Who answered") });

/** Has a literal path segment where another tool has a parameter. */
export const getTide = defineTool({
  ...flow,
  name: "get_tide",
  title: "Tide",
  description: "The tide.",
  route: "GET /api/options-flow/tide",
  http: { cacheSeconds: 60 },
  input: z.object({}),
  output: which,
  examples: [{ ask: "Tide?", input: {} }],
  handler: () => ({ which: "tide" }),
});

export const getFlow = defineTool({
  ...flow,
  name: "get_flow",
  title: "Flow",
  description: "The flow of one symbol.",
  route: "GET /api/options-flow/:symbol",
  input: z.object({ symbol }),
  output: which,
  examples: [{ ask: "Flow?", input: { symbol: "AAPL" } }],
  handler: ({ symbol }) => ({ which: `flow of ${symbol}` }),
});

export const getPrints = defineTool({
  ...flow,
  name: "get_prints",
  title: "Prints",
  description: "The prints of one symbol.",
  route: "GET /api/options-flow/darkpool/:symbol",
  input: z.object({ symbol }),
  output: which,
  examples: [{ ask: "Prints?", input: { symbol: "AAPL" } }],
  handler: ({ symbol }) => ({ which: `prints of ${symbol}` }),
});

const note = { toolset: "trading", plan: "pro", effect: "write", needs: [], output: which } as const;

/** Two methods on one path. */
export const saveNote = defineTool({
  ...note,
  name: "save_note",
  title: "Save",
  description: "Saves a note.",
  route: "PUT /api/v1/notes/:id",
  input: z.object({ id: z.int().describe("Number of the note"), text: z.string().describe("What it says") }),
  examples: [{ ask: "Save", input: { id: 1, text: "hello" } }],
  handler: ({ id, text }) => ({ which: `saved ${id}: ${text}` }),
});

export const dropNote = defineTool({
  ...note,
  name: "drop_note",
  title: "Drop",
  description: "Drops a note.",
  route: "DELETE /api/v1/notes/:id",
  input: z.object({ id: z.int().describe("Number of the note") }),
  examples: [{ ask: "Drop", input: { id: 1 } }],
  handler: ({ id }) => ({ which: `dropped ${id}` }),
});

export const HTTP_TOOLS: readonly Tool[] = [
  getEcho,
  getHealth,
  runScan,
  getFailure,
  getFlow,
  getTide,
  getPrints,
  saveNote,
  dropNote,
];
