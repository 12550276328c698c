import { describe, expect, it } from "vitest";
import { exitCodeOf, painter } from "../../../src/doors/cli/screen.ts";
import { ERROR_CODES } from "../../../src/kernel/errors.ts";
import { paper } from "./stand.ts";

describe("a screen", () => {
  it("is painted only where it has colour", () => {
    expect(painter(paper({ isTTY: true, colour: true }).screen)("red", "x")).toBe("\u001b[31mx\u001b[39m");
    expect(painter(paper({ isTTY: true }).screen)("red", "x")).toBe("x");
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
