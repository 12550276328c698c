import { version } from "../lib/version.ts";
import type { Screen, ToolCaller } from "../transports/cli/host.ts";
import { type ServerHello, socketPath } from "../transports/local/messages.ts";
import type { LocalListener } from "../transports/local/server.ts";
import { type Config, describeConfig, loadSettingsFile, readConfig } from "./config.ts";
import type { App } from "./installation.ts";
import { connectTo, findServer } from "./running-server.ts";
import { isSecret, SETTING_NAMES, withAbsolutePath } from "./setting-table.ts";

/** Settings of the server process, on which no answer depends. */
const PROCESS_SETTINGS =
  /^(PORT|HOST|PUBLIC_URL|ALLOWED_HOSTS|CORS_ORIGINS|TRUST_PROXY|COMPUTE_THREADS|CACHE_MB|DATA_DIR|LOG_\w+|BACKUP_\w+|MASTER_KEY_FILE)$/;

/** Returns the values of the settings on which answers depend, without secrets. */
const answerSettings = (config: Config): ServerHello["settings"] =>
  Object.fromEntries(
    SETTING_NAMES.filter((name) => !isSecret(name) && !PROCESS_SETTINGS.test(name)).map((name) => {
      const value = config[name];
      return [name, value === undefined ? null : withAbsolutePath(name, String(value), process.cwd())];
    }),
  );

/** A server at the socket of its data folder, and notes for its operator. */
export interface LocalSocket {
  readonly notes: readonly string[];
  close(): Promise<void>;
}

/** Serves the commands of this machine at the socket of the data folder. */
export async function openLocalSocket(app: App, url: string): Promise<LocalSocket> {
  const { config, registry, ports, owner, log } = app;
  const path = socketPath(config.DATA_DIR);
  const hello = {
    version: version(),
    url,
    market: ports.market.mode,
    settings: answerSettings(config),
  };
  try {
    const { serveLocal } = await import("../transports/local/server.ts");
    const listener = await serveLocal({ path, hello, registry, ports, principal: owner });
    return { notes: notesOn(listener), close: () => listener.close() };
  } catch (cause) {
    log.warn("local_socket", { path, cause });
    return {
      notes: [`commands on this machine open the data folder themselves: ${path} cannot be used as a socket`],
      close: async () => {},
    };
  }
}

const notesOn = ({ otherServer }: LocalListener): readonly string[] =>
  otherServer === null
    ? []
    : [
        `another server runs on this data folder, at ${otherServer}: commands call that one. Stop one of them, or give this one a DATA_DIR of its own`,
      ];

/**
 * Connects a command to the running server of the data folder. Null if there is none, if it is of another version, or
 * if the environment gives a setting another value on which answers depend; a note says why a server is not used that
 * left its socket or does not answer.
 */
export async function connectToServer(config: Config, err: Screen): Promise<ToolCaller | null> {
  const path = socketPath(config.DATA_DIR);
  const server = await connectTo(path);
  if (server === "absent") return null;
  if (typeof server === "string") {
    const why =
      server === "stale"
        ? `the server of this data folder was killed and left ${path}, which the next server replaces`
        : `the server of this data folder does not answer at ${path}`;
    err.write(`note: ${why}. This command opens the data folder itself.\n`);
    return null;
  }
  const { hello, call, close } = server;
  const wanted = answerSettings(config);
  const differs = describeConfig().some(
    ({ name, source }) =>
      source === "environment" && name in wanted && wanted[name] !== (hello.settings[name] ?? null),
  );
  if (hello.version !== version() || differs) {
    close();
    return null;
  }
  return {
    market: { mode: hello.market },
    clock: { now: () => new Date() },
    call: (tool, input, options) => call({ tool: tool.name, input }, options),
    close: async () => close(),
  };
}

/**
 * Reads the settings of a command that opens the data folder itself. Where a server of this version runs on the folder,
 * its settings take precedence over the file, so that the command reads the market of the server however it was started.
 */
export async function loadCommandConfig(): Promise<Config> {
  const file = await loadSettingsFile();
  const config = readConfig(undefined, { file });
  const server = await findServer(config.DATA_DIR);
  return server?.version === version() ? readConfig(undefined, { file, server: server.settings }) : config;
}
