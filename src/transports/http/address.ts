import type { HttpSettings } from "./server-deps.ts";

/** Returns the client's address: the socket's address, or behind a trusted proxy the last hop of X-Forwarded-For. */
export function addressOf(
  socket: string | undefined,
  forwarded: string | undefined,
  { trustProxy }: Pick<HttpSettings, "trustProxy">,
): string {
  const hop = trustProxy ? addressIn(forwarded?.split(",").at(-1)?.trim() ?? "") : null;
  return (hop ?? socket ?? "unknown").replace(/^::ffff:(?=\d+\.)/i, "");
}

/** Returns the IP address of a hop such as `203.0.113.9:4711` or `[2001:db8::1]:4711`; null if it has none. */
function addressIn(hop: string): string | null {
  const [, v4, bracketed, v6] =
    /^(?:(\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?|\[([0-9a-f:.]{2,45})\](?::\d+)?|([0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*))$/i.exec(
      hop,
    ) ?? [];
  return v4 ?? bracketed ?? v6 ?? null;
}
