import { z } from "zod";
import type { Automation } from "../../../src/domain/agents/automation-port.ts";
import { createRegistry } from "../../../src/kernel/registry.ts";
import { defineTool, type Tool } from "../../../src/kernel/tool.ts";
import type { CliHost, OpenedInstallation, Screen } from "../../../src/transports/cli/host.ts";
import type { Setting } from "../../../src/transports/cli/host-settings.ts";
import { runCommand } from "../../../src/transports/cli/run.ts";
import { pro, testPorts } from "../../support/context.ts";
import { marketOf } from "../../support/market.ts";
import { TEST_TOOL } from "../../support/test-tool.ts";

interface TestScreen {
  readonly screen: Screen;
  /** Output collected so far. */
  readonly written: { text: string };
}
/** A screen that records its output. */
export function testScreen(kind: Partial<Screen> = {}): TestScreen {
  const written = { text: "" };
  const write = (text: string) => {
    written.text += text;
  };
  return { screen: { write, isTTY: false, colour: false, ...kind }, written };
}

/** A setting with a value from the environment; `other` replaces its members. */
export const settingOf = (name: string, value: string | null, other: Partial<Setting> = {}): Setting => ({
  name,
  value,
  source: "environment",
  purpose: "",
  secret: false,
  restart: true,
  ...other,
});

/** Fails when a test calls a function that it did not provide. */
const notProvided = async (): Promise<never> => {
  throw new Error("not provided by this test");
};
const idleAutomation: Automation = {
  templates: () => [],
  start: notProvided,
  stop: notProvided,
  instances: notProvided,
  runs: notProvided,
  saved: notProvided,
  save: notProvided,
  remove: notProvided,
};

const owner = { ...pro, account: "owner", plan: "enterprise" } as const;

export interface TestCliOptions {
  readonly tools?: readonly Tool[];
  readonly ports?: Partial<OpenedInstallation["ports"]>;
  readonly engine?: Partial<OpenedInstallation["engine"]>;
  readonly track?: Partial<OpenedInstallation["track"]>;
  readonly scheduler?: Partial<OpenedInstallation["scheduler"]>;
  readonly paper?: OpenedInstallation["paper"];
  readonly access?: OpenedInstallation["access"];
  readonly host?: Partial<CliHost>;
  readonly tty?: boolean;
  readonly columns?: number;
}

/** The command line over the given tools; functions that are not provided fail when called. */
export function testCli({
  tools = [],
  ports = {},
  engine = {},
  track = {},
  scheduler = {},
  paper = notProvided,
  access = { list: async () => [] },
  host = {},
  tty = false,
  columns,
}: TestCliOptions = {}) {
  const width = columns !== undefined && { columns };
  const [out, err] = [0, 1].map(() => testScreen({ isTTY: tty, colour: tty, ...width })) as [
    TestScreen,
    TestScreen,
  ];
  const interrupt = new AbortController();
  const counts = { opened: 0, closed: 0 };
  const testHost: CliHost = {
    version: "9.9.9",
    catalogue: tools,
    out: out.screen,
    err: err.screen,
    signal: interrupt.signal,
    settings: async () => [],
    settingOptions: [],
    providerKeys: async () => [],
    storeSetting: notProvided,
    publicUrl: async () => "http://127.0.0.1:8787",
    dataVersion: async () => null,
    database: notProvided,
    splitFault: async () => null,
    async open() {
      counts.opened++;
      const automation = idleAutomation;
      const allPorts = { ...marketOf({ bars: {} }).ports, ...testPorts(), automation, ...ports };
      return {
        registry: createRegistry(Object.fromEntries(tools.map((tool) => [tool.name, tool])), allPorts),
        ports: allPorts,
        access,
        owner,
        files: null,
        live: null,
        engine: { run: notProvided, status: notProvided, stopped: notProvided, ...engine },
        track: { replay: notProvided, ...track },
        scheduler: {
          runDue: notProvided,
          isRunningElsewhere: async () => false,
          close: async () => {},
          start: () => {},
          listen: () => () => {},
          ...scheduler,
        },
        restoreNotes: async () => [],
        store: { file: "/data/market-signal.db" },
        backups: () => ({ newest: null, hook: null, fault: null, failure: null }),
        paper,
        close: async () => void counts.closed++,
      };
    },
    openKeys: notProvided,
    openAccounts: notProvided,
    openVault: notProvided,
    openTrading: notProvided,
    openAudit: notProvided,
    backUp: notProvided,
    restore: notProvided,
    importBars: notProvided,
    serve: notProvided,
    stdio: notProvided,
    work: notProvided,
    ...host,
  };
  /** Runs a command line and returns its exit code and output. */
  const run = async (...argv: readonly string[]) => {
    out.written.text = "";
    err.written.text = "";
    const code = await runCommand(argv, testHost);
    return { code, out: out.written.text, err: err.written.text };
  };
  /** Runs a command line whose words are separated by spaces. */
  const runLine = (line: string) => run(...line.split(" "));
  return { run, runLine, interrupt, counts, host: testHost };
}

/** Work that ignores its abort signal and never ends. */
export const forever = (): Promise<never> => new Promise(() => {});

const text = z.string().describe("Any text");

/** Returns its input; it has one field of every kind. */
export const getMirror = defineTool({
  name: "get_mirror",
  title: "Get mirror",
  description: "Returns its input.",
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
    is_saved: z.boolean().default(true).describe("Saved by default"),
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
    { ask: "Drop it", input: { first_word: "x", how_many: -1, is_saved: false } },
  ],
  handler: (got) => ({ ok: true, got }),
});

/** Takes any number of symbols as arguments. */
export const runList = defineTool({
  ...TEST_TOOL,
  name: "run_list",
  title: "List",
  description: "Lists.",
  toolset: "signal",
  route: "POST /api/v1/list",
  input: z.object({ kind: text, symbols: z.array(z.string()).min(1).describe("What to list") }),
  output: z.object({ ok: z.boolean().describe("true"), got: z.unknown().describe("The input") }),
  examples: [{ ask: "List two", input: { kind: "stocks", symbols: ["AAPL", "MSFT"] } }],
  handler: (got) => ({ ok: true, got }),
});

/** Returns a price with a terminal format. */
export const getPriceTag = defineTool({
  ...TEST_TOOL,
  name: "get_price_tag",
  title: "Price tag",
  description: "A price.",
  toolset: "market",
  plan: "member",
  route: "GET /api/v1/price-tag",
  needs: ["quotes"],
  output: z.object({ price: z.number().describe("USD") }),
  terminal: ({ price }, paint) => `costs ${paint("green", price.toFixed(2))}`,
  handler: () => ({ price: 12.5 }),
});
