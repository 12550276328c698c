/**
 * Address rules of outgoing requests. Own code: request-filtering-agent 3.2.1 allows 168.63.129.16, ISATAP and zone
 * ids, refuses public addresses behind NAT64, has no allow-list by host name and cannot check without connecting.
 */
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** A network: its first address and the bits it fixes. */
export type Network = readonly [Address, number];

/** The only addresses of version 6 that are given out for the internet. */
const GLOBAL_UNICAST_RANGE: [ipaddr.IPv6, number] = ipaddr.IPv6.parseCIDR("2000::/3");
/** Translates an address of version 4 for networks that know none; a name is resolved to it there. */
const NAT64: [ipaddr.IPv6, number] = ipaddr.IPv6.parseCIDR("64:ff9b::/96");
/** Answers only machines of one cloud, though it looks like any other address. */
const CLOUD_METADATA_ADDRESSES: ReadonlySet<string> = new Set(["168.63.129.16"]);
/** Of a machine or a network of its owner's: what an owner may allow. Not the others, which answer for the machine or for nobody. */
const PRIVATE_RANGES: ReadonlySet<string> = new Set([
  "loopback",
  "private",
  "carrierGradeNat",
  "uniqueLocal",
]);

/** An IP address as it is written everywhere; null for any other text, and for one that names a network interface. */
export function parseAddress(text: string): Address | null {
  const bare = text.replace(/^\[(.*)\]$/, "$1");
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return null;
  const parsed = unmapIpv4(ipaddr.parse(bare));
  return parsed.kind() === "ipv6" && (parsed as ipaddr.IPv6).zoneId !== undefined ? null : parsed;
}

/** Whether it is an address of the public internet: none of a machine, a local network, a cloud's own, reserved, or one that hides another. */
export function isPublic(address: Address): boolean {
  const inner = embeddedIpv4(address);
  if (inner !== null) return isPublic(inner);
  if (CLOUD_METADATA_ADDRESSES.has(address.toString())) return false;
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || isGlobal(address as ipaddr.IPv6);
}

/** Whether an owner may allow it: public, or of a machine or network of one's own. */
export const isAllowable = (address: Address): boolean =>
  isPublic(address) || PRIVATE_RANGES.has((embeddedIpv4(address) ?? address).range());

/** Whether it lies in one of the networks. */
export const isWithin = (address: Address, networks: readonly Network[]): boolean =>
  networks.some(([first, bits]) => first.kind() === address.kind() && address.match([first, bits]));

/** A network as `10.0.0.0/8`, or of one address; null for any other text. */
export function parseNetwork(text: string): Network | null {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  const one = parseAddress(text);
  return one === null ? null : [one, one.kind() === "ipv4" ? 32 : 128];
}

/** An address of version 4 that is only written as one of version 6 is what it is. */
const unmapIpv4 = (address: Address): Address =>
  address.kind() === "ipv6" && (address as ipaddr.IPv6).isIPv4MappedAddress()
    ? (address as ipaddr.IPv6).toIPv4Address()
    : address;

/** The address of version 4 that one of version 6 leads to by itself; null where there is none. */
function embeddedIpv4(address: Address): Address | null {
  if (address.kind() === "ipv4") return null;
  const six = address as ipaddr.IPv6;
  if (six.isIPv4MappedAddress()) return six.toIPv4Address();
  return six.match(NAT64) ? new ipaddr.IPv4(six.toByteArray().slice(-4)) : null;
}

/** Given out for the internet, and no way into a network of version 4 by ISATAP. */
const isGlobal = (six: ipaddr.IPv6): boolean => {
  const [, , , , fifth, sixth] = six.parts;
  return six.match(GLOBAL_UNICAST_RANGE) && !((fifth === 0 || fifth === 0x200) && sixth === 0x5efe);
};
