/**
 * Address rules for outgoing requests. Not a library, because request-filtering-agent 3.2.1 allows 168.63.129.16,
 * ISATAP and zone ids, refuses public addresses behind NAT64, has no allow-list by host name and cannot check without
 * connecting.
 */
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** A network: its first address and its prefix length in bits. */
export type Network = readonly [Address, number];

/** Global unicast addresses of IPv6. */
const GLOBAL_UNICAST_RANGE: [ipaddr.IPv6, number] = ipaddr.IPv6.parseCIDR("2000::/3");
/** IPv6 range for IPv4 addresses in networks that support only IPv6. */
const NAT64: [ipaddr.IPv6, number] = ipaddr.IPv6.parseCIDR("64:ff9b::/96");
/** Addresses that look public but respond only within a cloud. */
const CLOUD_METADATA_ADDRESSES: ReadonlySet<string> = new Set(["168.63.129.16"]);
/** Private ranges that the owner of the server may allow. */
const PRIVATE_RANGES: ReadonlySet<string> = new Set([
  "loopback",
  "private",
  "carrierGradeNat",
  "uniqueLocal",
]);

/** Parses an IP address in standard notation; null for any other text and for an address with a zone id. */
export function parseAddress(text: string): Address | null {
  const bare = text.replace(/^\[(.*)\]$/, "$1");
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return null;
  const parsed = unmapIpv4(ipaddr.parse(bare));
  return parsed.kind() === "ipv6" && (parsed as ipaddr.IPv6).zoneId !== undefined ? null : parsed;
}

export function isPublic(address: Address): boolean {
  const inner = embeddedIpv4(address);
  if (inner !== null) return isPublic(inner);
  if (CLOUD_METADATA_ADDRESSES.has(address.toString())) return false;
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || isGlobal(address as ipaddr.IPv6);
}

/** Returns true for an address that the owner may allow: public or private. */
export const isAllowable = (address: Address): boolean =>
  isPublic(address) || PRIVATE_RANGES.has((embeddedIpv4(address) ?? address).range());

export const isWithin = (address: Address, networks: readonly Network[]): boolean =>
  networks.some(([first, bits]) => first.kind() === address.kind() && address.match([first, bits]));

/** Parses a network such as `10.0.0.0/8`, or one address; null for any other text. */
export function parseNetwork(text: string): Network | null {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  const address = parseAddress(text);
  return address === null ? null : [address, address.kind() === "ipv4" ? 32 : 128];
}

/** Returns the IPv4 address of an IPv4-mapped IPv6 address; any other address unchanged. */
const unmapIpv4 = (address: Address): Address =>
  address.kind() === "ipv6" && (address as ipaddr.IPv6).isIPv4MappedAddress()
    ? (address as ipaddr.IPv6).toIPv4Address()
    : address;

/** Returns the IPv4 address embedded in an IPv6 address; null if there is none. */
function embeddedIpv4(address: Address): Address | null {
  if (address.kind() === "ipv4") return null;
  const six = address as ipaddr.IPv6;
  if (six.isIPv4MappedAddress()) return six.toIPv4Address();
  return six.match(NAT64) ? new ipaddr.IPv4(six.toByteArray().slice(-4)) : null;
}

/** Returns true for a global unicast address that is not an ISATAP address. */
const isGlobal = (six: ipaddr.IPv6): boolean => {
  const [, , , , fifth, sixth] = six.parts;
  return six.match(GLOBAL_UNICAST_RANGE) && !((fifth === 0 || fifth === 0x200) && sixth === 0x5efe);
};
