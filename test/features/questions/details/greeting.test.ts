import { describe, expect, it } from "vitest";
import { replyTo } from "../../../../src/features/questions/details/greeting.ts";

describe("the reply to a greeting", () => {
  it.each([
    ["thanks", "You are welcome."],
    ["Thank you so much for your help!", "You are welcome."],
    ["goodbye", "Goodbye."],
    ["thanks, see you tomorrow", "Goodbye."],
    ["hello", null],
    ["thanks, what else can you do", null],
    ["hey, thanks", null],
  ])("%s: %s", (query, words) => {
    expect(replyTo(query)).toBe(words);
  });
});
