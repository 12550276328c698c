import type { Command } from "commander";
import { ToolError } from "../../kernel/errors.ts";
import { type Cli, commandWithExamples, writeOutput } from "./command.ts";
import { CLIENTS, clientConfig } from "./mcp-config.ts";

interface ConfigOptions {
  readonly client?: string;
  readonly stdio?: boolean;
  readonly key?: string;
  readonly list?: boolean;
  readonly json?: boolean;
}

const DEFAULT_CLIENT = "claude-code";

/** Creates the command that prints the settings of MCP clients and the code for agents SDKs. */
export function mcpCommand({ host, finish }: Cli): Command {
  const { out } = host;

  async function print(argument: string | undefined, options: ConfigOptions): Promise<void> {
    if (options.list === true) writeOutput(out, clientList(), options.json === true);
    else await printConfig(argument, options);
    finish(0);
  }

  async function printConfig(argument: string | undefined, options: ConfigOptions): Promise<void> {
    const { client: option, stdio = false, key, json = false } = options;
    if (argument !== undefined && option !== undefined && argument !== option)
      throw new ToolError("INVALID_INPUT", "Two clients are named", {
        hint: "Name the client once: mcp config <client>.",
      });
    if (key !== undefined && !/^ms_(live|test)_\w+$/.test(key))
      throw new ToolError("INVALID_INPUT", "--key is not an API key", {
        hint: 'Pass a key that begins with ms_live_ or ms_test_, such as --key "$MARKET_SIGNAL_KEY".',
      });
    const launch = host.launchCommand?.();
    const settings = clientConfig(argument ?? option ?? DEFAULT_CLIENT, {
      stdio,
      url: await host.publicUrl(),
      ...(launch !== undefined && { launch }),
      ...(key !== undefined && { key }),
    });
    if (typeof settings === "string") out.write(json ? `${JSON.stringify({ text: settings })}\n` : settings);
    else writeOutput(out, { json: settings, lines: [] }, true);
  }

  const config = commandWithExamples("config", "print the settings of an MCP client", [
    "market-signal mcp config --list",
    "market-signal mcp config claude-code > .mcp.json",
    "market-signal mcp config cursor > .cursor/mcp.json",
    "market-signal mcp config vscode --stdio > .vscode/mcp.json",
    "market-signal mcp config codex >> ~/.codex/config.toml",
    "market-signal mcp config vercel-ai-sdk",
  ])
    .argument("[client]", `client or agents SDK; --list shows them (default: ${DEFAULT_CLIENT})`)
    .option("--client <name>", "the same as the argument")
    .option("--list", "list the clients and where each keeps its settings")
    .option("--stdio", "let the client start the program instead of connecting over HTTP")
    .option("--key <key>", "write this API key into the settings instead of a reference to MARKET_SIGNAL_KEY")
    .option("--json", "print JSON on stdout (the default where the settings are JSON)")
    .action(print);
  return commandWithExamples("mcp", "print settings for MCP clients", [
    "market-signal mcp config --list",
  ]).addCommand(config);
}

function clientList() {
  const clients = Object.entries(CLIENTS).map(([name, { title, place }]) => ({ name, title, place }));
  const width = (field: "name" | "title") => Math.max(...clients.map((client) => client[field].length));
  const [names, titles] = [width("name"), width("title")];
  return {
    json: { ok: true, clients },
    lines: clients.map(
      ({ name, title, place }) => `${name.padEnd(names)}  ${title.padEnd(titles)}  ${place}`,
    ),
  };
}
