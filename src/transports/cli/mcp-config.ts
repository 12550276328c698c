import { ToolError } from "../../kernel/errors.ts";
import type { LaunchCommand } from "./host.ts";

interface ClientConfigOptions {
  /** True if the client starts `market-signal stdio` itself; false if it connects over HTTP. */
  readonly stdio: boolean;
  /** Base URL of the server, without a trailing slash. */
  readonly url: string;
  /** API key to write into the settings. Default: the client reads MARKET_SIGNAL_KEY or prompts for it. */
  readonly key?: string;
  /** Command that starts the program. Default: `market-signal`. */
  readonly launch?: LaunchCommand;
}

const DEFAULT_LAUNCH_COMMAND: LaunchCommand = { command: "market-signal", args: [] };

/** Returns the settings file of an MCP client: claude, cursor or vscode. Throws INVALID_INPUT for any other client. */
export function clientConfig(
  client: string,
  { stdio, url, key, launch = DEFAULT_LAUNCH_COMMAND }: ClientConfigOptions,
): object {
  const server = { ...launch, args: [...launch.args, "stdio"] };
  const http = (bearer: string) => ({
    type: "http",
    url: `${url}/api/mcp`,
    headers: { Authorization: `Bearer ${bearer}` },
  });
  switch (client) {
    case "claude":
      return { mcpServers: { "market-signal": stdio ? server : http(key ?? variable("MARKET_SIGNAL_KEY")) } };
    case "cursor":
      return {
        mcpServers: { "market-signal": stdio ? server : http(key ?? variable("env:MARKET_SIGNAL_KEY")) },
      };
    case "vscode":
      return stdio
        ? { servers: { "market-signal": { type: "stdio", ...server } } }
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

/** Returns a placeholder that clients replace with the value of a variable. */
const variable = (name: string): string => `\${${name}}`;
