import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ToolError } from "../../../src/kernel/errors.ts";
import { allowList } from "../../../src/transports/outbound/allow-list.ts";
import { parseTarget } from "../../../src/transports/outbound/target.ts";

const none = allowList([]);
const own = allowList(["127.0.0.1", "192.168.1.0/24", "nas.local", "localhost"]);

const refusalOf = (text: string, allow = none): string | null => {
  try {
    parseTarget(text, allow);
    return null;
  } catch (thrown) {
    if (!(thrown instanceof ToolError) || thrown.code !== "INVALID_INPUT") throw thrown;
    return thrown.message.replace(/^The address (.*)\. No message is sent there\.$/, "$1");
  }
};

const LOCAL = "has a host name of a local network";
const UNENCODED = "has spaces, backslashes or characters that are not ASCII; percent-encode them";
const NUMBER = "has an IP address, which may be private, instead of a host name";

describe("a webhook URL", () => {
  it.each([
    ["https://hooks.example.com/a?b=c"],
    ["https://hooks.example.com:8443/"],
    ["https://HOOKS.Example.com"],
    ["https://hooks.example.com:443/"],
    ["https://xn--bcher-kva.de/"],
  ])("may be %s", (text) => {
    expect(refusalOf(text)).toBeNull();
  });

  it.each([
    ["hooks.example.com", "is not a URL"],
    ["https://", "is not a URL"],
    ["ftp://hooks.example.com/", "uses neither https nor, for a host that the owner allows, http"],
    ["file:///etc/passwd", "uses neither https nor, for a host that the owner allows, http"],
    ["https://me@hooks.example.com/", "contains a user name or password"],
    ["https://me:pw@hooks.example.com/", "contains a user name or password"],
    ["https://@hooks.example.com/", "contains a user name or password"],
    ["https://hooks.example.com./", "has an invalid host name"],
    ["https://hooks.example.com:22/", "uses port 22; allowed are 443 and 1024 or above"],
    ["https://hooks.example.com:80/", "uses port 80; allowed are 443 and 1024 or above"],
    ["https://hooks.example.com:0/", "uses port 0; allowed are 443 and 1024 or above"],
    ["https://localhost/", LOCAL],
    ["https://LOCALHOST:8443/", LOCAL],
    ["https://a.localhost/", LOCAL],
    ["https://printer.local/", LOCAL],
    ["https://metadata.google.internal/", LOCAL],
    ["https://router.lan/", LOCAL],
    ["https://1.0.0.10.in-addr.arpa/", LOCAL],
    ["https://redis/", LOCAL],
    ["https://8.8.8.8/", NUMBER],
    ["https://[2606:4700::1111]/", NUMBER],
    ["https://hooks.example.com/a b", UNENCODED],
    ["https:\\\\hooks.example.com", UNENCODED],
    ["https://１２７.0.0.1/", UNENCODED],
    [`https://hooks.example.com/${"a".repeat(2_048)}`, "has more than 2048 characters"],
  ])("%s is rejected with the reason", (text, said) => {
    expect(refusalOf(text)).toBe(said);
  });

  it("is rejected for any spelling of a private IPv4 address", () => {
    const octal = (n: number) => `0${n.toString(8)}`;
    const hex = (n: number) => `0x${n.toString(16)}`;
    fc.assert(
      fc.property(
        fc.tuple(...([255, 255, 255, 255] as const).map((max) => fc.nat({ max }))),
        fc.constantFrom("", ":8443"),
        (bytes, port) => {
          const [a, b, c, d] = bytes as [number, number, number, number];
          const whole = ((a * 256 + b) * 256 + c) * 256 + d;
          const spellings = [
            `${a}.${b}.${c}.${d}`,
            `${a}.${b}.${c * 256 + d}`,
            `${a}.${(b * 256 + c) * 256 + d}`,
            String(whole),
            hex(whole),
            octal(whole),
            [a, b, c, d].map(octal).join("."),
            [a, b, c, d].map(hex).join("."),
            `${hex(a)}.${octal(b)}.${c}.${d}`,
            `${a}.${b}.${c}.${d}.`,
            `%3${a % 10}.${b}.${c}.${d}`,
            `[::ffff:${a}.${b}.${c}.${d}]`,
            `[::${a}.${b}.${c}.${d}]`,
            `[64:ff9b::${a}.${b}.${c}.${d}]`,
          ];
          expect(spellings.filter((one) => refusalOf(`https://${one}${port}/`) === null)).toEqual([]);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("that the owner allows may be local, numeric and plain http", () => {
    expect(parseTarget("http://127.0.0.1:9000/hook", own)).toMatchObject({
      host: "127.0.0.1",
      port: 9000,
      isIpAddress: true,
      isPlainHttp: true,
    });
    expect(parseTarget("http://nas.local/hook", own)).toMatchObject({
      port: 80,
      isIpAddress: false,
      isPlainHttp: true,
    });
    for (const host of ["192.168.1.9", "localhost", "0x7f.1", "[::ffff:127.0.0.1]"])
      expect(refusalOf(`http://${host}/`, own)).toBeNull();
    expect(refusalOf("http://192.168.2.9/", own)).toBe(NUMBER);
    expect(refusalOf("http://other.local/", own)).toBe(LOCAL);
    expect(refusalOf("http://127.0.0.1:25/", own)).toBe("uses port 25; allowed are 443 and 1024 or above");
  });
});

describe("the owner's allow list", () => {
  it("allows addresses in its networks, and the hosts it names", () => {
    expect(own.allows("192.168.1.77", "hooks.example.com")).toBe(true);
    expect(own.allows("192.168.2.77", "hooks.example.com")).toBe(false);
    expect(own.allows("192.168.2.77", "nas.local")).toBe(true);
    expect(own.allows("8.8.8.8", "hooks.example.com")).toBe(true);
    expect(own.allows("nonsense", "nas.local")).toBe(false);
  });

  it("never allows cloud metadata addresses, even through a network that contains them", () => {
    const wide = allowList(["0.0.0.0/0", "::/0", "nas.local"]);
    for (const address of "169.254.169.254 168.63.129.16 0.0.0.0 fe80::1 :: 64:ff9b::a9fe:a9fe".split(" ")) {
      expect(wide.allows(address, "nas.local")).toBe(false);
      expect(wide.hasAddress(address)).toBe(false);
    }
  });

  it("rejects other entries", () => {
    for (const entry of ["10.0.0.0/40", "http://nas", "1.2.3", "-", "127.0.0.1:9000", "nas.local:9000"])
      expect(() => allowList([entry])).toThrow(
        `WEBHOOK_ALLOW: ${entry} is not a host name, address or network such as 192.168.1.0/24`,
      );
  });
});
