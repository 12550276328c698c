import { describe, expect, it } from "vitest";
import {
  decodeModels,
  encodeModels,
  OUTSIDE,
  rankerOf,
  softmax,
} from "../../../../src/features/requests/model/model.ts";
import { trainModel } from "../../../../src/features/requests/model/train.ts";

const labelled = (label: string, requests: readonly string[]) =>
  requests.map((request) => ({ label, request }));
const model = trainModel([
  ...labelled("weather", ["will it rain", "rain tomorrow", "is it sunny"]),
  ...labelled("music", ["play a song", "next song"]),
]);
const rank = rankerOf(model);

describe("the classifier of requests", () => {
  it.each([
    ["will it rain today", "weather"],
    ["play that song", "music"],
    ["raining", "weather"],
    ["sumny", "weather"],
  ])("puts for '%s' the label %s first", (request, label) => {
    expect(rank(request)[0]!.label).toBe(label);
  });

  it("gives every label a share, in all 1", () => {
    const ranked = rank("rain");
    expect(ranked.map(({ label }) => label)).toEqual(["weather", "music"]);
    expect(ranked.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
  });

  it("is empty for a request without a known word", () => {
    expect(rank("zzzz qqqq")).toEqual([]);
    expect(rank("")).toEqual([]);
  });

  it("is empty for a request whose words are mostly unknown, such as one in another language", () => {
    expect(rank("rain")).not.toEqual([]);
    expect(rank("wird rain heute")).toEqual([]);
  });

  it("is the same after it was written and read, and when it is trained again", () => {
    const intents = trainModel([...labelled("hello", ["good morning"]), ...labelled("bye", ["see you"])]);
    const read = decodeModels(encodeModels({ tools: model, intents }));
    expect(read).toEqual({ tools: model, intents });
    expect(rankerOf(read.tools)("rain in a song")).toEqual(rank("rain in a song"));
    expect(trainModel(labelled(OUTSIDE, ["a b"]))).toEqual(trainModel(labelled(OUTSIDE, ["a b"])));
  });

  it("shares scores by their exponentials", () => {
    expect([...softmax(Float64Array.of(0, Math.log(3)))]).toEqual(
      [0.25, 0.75].map((share) => expect.closeTo(share, 12)),
    );
  });
});
