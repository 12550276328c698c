import { describe, expect, it } from "vitest";
import { rankerOf } from "../../../src/features/tool-search/classifier.ts";

const rank = await rankerOf(
  [
    { label: "weather", requests: ["will it rain", "rain tomorrow", "is it sunny"] },
    { label: "music", requests: ["play a song", "next song"] },
  ],
  async () => {},
);

describe("the ranking of labels", () => {
  it.each([
    ["does it rain today", "weather"],
    ["that song", "music"],
    ["raining", "weather"],
    ["sumny", "weather"],
  ])("puts for '%s' the label %s first", (request, label) => {
    expect(rank(request)[0]).toBe(label);
  });

  it("has every label", () => {
    expect(rank("rain")).toEqual(["weather", "music"]);
  });

  it("is empty for a request without a known word", () => {
    expect(rank("zzzz qqqq")).toEqual([]);
    expect(rank("")).toEqual([]);
  });
});
