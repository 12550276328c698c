import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { documents, documentText } from "./documents.ts";

/** The anchor of a heading: lower case, words joined by hyphens, punctuation dropped. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, "")
    .trim()
    .replaceAll(" ", "-");
const anchorsOf = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading!)));

describe("the documentation", () => {
  it.each(documents.map(({ path }) => path))("%s links only to files and headings that exist", (path) => {
    const text = documentText(path);
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
    const broken = links
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [file = "", anchor] = link.split("#");
        const target = file === "" ? path : normalize(join(dirname(path), file));
        if (!existsSync(target)) return true;
        return anchor !== undefined && !anchorsOf(readFileSync(target, "utf8")).has(anchor);
      });
    expect(broken).toEqual([]);
  });

  it("has a README of at most 250 lines and 12 KB that links to every guide", () => {
    const readme = documentText("README.md");
    expect(readme.split("\n").length).toBeLessThanOrEqual(250);
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(12 * 1024);
    const guides = documents.map(({ path }) => path).filter((path) => path !== "README.md");
    expect(guides.filter((path) => !readme.includes(`](${path})`))).toEqual([]);
  });
});
