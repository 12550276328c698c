const LOCAL: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** Returns true for the host name of a URL that stands for this machine. */
export const isLocalHost = (hostname: string): boolean => LOCAL.has(hostname);
