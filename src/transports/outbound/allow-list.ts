import { SetupError } from "../../lib/setup-error.ts";
import { isAllowable, isPublic, isWithin, type Network, parseAddress, parseNetwork } from "./address.ts";

/** Receivers of an owner's own that may be called although they are not public. */
export interface AllowList {
  /** Whether the owner named this host, so that it may be at any address of a machine or network of one's own. */
  hasHost(host: string): boolean;
  /** Whether an address may be called that a host of this name is at. */
  allows(address: string, host: string): boolean;
  /** Whether it lies in a network that the owner named. */
  hasAddress(address: string): boolean;
}

/** Reads names of hosts, addresses and networks (`192.168.1.0/24`). SetupError for any other entry. */
export function allowList(entries: readonly string[]): AllowList {
  const hosts = new Set<string>();
  const networks: Network[] = [];
  for (const entry of entries) {
    const network = parseNetwork(entry);
    if (network !== null) networks.push(network);
    else if (/^[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?$/.test(entry) && /[a-z]/.test(entry)) hosts.add(entry);
    else
      throw new SetupError(
        `WEBHOOK_ALLOW: ${entry} is no host name, address or network such as 192.168.1.0/24`,
      );
  }
  const holds = (text: string): boolean => {
    const address = parseAddress(text);
    return address !== null && isAllowable(address) && isWithin(address, networks);
  };
  return {
    hasHost: (host) => hosts.has(host),
    hasAddress: holds,
    allows(text, host) {
      const address = parseAddress(text);
      if (address === null) return false;
      return isPublic(address) || holds(text) || (hosts.has(host) && isAllowable(address));
    },
  };
}
