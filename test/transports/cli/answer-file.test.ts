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
  it("writes no file without --out, and says how to write it", async () => {
    const { run, files } = program();
    expect(await run("draw-picture", "aapl", "--timeframe", "4h")).toEqual({
      code: 0,
      out: "drew AAPL\n  file  not written; --out . writes draw-picture-AAPL-4h.png\n",
      err: "",
    });
    expect(files()).toEqual([]);
  });

  it("writes a new file, named after its input, to the folder that --out names", async () => {
    const { run, at } = program();
    writeFileSync(at("draw-picture-AAPL-1d.png"), "mine");
    expect(await run("draw-picture", "aapl", "--out", ".")).toEqual({
      code: 0,
      out: `drew AAPL\n  file  ${at("draw-picture-AAPL-1d-2.png")}\n`,
      err: "",
    });
    expect((await run("draw-picture", "aapl", "--out", "./")).out).toContain("-1d-3.png");
    expect(readFileSync(at("draw-picture-AAPL-1d-2.png"))).toEqual(PICTURE);
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
    ["no/such/folder.png", "the folder FOLDER/no/such does not exist; create it, or mount its disk"],
    ["no/such/", "the folder FOLDER/no/such does not exist; create it, or mount its disk"],
    ["", "it is a folder; name a file in it"],
  ])("cannot write %j: %s", async (name, text) => {
    const { run, at } = program();
    const { code, err } = await run("draw-picture", "aapl", `--out=${name}`);
    const why = text.replace("FOLDER", at("").replace(/\/$/, ""));
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
    expect((await run("draw-on-request", "AAPL", "--picture")).out).toContain("not written");
    expect(files()).toEqual(["a.png"]);
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
    expect((await run("draw-picture", "--help")).out).toContain("--out <path>");
    expect((await run("draw-format", "wide", "--out", "tall")).out).toContain("drew wide tall");
  });
});
