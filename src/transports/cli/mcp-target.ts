import type { LaunchCommand } from "./host.ts";

/** What the settings of a client are made of. */
export interface ClientTarget {
  /** Command of the stdio server; null to connect over HTTP. */
  readonly server: LaunchCommand | null;
  /** URL of MCP over HTTP. */
  readonly url: string;
  /** API key to write into the settings; null for a reference to a variable. */
  readonly key: string | null;
}

/** Name of the environment variable that holds the key. */
export const KEY_VARIABLE = "MARKET_SIGNAL_KEY";
