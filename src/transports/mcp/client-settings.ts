import type { LoggingLevel } from "@modelcontextprotocol/server";
import type { ClientSessions } from "../../domain/accounts/client-sessions-port.ts";
import { noPeers, type Peers } from "../../domain/peers-port.ts";
import type { Log } from "../../domain/ports.ts";
import { createBoundedCache } from "../../lib/bounded-cache.ts";
import { type Session, sessionKey } from "./session.ts";

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
  /** Changes the given settings; resolves once every process has them. */
  set(changed: ClientSettings): Promise<void>;
}

/** Creates the settings of one connection. */
export function createSettings(): SettingsStore {
  let settings: ClientSettings = {};
  return {
    get: () => settings,
    async set(changed) {
      settings = { ...settings, ...changed };
    },
  };
}

/** Maximum number of sessions whose settings a process holds. */
const MAX_SESSIONS = 2_000;
const TOPIC = "mcp_settings";

export interface SessionSettingsOptions {
  readonly peers?: Peers;
  readonly clientSessions?: ClientSessions;
  readonly log?: Pick<Log, "warn">;
}

export interface SessionSettings {
  of(session: Session): SettingsStore;
  /** Makes the stored settings of a session available to `of`; undefined if they are. */
  load(session: Session): Promise<void> | undefined;
  /** Begins a session, of which nothing is stored; resolves once every process has its settings. */
  begin(session: Session, settings: ClientSettings): Promise<void>;
}

/**
 * Creates a bounded cache of settings by session, shared with the other processes of the server and stored by
 * `clientSessions`. A session whose settings are lost has the defaults; without `clientSessions`, that is so after a
 * restart.
 */
export function createSessionSettings({
  peers = noPeers,
  clientSessions,
  log,
}: SessionSettingsOptions = {}): SessionSettings {
  const cache = createBoundedCache<string, ClientSettings>({ name: "MCP sessions", max: MAX_SESSIONS });
  peers.onRequest(TOPIC, ({ key, settings }: { key: string; settings: ClientSettings }) => {
    cache.set(key, settings);
    return null;
  });
  const failed = (cause: unknown) => log?.warn("mcp_settings", { cause });

  const save = ({ account, id }: Session, settings: ClientSettings) =>
    clientSessions?.save(account, id, settings).catch(failed);

  async function change(session: Session, settings: ClientSettings): Promise<void> {
    const key = sessionKey(session);
    cache.set(key, settings);
    await Promise.all([peers.request(TOPIC, { key, settings }), save(session, settings)]);
  }

  return {
    of(session) {
      const get = () => cache.get(sessionKey(session)) ?? {};
      return { get, set: (changed) => change(session, { ...get(), ...changed }) };
    },
    load(session) {
      const key = sessionKey(session);
      if (clientSessions === undefined || cache.get(key) !== undefined) return undefined;
      return clientSessions.find(session.account, session.id).then((stored) => {
        // another process may have sent newer ones meanwhile
        if (cache.get(key) === undefined) cache.set(key, stored ?? {});
      }, failed);
    },
    async begin(session, settings) {
      if (clientSessions === undefined) return change(session, settings);
      // the others read it with the first request that they get
      cache.set(sessionKey(session), settings);
      if (Object.keys(settings).length > 0) await save(session, settings);
    },
  };
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
