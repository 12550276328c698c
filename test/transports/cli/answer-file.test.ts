import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { drawFormat, drawOnRequest, drawPicture, PICTURE } from "../../support/picture-tool.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { getMirror, testCli } from "./test-host.ts";

/** The command line in a new, empty folder. */
function program() {
  const folder = tempDir();
  const { run } = testCli({ tools: [drawPicture, drawOnRequest, drawFormat, getMirror], host: { folder } });
  return { run, at: (name: string) => join(folder, name), files: () => readdirSync(folder) };
}

describe("a command whose result has a file", () => {
  it("writes it to a new file named after its input, and prints the path", async () => {
    const { run, at } = program();
    const { code, out, err } = await run("draw-picture", "aapl", "--timeframe", "4h");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(`drew AAPL\n  file  ${at("draw-picture-AAPL-4h.png")}\n`);
    expect(readFileSync(at("draw-picture-AAPL-4h.png"))).toEqual(PICTURE);
  });

  it("does not overwrite an existing file, and gives a hint", async () => {
    const { run, at } = program();
    writeFileSync(at("draw-picture-AAPL-1d.png"), "mine");
    const { code, out, err } = await run("draw-picture", "aapl");
    expect(code).toBe(1);
    expect(out).toBe("drew AAPL\n");
    expect(err).toBe(
      "CONFLICT draw-picture-AAPL-1d.png already exists and was not changed\nUse --out draw-picture-AAPL-1d.png to replace it, or --out with another name.\n",
    );
    expect(readFileSync(at("draw-picture-AAPL-1d.png"), "utf8")).toBe("mine");
  });

  it("replaces the file that --out names", async () => {
    const { run, at, files } = program();
    writeFileSync(at("mine.png"), "mine");
    expect((await run("draw-picture", "aapl", "--out", "mine.png")).code).toBe(0);
    expect(readFileSync(at("mine.png"))).toEqual(PICTURE);
    expect(files()).toEqual(["mine.png"]);
  });

  it("prints the bytes as JSON and writes no file with --json", async () => {
    const { run, files } = program();
    const { out } = await run("draw-picture", "aapl", "--json");
    expect(JSON.parse(out).media.base64).toBe(PICTURE.toString("base64"));
    expect(files()).toEqual([]);
  });

  it("writes the file with --json and --out", async () => {
    const { run, at } = program();
    const { out, err } = await run("draw-picture", "aapl", "--json", "--out", "a.png");
    expect(JSON.parse(out).media).toEqual({ mime: "image/png", alt: "a picture" });
    expect(err).toBe(`file  ${at("a.png")}\n`);
    expect(readFileSync(at("a.png"))).toEqual(PICTURE);
  });

  it.each([
    ["no/such/folder.png", "the folder does not exist"],
    [".", "it is a folder"],
    ["", "it is a folder"],
  ])("cannot write %j: %s", async (name, why) => {
    const { code, err } = await program().run("draw-picture", "aapl", `--out=${name}`);
    expect({ code, err }).toEqual({
      code: 2,
      err: `INVALID_INPUT The file cannot be written: ${why}\nChoose another path with --out.\n`,
    });
  });

  it("prints one JSON document if it cannot write", async () => {
    const { out } = await program().run("draw-picture", "aapl", "--json", "--out", "no/such/a.png");
    expect(JSON.parse(out)).toMatchObject({ ok: false, code: "INVALID_INPUT" });
  });

  it("is drawn for --out, even by a tool that draws only on request", async () => {
    const { run, at, files } = program();
    expect((await run("draw-on-request", "AAPL")).out).toBe("read AAPL\n");
    expect(files()).toEqual([]);
    expect((await run("draw-on-request", "AAPL", "--out", "a.png")).out).toBe(
      `read AAPL\n  file  ${at("a.png")}\n`,
    );
    await run("draw-on-request", "AAPL", "--picture");
    expect(files()).toEqual(["a.png", "draw-on-request-AAPL.png"]);
  });

  it("writes nothing if the result has no file", async () => {
    const { run, files } = program();
    expect((await run("draw-picture", "aapl", "--none")).out).toBe("drew AAPL\n");
    expect(files()).toEqual([]);
  });

  it("has the option --out only for such results, and not for a tool with a field of that name", async () => {
    const { run } = program();
    expect((await run("mirror", "x", "1", "--out", "a.png")).code).toBe(2);
    expect((await run("mirror", "--help")).out).not.toContain("--out");
    expect((await run("draw-picture", "--help")).out).toContain("--out <file>");
    expect((await run("draw-format", "wide", "--out", "tall")).out).toContain("drew wide tall");
  });
});
