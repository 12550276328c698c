import { ToolError } from "../../kernel/errors.ts";
import type { LaunchCommand } from "./host.ts";

interface ClientConfigOptions {
  /** true: the client starts `market-signal stdio` itself. */
  readonly child: boolean;
  /** Where the server is reached, without a trailing slash. */
  readonly url: string;
  /** Written down where the client would take it from MARKET_SIGNAL_KEY. */
  readonly key?: string;
  /** How the client starts it; by its name when absent. */
  readonly launch?: LaunchCommand;
}

const DEFAULT_LAUNCH_COMMAND: LaunchCommand = { command: "market-signal", args: [] };

/** The settings file of an MCP client; unless it is given, the key comes from MARKET_SIGNAL_KEY or is asked for. */
export function clientConfig(
  client: string,
  { child, url, key, launch = DEFAULT_LAUNCH_COMMAND }: ClientConfigOptions,
): object {
  const stdio = { ...launch, args: [...launch.args, "stdio"] };
  const http = (bearer: string) => ({
    type: "http",
    url: `${url}/api/mcp`,
    headers: { Authorization: `Bearer ${bearer}` },
  });
  switch (client) {
    case "claude":
      return { mcpServers: { "market-signal": child ? stdio : http(key ?? variable("MARKET_SIGNAL_KEY")) } };
    case "cursor":
      return {
        mcpServers: { "market-signal": child ? stdio : http(key ?? variable("env:MARKET_SIGNAL_KEY")) },
      };
    case "vscode":
      return child
        ? { servers: { "market-signal": { type: "stdio", ...stdio } } }
        : {
            inputs: [
              {
                type: "promptString",
                id: "market-signal-key",
                description: "Market Signal API key",
                password: true,
              },
            ],
            servers: { "market-signal": http(variable("input:market-signal-key")) },
          };
    default:
      throw new ToolError("INVALID_INPUT", `There is no client "${client.slice(0, 40)}"`, {
        hint: "Clients: claude, cursor, vscode.",
      });
  }
}

/** What clients replace by the value of a variable. */
const variable = (name: string): string => `\${${name}}`;
