import { describe, expect, it } from "vitest";
import { ERROR_CODES, ToolError } from "../../../src/kernel/errors.ts";
import { exitCodeOf, painter, progressBar, writeFailure } from "../../../src/transports/cli/screen.ts";
import { testScreen } from "./test-host.ts";

describe("painter", () => {
  it("colours text only if the stream supports it", () => {
    expect(painter(testScreen({ isTTY: true, colour: true }).screen)("red", "x")).toBe(
      "\u001b[31mx\u001b[39m",
    );
    expect(painter(testScreen({ isTTY: true }).screen)("red", "x")).toBe("x");
  });
});

describe("writeFailure", () => {
  it("removes control characters", () => {
    const [out, err] = [testScreen(), testScreen()];
    const thrown = new ToolError("NOT_FOUND", 'No plan "\u001b[2Jgold\n"', { hint: "Try\u0007pro." });
    expect(writeFailure(thrown, { out: out.screen, err: err.screen, json: false })).toBe(1);
    expect(err.written.text).toBe('NOT_FOUND No plan " gold "\nTry pro.\n');
  });

  it("shows the command line after the hint, in text and in JSON", () => {
    const [out, err] = [testScreen(), testScreen()];
    const thrown = new ToolError("NOT_CONNECTED", "Off", { hint: "Ask.", command: "market-signal config" });
    writeFailure(thrown, { out: out.screen, err: err.screen, json: true });
    expect(err.written.text).toBe("NOT_CONNECTED Off\nAsk. On the server: `market-signal config`.\n");
    expect(JSON.parse(out.written.text)).toEqual({
      ok: false,
      code: "NOT_CONNECTED",
      message: "Off",
      hint: "Ask. On the server: `market-signal config`.",
    });
  });
});

describe("exitCodeOf", () => {
  it("is 130 for CANCELLED, 2 for INVALID_INPUT, 1 for every other error", () => {
    const codes = ERROR_CODES.map((code) => [code, exitCodeOf(code)] as const);
    expect(codes.filter(([, exit]) => exit !== 1)).toEqual([
      ["INVALID_INPUT", 2],
      ["CANCELLED", 130],
    ]);
  });
});

describe("progressBar", () => {
  /** What a bar writes for steps `[ms since the start, done, total, message]`, as lines. */
  const drawn = (steps: readonly (readonly [number, number, number, string?])[], isTTY = true) => {
    const { screen, written } = testScreen({ isTTY, columns: 60 });
    let now = 5_000;
    const bar = progressBar(screen, now, () => now);
    for (const [ms, done, total, message] of steps) {
      now = 5_000 + ms;
      bar.step({ done, total, ...(message !== undefined && { message }) });
    }
    bar.end();
    return written.text.split("\r\u001b[K").slice(1, -1);
  };

  it("shows the time left once a second was measured, from the rate of the work done in this run", () => {
    expect(
      drawn([
        [100, 50, 100],
        [500, 52, 100, "AAPL"],
        [2_100, 60, 100, "MSFT"],
        [10_100, 100, 100, "TSLA"],
      ]),
    ).toEqual([
      "[============            ] 52/100 AAPL",
      "[==============          ] 60/100 about 8 s left MSFT",
      "[========================] 100/100 TSLA",
    ]);
  });

  it("shows minutes and hours, rounded up, and measures work of another total anew", () => {
    expect(
      drawn([
        [0, 0, 100],
        [10_000, 10, 100],
        [20_000, 1, 10],
        [30_000, 2, 10],
        [3_620_000, 3, 2_000],
        [3_640_000, 5, 2_000],
        [4_000_000, 8, 2_000],
      ]).map((line) => line.replace(/^.*\] /, "")),
    ).toEqual([
      "10/100 about 2 min left ",
      "1/10 ",
      "2/10 about 80 s left ",
      "3/2000 ",
      "5/2000 about 6 h left ",
      "8/2000 about 43 h left ",
    ]);
  });

  it("cuts the message at the width of the terminal", () => {
    const [line] = drawn([[400, 1, 2, "a message of more than thirty characters"]]);
    expect(line).toBe("[============            ] 1/2 a message of more than thir…");
    expect(line!.length).toBe(60 - 1);
  });

  it("writes nothing to a stream that is no terminal", () => {
    expect(drawn([[5_000, 1, 2, "AAPL"]], false)).toEqual([]);
  });
});
