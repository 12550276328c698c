import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { compile } from "../support/compiled.ts";
import { freePort } from "../support/free-port.ts";
import { launch } from "../support/program.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { openRelay } from "./relay.ts";

/** A server on sample data, with a relay in front of it that sees what clients send. */
export interface MeasuredServer {
  /** The address for clients. */
  readonly url: string;
  /** Command and environment of `market-signal stdio` on the same data folder. */
  readonly stdio: { readonly command: readonly string[]; readonly env: Readonly<Record<string, string>> };
  newAccount(): Promise<{ readonly key: string; readonly account: string }>;
  /** Reads a quote past the relay; an unknown symbol has a hint. */
  quote(key: string, symbol: string): Promise<{ readonly hint?: string }>;
  /** Returns all requests of clients so far. */
  requests(): string;
  /** Returns the log so far: one JSON object per line. */
  log(): string;
  /** Creates a folder that is removed with the server. */
  readonly folder: string;
  close(): Promise<void>;
}

/** Starts the current sources as a server. */
export async function startMeasuredServer(): Promise<MeasuredServer> {
  const { dir, remove } = suiteDir();
  const { product, remove: removeProduct } = await compile();
  const port = await freePort();
  const relay = await openRelay(port);
  const env = { DATA_DIR: join(dir, "data"), MARKET_DATA: "sample", LOG_LEVEL: "info" };
  const server = launch([...product, "serve"], { ...env, PORT: String(port), PUBLIC_URL: relay.url });
  await server.says(/docs\s+http:/);
  return {
    url: relay.url,
    stdio: { command: [...product, "stdio"], env },
    folder: dir,
    requests: relay.sent,
    log: () => server.seen.err,
    async newAccount() {
      const [command, ...args] = [...product, "keys", "create", "--plan", "enterprise", "--json"];
      const { stdout } = await promisify(execFile)(command!, args, { env: { ...process.env, ...env } });
      return JSON.parse(stdout) as { key: string; account: string };
    },
    async quote(key, symbol) {
      const headers = { authorization: `Bearer ${key}` };
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/quote/${symbol}`, { headers });
      return (await response.json()) as { hint?: string };
    },
    async close() {
      server.child.kill("SIGTERM");
      await server.ended;
      relay.close();
      removeProduct();
      remove();
    },
  };
}
