import { describe, expect, it } from "vitest";
import type { ReplayReport, ReplayRequest } from "../../../src/domain/track-record/track-port.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { published, trackRow } from "../../support/track.ts";
import { testCli } from "./test-host.ts";

const report: ReplayReport = {
  run_id: "00000000-0000-4000-8000-000000000001",
  universe: "all",
  model_version: "consensus-9",
  moments: 12,
  from: "2024-01-02T21:00:00.000Z",
  until: "2025-12-15T21:00:00.000Z",
  symbols: 3,
  signals: 34,
  outcomes: 90,
  failures: [{ symbol: "NVDA", message: "NVDA cannot be read" }],
  record: published([
    trackRow(),
    trackRow({ horizon: 5 }),
    trackRow({ direction: "WAIT", grade: "C", hit_rate: null, interval: null }),
  ]),
};

function trackOf(result: ReplayReport = report) {
  const requests: ReplayRequest[] = [];
  const replay = async (request: ReplayRequest) => {
    requests.push(request);
    return result;
  };
  return { requests, track: { replay } };
}

describe("track replay", () => {
  it("replays all symbols and prints the record, labelled for simulated prices", async () => {
    const { requests, track } = trackOf();
    const { code, out, err } = await testCli({ track }).run("track", "replay");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(requests).toMatchObject([{ universe: "all", every: 1 }]);
    expect(requests[0]!.from).toBeUndefined();
    expect(out.split("\n")).toEqual([
      "SAMPLE (simulated)",
      "all: 34 signals of 3 symbols at 12 closes, 2024-01-02 to 2025-12-15; 90 new outcomes; 1 symbols failed",
      "replay 00000000-0000-4000-8000-000000000001, consensus-9",
      "Track record after 20 bars:",
      "grade  side  class      n  n_eff   hits    low   high   base  excess  win_r  loss_r  skill",
      "A      LONG  equity  2400    120  61.0%  52.0%  69.0%  56.0%   1.23%   1.75   -0.97  0.012",
      "NVDA NVDA cannot be read",
      "",
    ]);
  });

  it("shows the part of the record that was replayed", async () => {
    const rows = [trackRow(), trackRow({ asset_class: "crypto", grade: "B" })];
    const shown = async (universe: ReplayReport["universe"]) => {
      const { out } = await testCli({
        track: trackOf({ ...report, universe, record: published(rows) }).track,
      }).run("track", "replay");
      return out.split("\n").flatMap((line) => /^[AB] .*(equity|crypto)/.exec(line)?.[1] ?? []);
    };
    expect(await shown("sp500")).toEqual(["equity"]);
    expect(await shown("crypto")).toEqual(["crypto"]);
    expect(await shown("all")).toEqual(["equity", "crypto"]);
  });

  it("takes a universe, a first day and a step", async () => {
    const { requests, track } = trackOf();
    await testCli({ track }).runLine("track replay --universe crypto --from 2024-01-01 --every 5");
    expect(requests).toMatchObject([{ universe: "crypto", every: 5, from: Date.UTC(2024, 0, 1) }]);
  });

  it("prints everything as JSON", async () => {
    const { code, out } = await testCli({ track: trackOf().track }).run("track", "replay", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({ ok: true, ...report });
  });

  it("omits the track record until there is one", async () => {
    const { out } = await testCli({ track: trackOf({ ...report, record: null }).track }).run(
      "track",
      "replay",
    );
    expect(out).not.toContain("after 20 bars");
  });

  it.each([
    [["--universe", "file:mine.txt"], "no universe"],
    [["--every", "0"], "whole number"],
    [["--every", "1.5"], "whole number"],
    [["--from", "yesterday"], "--from takes a date"],
    [["--from", "2024-02-30"], "--from takes a date"],
  ])("rejects %j", async (argv, words) => {
    const { requests, track } = trackOf();
    const { code, err } = await testCli({ track }).run("track", "replay", ...argv);
    expect(code).not.toBe(0);
    expect(err).toContain(words);
    expect(requests).toEqual([]);
  });

  it("prints a failure with its hint", async () => {
    const replay = async () => {
      throw new ToolError("CANCELLED", "The replay was interrupted", { hint: "Start it again." });
    };
    const { code, err } = await testCli({ track: { replay } }).run("track", "replay");
    expect(code).not.toBe(0);
    expect(err).toContain("The replay was interrupted");
  });
});
