import { describe, expect, it } from "vitest";
import { oddsBenchOptions } from "./options.ts";

describe("options of the odds benchmark", () => {
  it("default to the default files, a class per file and 2,000 paths", () => {
    expect(oddsBenchOptions([])).toEqual({
      folders: [],
      assetClass: null,
      isAdjusted: false,
      paths: 2_000,
      isWritten: false,
    });
  });

  it.each([
    [["--data", "a", "--data", "b", "--class", "crypto", "--paths", "50", "--adjusted", "--write"]],
    [["--", "--data", "a", "--data=b", "--", "--class=crypto", "--paths=50", "--adjusted", "--write"]],
  ])("are the same with and without a literal --: %j", (args) => {
    expect(oddsBenchOptions(args)).toEqual({
      folders: ["a", "b"],
      assetClass: "crypto",
      isAdjusted: true,
      paths: 50,
      isWritten: true,
    });
  });

  it("read us as stocks", () => {
    expect(oddsBenchOptions(["--class", "us"]).assetClass).toBe("equity");
  });

  it.each([
    [["--class", "coins"], "--class is us or crypto, not coins"],
    [["--class", "toString"], "--class is us or crypto, not toString"],
    [["--paths", "1.5"], "--paths is a positive integer, not 1.5"],
    [["--paths", "0"], "--paths is a positive integer, not 0"],
    [["--fast"], "Unknown option '--fast'"],
  ])("refuse %j", (args, message) => {
    expect(() => oddsBenchOptions(args)).toThrow(message);
  });
});
