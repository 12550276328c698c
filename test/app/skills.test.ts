import { describe, expect, it } from "vitest";
import { parseSkill } from "../../src/app/skills.ts";

const FILE =
  "---\nname: morning\ndescription: Use it early.\nlicense: MIT\n---\n# Morning report\n\n1. Wake up.\n";

describe("parseSkill", () => {
  it("returns the fields, the heading, the file and the instructions", () => {
    expect(parseSkill("morning", FILE)).toEqual({
      name: "morning",
      title: "Morning report",
      description: "Use it early.",
      fields: { name: "morning", description: "Use it early.", license: "MIT" },
      file: FILE,
      instructions: "# Morning report\n\n1. Wake up.",
    });
  });

  it("reads lines that end with a carriage return as the same file", () => {
    expect(parseSkill("morning", FILE.replaceAll("\n", "\r\n"))).toEqual(parseSkill("morning", FILE));
  });

  it.each([
    ["evening", FILE, 'The name of the skill in evening is "morning"'],
    ["morning", FILE.replace(/description.*\n/, ""), "has no description or no heading"],
    ["morning", FILE.replace("# ", ""), "has no description or no heading"],
  ])("rejects the skill in %s: %j", (folder, file, message) => {
    expect(() => parseSkill(folder, file)).toThrow(message);
  });
});
