import { SetupError } from "../../lib/setup-error.ts";
import { isAllowable, isPublic, isWithin, type Network, parseAddress, parseNetwork } from "./address.ts";

/** Non-public receivers that the owner of the server allows. */
export interface AllowList {
  /** Returns true for a listed host name, which may resolve to any private address. */
  hasHost(host: string): boolean;
  /** Returns true if messages may be sent to this address of the host. */
  allows(address: string, host: string): boolean;
  /** Returns true for an address in a listed network. */
  hasAddress(address: string): boolean;
}

/** Reads an entry of WEBHOOK_ALLOW in lower case: a network, or an address as one; a host name; null: neither. */
function parseEntry(entry: string): Network | string | null {
  const network = parseNetwork(entry);
  if (network !== null) return network;
  return /^[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?$/.test(entry) && /[a-z]/.test(entry) ? entry : null;
}

/** Returns true for an entry that `allowList` takes. */
export const isAllowListEntry = (entry: string): boolean => parseEntry(entry) !== null;

/** Parses host names, addresses and networks (`192.168.1.0/24`). Throws SetupError for any other entry. */
export function allowList(entries: readonly string[]): AllowList {
  const hosts = new Set<string>();
  const networks: Network[] = [];
  for (const entry of entries) {
    const parsed = parseEntry(entry);
    if (parsed === null)
      throw new SetupError(
        `WEBHOOK_ALLOW: ${entry} is not a host name, address or network such as 192.168.1.0/24`,
      );
    if (typeof parsed === "string") hosts.add(parsed);
    else networks.push(parsed);
  }
  const hasAddress = (text: string): boolean => {
    const address = parseAddress(text);
    return address !== null && isAllowable(address) && isWithin(address, networks);
  };
  return {
    hasHost: (host) => hosts.has(host),
    hasAddress,
    allows(text, host) {
      const address = parseAddress(text);
      if (address === null) return false;
      return isPublic(address) || hasAddress(text) || (hosts.has(host) && isAllowable(address));
    },
  };
}
