import { describe, expect, it } from "vitest";
import { type FailureKind, ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { OwnLimitReached } from "../../../src/market/failover/meter.ts";
import { tryAlternates, tryHosts } from "../../../src/providers/shared/alternates.ts";
import { kindOf } from "../requests.ts";

const HOSTS = ["https://one.example", "https://two.example"];

/** Requests over two hosts; `failing` maps a host to its failure. */
function setup(failing: Record<string, Error>, baseUrl?: string) {
  const asked: string[] = [];
  const withHost = tryHosts({ baseUrl }, HOSTS);
  const request = () =>
    withHost(async (host) => {
      asked.push(new URL(host).host);
      const failure = failing[host];
      if (failure !== undefined) throw failure;
      return host;
    });
  return { asked, request, failing };
}
const failure = (kind: FailureKind) => new ProviderFailure(kind, "no");

describe("two hosts of a provider", () => {
  it.each(["rate_limited", "auth", "blocked", "down"] as const)(
    "replace each other if one answers %s, and the one that served is asked first from then on",
    async (kind) => {
      const { asked, request } = setup({ [HOSTS[0]!]: failure(kind) });
      expect(await request()).toBe(HOSTS[1]);
      expect(await request()).toBe(HOSTS[1]);
      expect(asked).toEqual(["one.example", "two.example", "two.example"]);
    },
  );

  it("go back to the first one if the second refuses", async () => {
    const { asked, request, failing } = setup({ [HOSTS[0]!]: failure("down") });
    await request();
    delete failing[HOSTS[0]!];
    failing[HOSTS[1]!] = failure("rate_limited");
    expect(await request()).toBe(HOSTS[0]);
    expect(asked).toEqual(["one.example", "two.example", "two.example", "one.example"]);
  });

  it.each(["unknown_symbol", "unsupported", "malformed", "timeout"] as const)(
    "are not both asked after %s",
    async (kind) => {
      const { asked, request } = setup({ [HOSTS[0]!]: failure(kind) });
      expect(await kindOf(request())).toBe(kind);
      expect(asked).toEqual(["one.example"]);
    },
  );

  it("fail as the last one does if all refuse, and as the refusal if our own limit ends it", async () => {
    const both = setup({ [HOSTS[0]!]: failure("blocked"), [HOSTS[1]!]: failure("rate_limited") });
    expect(await kindOf(both.request())).toBe("rate_limited");
    const limited = setup({ [HOSTS[0]!]: failure("blocked"), [HOSTS[1]!]: new OwnLimitReached() });
    expect(await kindOf(limited.request())).toBe("blocked");
    const first = setup({ [HOSTS[0]!]: new OwnLimitReached() });
    await expect(first.request()).rejects.toBeInstanceOf(OwnLimitReached);
    expect(first.asked).toEqual(["one.example"]);
  });

  it("are both replaced by a base URL of the setup", async () => {
    const base = "https://replay.example";
    const { asked, request } = setup({ [base]: failure("down") }, base);
    expect(await kindOf(request())).toBe("down");
    expect(asked).toEqual(["replay.example"]);
  });
});

describe("alternates with kinds of their own", () => {
  it("are tried only after these", async () => {
    const tried: number[] = [];
    const withOne = tryAlternates([1, 2], ["blocked"]);
    const request = (kind: FailureKind) =>
      withOne(async (one) => {
        tried.push(one);
        throw failure(kind);
      });
    expect(await kindOf(request("down"))).toBe("down");
    expect(await kindOf(request("blocked"))).toBe("blocked");
    expect(tried).toEqual([1, 1, 2]);
  });
});
