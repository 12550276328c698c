import { SetupError } from "../../lib/setup-error.ts";
import { isAllowable, isPublic, isWithin, type Network, parseAddress, parseNetwork } from "./address.ts";
import { isAllowListEntry } from "./allow-list-entry.ts";

/** Non-public receivers that the owner of the server allows. */
export interface AllowList {
  /** Returns true for a listed host name, which may resolve to any private address. */
  hasHost(host: string): boolean;
  /** Returns true if messages may be sent to this address of the host. */
  allows(address: string, host: string): boolean;
  /** Returns true for an address in a listed network. */
  hasAddress(address: string): boolean;
}

/** Parses host names, addresses and networks (`192.168.1.0/24`). Throws SetupError for any other entry. */
export function allowList(entries: readonly string[]): AllowList {
  const hosts = new Set<string>();
  const networks: Network[] = [];
  for (const entry of entries) {
    if (!isAllowListEntry(entry))
      throw new SetupError(
        `WEBHOOK_ALLOW: ${entry} is not a host name, address or network such as 192.168.1.0/24`,
      );
    const network = parseNetwork(entry);
    if (network === null) hosts.add(entry);
    else networks.push(network);
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
