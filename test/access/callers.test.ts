import { describe, expect, it } from "vitest";
import { anonymousPrincipal, networkOf, ownerPrincipal } from "../../src/access/callers.ts";

describe("callers without a key", () => {
  it("are identified by network and may only read", () => {
    expect(anonymousPrincipal("203.0.113.7")).toEqual({
      account: "addr:203.0.113.7",
      plan: "open",
      scopes: ["read"],
    });
  });

  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["unknown", "unknown"],
  ])("from %s belong to the network %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe("the local owner", () => {
  it("has the highest plan, paper trading, and no scopes that only the command line may grant", () => {
    expect(ownerPrincipal()).toEqual({
      account: "owner",
      plan: "enterprise",
      scopes: ["read", "write", "trade:paper"],
    });
  });
});
