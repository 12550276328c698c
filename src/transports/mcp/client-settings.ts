import type { LoggingLevel } from "@modelcontextprotocol/server";
import { noPeers, type Peers } from "../../domain/peers-port.ts";
import { createBoundedCache } from "../../lib/bounded-cache.ts";

/** What a client of a revision before 2026-07-28 told the server when it connected or later. */
export interface ClientSettings {
  /** Least severe level of log messages that the client wants. Default: it wants none. */
  readonly logLevel?: LoggingLevel;
  /** true if the client can ask its user to fill in a form. Default: false. */
  readonly canAsk?: boolean;
  /** true if the client can open a page for its user. Default: false. */
  readonly canOpen?: boolean;
  /** true if the client draws views. Default: false. */
  readonly showsViews?: boolean;
  /** Names of the tools added to the client's list because its searches returned them. Default: none. */
  readonly found?: readonly string[];
}

export interface SettingsStore {
  get(): ClientSettings;
  /** Changes the given settings. */
  set(changed: ClientSettings): void;
}

/** Creates the settings of one connection. */
export function createSettings(): SettingsStore {
  let settings: ClientSettings = {};
  return {
    get: () => settings,
    set(changed) {
      settings = { ...settings, ...changed };
    },
  };
}

/** Maximum number of sessions whose settings are stored. */
const MAX_SESSIONS = 2_000;
const TOPIC = "mcp_settings";

/**
 * Creates a bounded cache of settings by session, shared with the other processes of the server. A session whose
 * settings are lost, as at a restart, has the defaults.
 */
export function createSessionSettings(peers: Peers = noPeers): (session: string) => SettingsStore {
  const stored = createBoundedCache<string, ClientSettings>({ name: "MCP sessions", max: MAX_SESSIONS });
  const change = (session: string, changed: ClientSettings) =>
    void stored.set(session, { ...stored.get(session), ...changed });
  peers.onRequest(TOPIC, ({ session, changed }: { session: string; changed: ClientSettings }) => {
    change(session, changed);
    return null;
  });
  return (session) => ({
    get: () => stored.get(session) ?? {},
    set(changed) {
      change(session, changed);
      void peers.request(TOPIC, { session, changed });
    },
  });
}

/** Returns true if the declared capabilities of a client include forms. */
export function supportsForms(capabilities: unknown): boolean {
  const { elicitation } = (capabilities ?? {}) as { elicitation?: { form?: unknown; url?: unknown } };
  if (typeof elicitation !== "object" || elicitation === null) return false;
  // before 2025-11-25 there were only forms
  return elicitation.form !== undefined || elicitation.url === undefined;
}

/** Returns true if the declared capabilities of a client include opening a page for its user, since 2025-11-25. */
export function supportsPages(capabilities: unknown): boolean {
  const { elicitation } = (capabilities ?? {}) as { elicitation?: { url?: unknown } | null };
  return typeof elicitation === "object" && elicitation !== null && elicitation.url !== undefined;
}

/** Returns the settings of a client with these declared capabilities, in so far as they are about its user. */
export const userSettings = (capabilities: unknown): Pick<ClientSettings, "canAsk" | "canOpen"> => ({
  canAsk: supportsForms(capabilities),
  canOpen: supportsPages(capabilities),
});
