import { BlockList } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isAllowable,
  isPublic,
  isWithin,
  parseAddress,
  parseNetwork,
} from "../../../src/transports/outbound/address.ts";

/** Special-purpose IPv4 networks, and whether an owner may allow them. */
const SPECIAL: readonly (readonly [string, number, boolean])[] = [
  ["0.0.0.0", 8, false],
  ["10.0.0.0", 8, true],
  ["100.64.0.0", 10, true],
  ["127.0.0.0", 8, true],
  ["169.254.0.0", 16, false],
  ["172.16.0.0", 12, true],
  ["192.0.0.0", 24, false],
  ["192.0.2.0", 24, false],
  ["192.31.196.0", 24, false],
  ["192.52.193.0", 24, false],
  ["192.88.99.0", 24, false],
  ["192.168.0.0", 16, true],
  ["192.175.48.0", 24, false],
  ["198.18.0.0", 15, false],
  ["198.51.100.0", 24, false],
  ["203.0.113.0", 24, false],
  ["224.0.0.0", 4, false],
  ["240.0.0.0", 4, false],
];
const listOf = (rows: typeof SPECIAL) => {
  const list = new BlockList();
  for (const [first, bits] of rows) list.addSubnet(first, bits, "ipv4");
  return list;
};
const special = listOf(SPECIAL);
const home = listOf(SPECIAL.filter(([, , may]) => may));

const dotted = (n: number) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255].join(".");
const numberOf = (text: string) => text.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
/** Any IPv4 address; half of them are within or at the edge of a special network. */
const anyV4 = fc.oneof(
  fc.nat({ max: 0xffffffff }),
  fc
    .tuple(fc.constantFrom(...SPECIAL), fc.constantFrom(-1, 0, 1, 77), fc.boolean())
    .map(([[first, bits], step, end]) => numberOf(first) + (end ? 2 ** (32 - bits) - 1 : 0) + step)
    .filter((n) => n >= 0 && n <= 0xffffffff),
);
const hex = (n: number) => `${(n >>> 16).toString(16)}:${(n & 0xffff).toString(16)}`;

const pub = (text: string) => isPublic(parseAddress(text)!);
const allowable = (text: string) => isAllowable(parseAddress(text)!);

describe("an address", () => {
  it("of IPv4 is public outside all special networks, and so are its mapped and translated forms", () => {
    fc.assert(
      fc.property(anyV4, (n) => {
        const text = dotted(n);
        const expected = !special.check(text, "ipv4") && text !== "168.63.129.16";
        const forms = [text, `::ffff:${text}`, `[::ffff:${hex(n)}]`, `64:ff9b::${hex(n)}`];
        expect(forms.map(pub)).toEqual(forms.map(() => expected));
        expect(allowable(text)).toBe(expected || home.check(text, "ipv4"));
      }),
      { numRuns: 400 },
    );
  });

  it("that embeds an IPv4 address in a tunnel is never public", () => {
    fc.assert(
      fc.property(anyV4, (n) => {
        const forms = [
          `2002:${hex(n)}::1`,
          `2001:0:${hex(n)}::1`,
          `2001:0:102:304::${hex(~n >>> 0)}`,
          `::${hex(n)}`,
          `::ffff:0:${hex(n)}`,
          `64:ff9b:1::${hex(n)}`,
          `2600::5efe:${hex(n)}`,
          `2600::200:5efe:${hex(n)}`,
        ];
        expect(forms.filter(pub)).toEqual([]);
      }),
    );
  });

  it.each([
    ["2606:4700::1111", true],
    ["2a00:1450:4001::200e", true],
    ["::", false],
    ["::1", false],
    ["fe80::1", false],
    ["febf::1", false],
    ["fec0::1", false],
    ["fc00::1", false],
    ["fd00:ec2::254", false],
    ["ff02::1", false],
    ["2001:db8::1", false],
    ["3fff::1", false],
    ["100::1", false],
    ["5f00::1", false],
    ["4000::1", false],
    ["168.63.129.16", false],
    ["169.254.169.254", false],
    ["100.100.100.200", false],
    ["8.8.8.8", true],
  ])("%s, as an example of its range, is public: %s", (text, expected) => {
    expect(pub(text)).toBe(expected);
  });

  it("of a loopback or home network may be allowed, a link-local or cloud one may not", () => {
    const local = ["127.0.0.1", "::1", "192.168.1.5", "fd12::1", "100.64.0.1"];
    const reserved = ["169.254.169.254", "fe80::1", "0.0.0.0", "::", "224.0.0.1", "168.63.129.16"];
    expect([...local, ...reserved].filter(allowable)).toEqual(local);
  });

  it("is parsed only in its usual form", () => {
    for (const text of "2130706433 0x7f000001 0177.0.0.1 127.1 fe80::1%eth0 1.2.3.4. a.b".split(" "))
      expect(parseAddress(text), text).toBeNull();
    expect(parseAddress("")).toBeNull();
    expect(parseAddress("[::1]")?.toString()).toBe("::1");
  });
});

describe("a network", () => {
  const within = (text: string, ...networks: string[]) =>
    isWithin(
      parseAddress(text)!,
      networks.map((one) => parseNetwork(one)!),
    );

  it("contains its own addresses, including IPv4-mapped IPv6 forms", () => {
    expect(within("192.168.1.77", "192.168.1.0/24")).toBe(true);
    expect(within("::ffff:192.168.1.77", "192.168.1.0/24")).toBe(true);
    expect(within("192.168.2.1", "192.168.1.0/24")).toBe(false);
    expect(within("fd12::9", "192.168.1.0/24", "fd12::/16")).toBe(true);
    expect(within("10.0.0.1", "10.0.0.1")).toBe(true);
    expect(within("10.0.0.2", "10.0.0.1")).toBe(false);
  });

  it("is parsed from an address with or without prefix length", () => {
    expect(parseNetwork("nas.lan")).toBeNull();
    expect(parseNetwork("10.0.0.0/33")).toBeNull();
    expect(parseNetwork("10.0.0.0/8")?.[1]).toBe(8);
    expect(parseNetwork("::1")?.[1]).toBe(128);
  });
});
