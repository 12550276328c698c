import { describe, expect, it } from "vitest";
import { ERROR_CODES, ToolError } from "../../../src/kernel/errors.ts";
import { exitCodeOf, painter, writeFailure } from "../../../src/transports/cli/screen.ts";
import { paper } from "./stand.ts";

describe("a screen", () => {
  it("is painted only where it has colour", () => {
    expect(painter(paper({ isTTY: true, colour: true }).screen)("red", "x")).toBe("\u001b[31mx\u001b[39m");
    expect(painter(paper({ isTTY: true }).screen)("red", "x")).toBe("x");
  });
});

describe("a failure", () => {
  it("is told in words that a terminal can bear, whatever they repeat", () => {
    const [out, err] = [paper(), paper()];
    const thrown = new ToolError("NOT_FOUND", 'No plan "\u001b[2Jgold\n"', { hint: "Try\u0007pro." });
    expect(writeFailure(thrown, { out: out.screen, err: err.screen, json: false })).toBe(1);
    expect(err.kept.text).toBe('NOT_FOUND No plan " gold "\nTry pro.\n');
  });
});

describe("the exit code", () => {
  it("is 130 for what was cancelled, 2 for what was asked wrongly, 1 for every other failure", () => {
    const codes = ERROR_CODES.map((code) => [code, exitCodeOf(code)] as const);
    expect(codes.filter(([, exit]) => exit !== 1)).toEqual([
      ["INVALID_INPUT", 2],
      ["CANCELLED", 130],
    ]);
  });
});
