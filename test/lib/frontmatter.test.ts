import { describe, expect, it } from "vitest";
import { parseFrontmatter } from "../../src/lib/frontmatter.ts";

describe("parseFrontmatter", () => {
  it("returns the fields and the text below them", () => {
    expect(parseFrontmatter("---\nname: a-b\nlicense: MIT\n---\n\n# Title\n\n---\nText\n")).toEqual({
      fields: { name: "a-b", license: "MIT" },
      body: "# Title\n\n---\nText",
    });
  });

  it.each(["", "# Title", "---\nname: a", "text\n---\nname: a\n---\n"])(
    "rejects %j, without fields",
    (text) => {
      expect(() => parseFrontmatter(text)).toThrow("does not begin with fields");
    },
  );

  it.each([
    "name a",
    "name:",
    "Name: a",
    "name: a: b",
    "name: a #b",
    "name: ends:",
    "name: a ",
    "name: 'a'",
    "name: true",
    "name: No",
    "name: 5",
    "name: [a]",
    "  name: a",
    "name: a\r",
  ])("rejects %j, which YAML reads otherwise", (line) => {
    expect(() => parseFrontmatter(`---\n${line}\n---\n`)).toThrow("This line is not");
  });

  it("rejects a field that occurs twice", () => {
    expect(() => parseFrontmatter("---\nname: a\nname: b\n---\n")).toThrow('"name" occurs twice');
  });
});
