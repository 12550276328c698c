import { isIP } from "node:net";

/**
 * Returns true for an entry that `allowList` takes: a host name in lower case, an address, or a network such as
 * `192.168.1.0/24`. In a file of its own, so that reading the settings loads no parser of addresses.
 */
export const isAllowListEntry = (entry: string): boolean => isHostName(entry) || isNetwork(entry);

const isHostName = (text: string): boolean =>
  /^[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?$/.test(text) && /[a-z]/.test(text);

/** Returns true for an address or a network; false for an address with a zone id. */
function isNetwork(text: string): boolean {
  const [, address, bits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address ?? "");
  return family !== 0 && Number(bits ?? 0) <= (family === 4 ? 32 : 128);
}
