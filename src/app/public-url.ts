import type { Config } from "./config.ts";

const LOCAL_HOSTS: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** Returns true for an address that stands for all addresses of the machine. */
export const isWildcard = (host: string): boolean => Object.hasOwn(LOCAL_HOSTS, host);

/** Returns the URL of the server without a final slash: PUBLIC_URL, or that of the address it listens on. */
export function publicUrlOf({ PUBLIC_URL, HOST, PORT }: Config, port = PORT): string {
  const host = LOCAL_HOSTS[HOST] ?? HOST;
  return (PUBLIC_URL ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`).replace(/\/$/, "");
}
