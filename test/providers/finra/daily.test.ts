import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { VolumeFile } from "../../../src/domain/off-exchange/provider.ts";
import { finraDaily } from "../../../src/providers/finra/daily.ts";
import { finraVendor } from "../../replay/finra.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixed, fixedWorld } from "../../support/fixed-world.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, respondInOrder, respondWith, signal, stock } from "../requests.ts";

const ALL = ["AAPL", "BRK.B", "SPY", "LINK"].map(fixed);
const figuresIn = (file: VolumeFile) => ALL.flatMap((one) => file.of(one) ?? []);

describeProvider("finra, the file of a day", {
  make: (fetch) => finraDaily({ fetch }),
  honest: fetchFrom(finraVendor, fixedWorld()),
  vendor: finraVendor,
  good: { date: "2025-12-02" },
  other: { date: "2025-12-01" },
  plausible(file: VolumeFile) {
    for (const { short, shortExempt, total } of figuresIn(file))
      expect(short >= 0 && short <= total && shortExempt >= 0 && Number.isFinite(total)).toBe(true);
  },
  filled: (file) => expect(figuresIn(file).length).toBe(ALL.length),
});

/** A provider with one response, and the requested URLs. */
function respond(body: string, status = 200, headers: Record<string, string> = {}) {
  const { fetch, requests } = respondWith({ "": body }, { status, headers });
  return { provider: finraDaily({ fetch }), requests };
}

describeWithData("finra as recorded", ["fixtures", "finra"], (folder) => {
  // four rows, each of a different day; a real file has one date
  const text = readFileSync(join(folder, "CNMSshvol_real_rows.txt"), "utf8");
  const [head, ...rows] = text.trim().split("\n").slice(0, -1);

  it.each([
    ["2026-08-12", "AAPL", 5521379.994964, 43970.5, 14277891.689275],
    ["2026-08-19", "A", 656799.067061, 7, 1138358.086029],
    ["2026-06-26", "NVDA", 17705180.795191, 133288, 49047927.127418],
    ["2026-07-02", "AA", 2551427.692872, 67707.20854, 4489378.15346],
  ])("reads decimals of %s: %s", async (date, symbol, short, shortExempt, total) => {
    const row = rows.find((line) => line.startsWith(date.replaceAll("-", "")))!;
    const { provider, requests } = respond(`${head}\n${row}\n1\n`);
    const file = await provider.call({ date }, { signal });
    expect(file.of(stock(symbol))).toEqual({ short, shortExempt, total });
    expect(file.of(stock("ZZQX"))).toBeNull();
    expect(requests).toEqual([
      `https://cdn.finra.org/equity/regsho/daily/CNMSshvol${date.replaceAll("-", "")}.txt`,
    ]);
  });

  it("rejects rows of several days in one file", async () => {
    await expect(respond(text).provider.call({ date: "2026-08-12" }, { signal })).rejects.toMatchObject({
      kind: "malformed",
      message: "a file of another date",
    });
  });
});

const HEAD = "Date|Symbol|ShortVolume|ShortExemptVolume|TotalVolume|Market";
const file = (...rows: readonly string[]) =>
  `${HEAD}\r\n${rows.map((row) => `20251202|${row}|B,Q,N`).join("\r\n")}\r\n${rows.length}\r\n`;
const read = (body: string) => respond(body).provider.call({ date: "2025-12-02" }, { signal });

describe("finra, the file of a day", () => {
  it("writes share classes with a slash, and rejects tokens", async () => {
    const result = await read(file("BRK/B|10|0|30", "BRK/A|1|0|2", "BRKpD|5|0|9"));
    expect(result.of(fixed("BRK.B"))).toEqual({ short: 10, shortExempt: 0, total: 30 });
    expect(() => result.of(fixed("BTC-USD"))).toThrow("only US stocks and funds are supported");
  });

  it("reads a missing file as a day not yet published if an earlier file exists", async () => {
    const xml = '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>';
    const files = (has: string | null, status: number) => {
      const requests = respondWith({
        "": ({ pathname }: URL) =>
          has !== null && pathname.includes(has)
            ? new Response(HEAD, { status: 206 })
            : new Response(xml, { status }),
      });
      const call = finraDaily({ fetch: requests.fetch }).call({ date: "2025-12-03" }, { signal });
      return { call, requests };
    };
    for (const status of [403, 404]) {
      const { call, requests } = files("20251126", status);
      const result = await call;
      expect([result.published, result.of(fixed("AAPL"))]).toEqual([false, null]);
      expect(requests.requests.map((url) => url.slice(-12))).toEqual(["20251203.txt", "20251126.txt"]);
      // only the beginning of that file is requested
      expect(requests.headers.map((sent) => sent.get("range"))).toEqual([null, "bytes=0-59"]);
    }
    const { call, requests } = files(null, 403);
    expect(await kindOf(call)).toBe("blocked");
    expect(requests.requests).toHaveLength(3);
  });

  it.each(["<!DOCTYPE html><html></html>", "", '{"message":"Forbidden"}', "<Error/>", "AccessDenied"])(
    "reports status 403 with %j as blocked",
    async (body) => {
      const { provider, requests } = respond(body, 403);
      expect(await kindOf(provider.call({ date: "2025-12-03" }, { signal }))).toBe("blocked");
      expect(requests).toHaveLength(1);
    },
  );

  it("does not read an unexplained 404 as an unpublished day", async () => {
    const { provider } = respond("", 404);
    expect(await kindOf(provider.call({ date: "2025-12-03" }, { signal }))).toBe("malformed");
  });

  it("rejects a truncated file, by its last line", async () => {
    const whole = file("AAPL|1|0|3", "SPY|2|0|4");
    expect((await read(whole)).published).toBe(true);
    const cut = whole.slice(0, whole.lastIndexOf("20251202"));
    for (const body of [
      cut,
      whole.replace(/2\r\n$/, ""),
      whole.replace(/2\r\n$/, "3\r\n"),
      `${HEAD}\r\n0\r\n`,
    ])
      expect(await kindOf(read(body))).toBe("malformed");
  });

  it("omits rows with impossible figures", async () => {
    const result = await read(file("AAPL|5|0|3", "SPY|-1|0|4", "LINK|x|0|4", "BRK/B|1|0|1"));
    const totals = ["AAPL", "SPY", "LINK", "BRK.B"].map((name) => result.of(fixed(name))?.total);
    expect(totals).toEqual([undefined, undefined, undefined, 1]);
  });

  it("separates the figures of different days, even if their symbols differ", async () => {
    const bodies = [file("AAPL|1|0|3"), file("SPY|2|0|4", "AAPL|7|1|9").replaceAll("20251202", "20251203")];
    const provider = finraDaily({ fetch: respondInOrder(bodies).fetch });
    const first = await provider.call({ date: "2025-12-02" }, { signal });
    const second = await provider.call({ date: "2025-12-03" }, { signal });
    expect([first, second].map((one) => [one.of(fixed("AAPL")), one.of(fixed("SPY"))])).toEqual([
      [{ short: 1, shortExempt: 0, total: 3 }, null],
      [
        { short: 7, shortExempt: 1, total: 9 },
        { short: 2, shortExempt: 0, total: 4 },
      ],
    ]);
  });
});
