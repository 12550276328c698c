import { ToolError } from "../../kernel/errors.ts";
import type { Launch } from "./host.ts";

interface Wish {
  /** true: the client starts `market-signal stdio` itself. */
  readonly child: boolean;
  /** Where the server is reached, without a trailing slash. */
  readonly url: string;
  /** How the client starts it; by its name when absent. */
  readonly launch?: Launch;
}

const BY_NAME: Launch = { command: "market-signal", args: [] };

/** The settings file of an MCP client; the key comes from MARKET_SIGNAL_KEY or is asked for, never written down. */
export function clientConfig(client: string, { child, url, launch = BY_NAME }: Wish): object {
  const stdio = { ...launch, args: [...launch.args, "stdio"] };
  const http = (key: string) => ({
    type: "http",
    url: `${url}/api/mcp`,
    headers: { Authorization: `Bearer ${key}` },
  });
  switch (client) {
    case "claude":
      return { mcpServers: { "market-signal": child ? stdio : http(variable("MARKET_SIGNAL_KEY")) } };
    case "cursor":
      return { mcpServers: { "market-signal": child ? stdio : http(variable("env:MARKET_SIGNAL_KEY")) } };
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
