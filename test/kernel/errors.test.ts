import { describe, expect, it } from "vitest";
import { asToolError, ERROR_CODES, hintWithCommand, ToolError } from "../../src/kernel/errors.ts";

describe("a tool error", () => {
  it("separates public fields from its cause", () => {
    const cause = new Error("vendor text");
    const error = new ToolError("NO_PRICE", "No price", { hint: "Wait.", data: { price: null }, cause });
    expect(error).toMatchObject({
      code: "NO_PRICE",
      message: "No price",
      hint: "Wait.",
      data: { price: null },
    });
    expect(error.cause).toBe(cause);
    expect(JSON.stringify({ ...error })).not.toContain("vendor text");
  });

  it("is returned unchanged; any other error becomes INTERNAL without its message", () => {
    const ours = new ToolError("REFUSED", "No");
    expect(asToolError(ours)).toBe(ours);
    for (const cause of [new Error("secret"), "secret", undefined, { code: "NO_PRICE", message: "secret" }]) {
      const error = asToolError(cause);
      expect(error).toMatchObject({ code: "INTERNAL", message: "The tool failed unexpectedly" });
      expect(error.cause).toBe(cause);
    }
  });

  it("has a command line for people beside the hint for models", () => {
    const command = "market-signal doctor";
    const hint = "Retry in a minute.";
    const both = new ToolError("UPSTREAM_UNAVAILABLE", "Down", { hint, command });
    expect([both.hint, both.command]).toEqual([hint, command]);
    expect(hintWithCommand(both)).toBe("Retry in a minute. On the server: `market-signal doctor`.");
    expect(hintWithCommand(new ToolError("REFUSED", "No", { hint }))).toBe(hint);
    expect(hintWithCommand(new ToolError("REFUSED", "No", { command }))).toBe(
      "On the server: `market-signal doctor`.",
    );
    expect(hintWithCommand(new ToolError("REFUSED", "No"))).toBeUndefined();
  });

  it("has unique codes", () => {
    expect(new Set(ERROR_CODES).size).toBe(ERROR_CODES.length);
  });
});
