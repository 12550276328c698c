import { isIPv6 } from "node:net";
import { OWNER_ACCOUNT, type Principal } from "../domain/accounts/access.ts";

/**
 * Returns the principal of the local owner: the enterprise plan, without the scopes for live trading and
 * administration.
 */
export const ownerPrincipal = (): Principal => ({
  account: OWNER_ACCOUNT,
  plan: "enterprise",
  scopes: ["read", "write", "trade:paper"],
});

/** Returns the principal of a caller without a key, identified by its network address. */
export const anonymousPrincipal = (address: string): Principal => ({
  account: `addr:${networkOf(address)}`,
  plan: "open",
  scopes: ["read"],
});

/** Returns the network of an address: the whole IPv4 address, or the /64 prefix of an IPv6 address. */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, "").toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(plain)) return plain;
  const [head = "", tail] = plain.split("::");
  const left = head.split(":").filter(Boolean);
  const right = (tail ?? "").split(":").filter(Boolean);
  const groups = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0"), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
