import { z } from "zod";
import type { Automation } from "../../../src/domain/agents/automation-port.ts";
import { createRegistry } from "../../../src/kernel/registry.ts";
import { defineTool, type Tool } from "../../../src/kernel/tool.ts";
import type { CliHost, OpenedInstallation, Screen } from "../../../src/transports/cli/host.ts";
import { runCommand } from "../../../src/transports/cli/run.ts";
import { pro, testPorts } from "../../support/context.ts";
import { marketOf } from "../../support/market.ts";

type Paper = ReturnType<typeof paper>;
/** A screen that keeps what was written. */
export function paper(kind: Partial<Screen> = {}) {
  const kept = { text: "" };
  const screen: Screen = {
    write: (text) => {
      kept.text += text;
    },
    isTTY: false,
    colour: false,
    ...kind,
  };
  return { screen, kept };
}

const notLent = (): Promise<never> => Promise.reject(new Error("not lent to this test"));
const idleAutomation: Automation = {
  templates: () => [],
  start: notLent,
  stop: notLent,
  instances: notLent,
  runs: notLent,
  saved: notLent,
  save: notLent,
  remove: notLent,
};

const owner = { ...pro, account: "owner", plan: "enterprise" } as const;

export interface Stand {
  readonly tools?: readonly Tool[];
  readonly ports?: Partial<OpenedInstallation["ports"]>;
  readonly engine?: Partial<OpenedInstallation["engine"]>;
  readonly track?: Partial<OpenedInstallation["track"]>;
  readonly scheduler?: Partial<OpenedInstallation["scheduler"]>;
  readonly paper?: OpenedInstallation["paper"];
  readonly host?: Partial<CliHost>;
  readonly tty?: boolean;
  readonly columns?: number;
}

/** A host of the given tools; what is not lent fails when it is asked for. */
export function stand({
  tools = [],
  ports = {},
  engine = {},
  track = {},
  scheduler = {},
  paper: paperConnection = () => Promise.reject(new Error("not lent to this test")),
  host = {},
  tty = false,
  columns,
}: Stand = {}) {
  const [out, err] = [0, 1].map(() => paper({ isTTY: tty, colour: tty, columns })) as [Paper, Paper];
  const interrupt = new AbortController();
  const counts = { opened: 0, closed: 0 };
  const never = async (): Promise<never> => {
    throw new Error("not lent to this test");
  };
  const made: CliHost = {
    version: "9.9.9",
    catalogue: tools,
    out: out.screen,
    err: err.screen,
    signal: interrupt.signal,
    settings: () => [],
    publicUrl: () => "http://127.0.0.1:8787",
    async open() {
      counts.opened++;
      const automation = idleAutomation;
      const lent = { ...marketOf({ bars: {} }).ports, ...testPorts(), automation, ...ports };
      return {
        registry: createRegistry(Object.fromEntries(tools.map((tool) => [tool.name, tool])), lent),
        ports: lent,
        owner,
        files: null,
        live: null,
        engine: { run: never, status: never, stopped: never, ...engine },
        track: { replay: never, ...track },
        scheduler: {
          runDue: never,
          isRunningElsewhere: async () => false,
          close: async () => {},
          start: () => {},
          listen: () => () => {},
          ...scheduler,
        },
        paper: paperConnection,
        close: async () => void counts.closed++,
      };
    },
    openKeys: never,
    openVault: never,
    openTrading: never,
    openAudit: never,
    importBars: never,
    serve: never,
    stdio: never,
    ...host,
  };
  const run = async (...argv: readonly string[]) => {
    out.kept.text = "";
    err.kept.text = "";
    const code = await runCommand(argv, made);
    return { code, out: out.kept.text, err: err.kept.text };
  };
  return { run, interrupt, counts, host: made };
}

/** Work that hears nothing and ends never. */
export const forever = (): Promise<never> => new Promise(() => {});

const text = z.string().describe("Any text");

/** Answers with the input it was given and takes one field of every kind. */
export const getMirror = defineTool({
  name: "get_mirror",
  title: "Get mirror",
  description: "Says what it was asked.",
  toolset: "market",
  plan: "member",
  effect: "read",
  route: "POST /api/v1/mirror",
  cli: { command: "mirror" },
  needs: [],
  input: z.object({
    first_word: text,
    how_many: z.int().describe("How many"),
    ratio: z.number().optional().describe("Any number"),
    note_text: z.string().optional().describe("What to note"),
    is_deep: z.boolean().optional().describe("Yes or no"),
    is_kept: z.boolean().default(true).describe("Kept unless said otherwise"),
    tags: z.array(z.string()).optional().describe("Words"),
    legs: z
      .array(z.object({ side: z.string() }))
      .optional()
      .describe("Legs of an order"),
    rules: z.object({ max: z.number() }).optional().describe("Limits"),
    size: z.enum(["small", "large"]).default("small").describe("How large"),
    detail: z.enum(["concise", "full"]).default("concise").describe("How much"),
  }),
  output: z.object({ ok: z.boolean().describe("true"), got: z.unknown().describe("The input") }),
  examples: [
    {
      ask: "Mirror it's two",
      input: { first_word: "it's", how_many: 2, tags: ["a", "b"], is_deep: true, rules: { max: 1 } },
    },
    { ask: "Drop it", input: { first_word: "x", how_many: -1, is_kept: false } },
  ],
  handler: (got) => ({ ok: true, got }),
});

/** Takes any number of symbols as its words. */
export const runList = defineTool({
  name: "run_list",
  title: "List",
  description: "Lists.",
  toolset: "signal",
  plan: "pro",
  effect: "read",
  route: "POST /api/v1/list",
  needs: [],
  input: z.object({ kind: text, symbols: z.array(z.string()).min(1).describe("What to list") }),
  output: z.object({ ok: z.boolean().describe("true"), got: z.unknown().describe("The input") }),
  examples: [{ ask: "List two", input: { kind: "stocks", symbols: ["AAPL", "MSFT"] } }],
  handler: (got) => ({ ok: true, got }),
});

/** Tells a price and draws it. */
export const getPriceTag = defineTool({
  name: "get_price_tag",
  title: "Price tag",
  description: "A price.",
  toolset: "market",
  plan: "member",
  effect: "read",
  route: "GET /api/v1/price-tag",
  needs: ["quotes"],
  input: z.object({}),
  output: z.object({ price: z.number().describe("USD") }),
  examples: [{ ask: "Price?", input: {} }],
  terminal: ({ price }, paint) => `costs ${paint("green", price.toFixed(2))}`,
  handler: () => ({ price: 12.5 }),
});
