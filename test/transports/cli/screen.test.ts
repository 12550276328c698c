import { describe, expect, it } from "vitest";
import { ERROR_CODES, ToolError } from "../../../src/kernel/errors.ts";
import { exitCodeOf, painter, writeFailure } from "../../../src/transports/cli/screen.ts";
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
