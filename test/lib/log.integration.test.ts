import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createLog } from "../../src/lib/log.ts";
import { SetupError } from "../../src/lib/setup-error.ts";
import { tempDir } from "../support/temp-dir.ts";

const PTY = "/usr/bin/script";
const root = new URL("../..", import.meta.url).pathname;

/** Lines printed by a process that logs at this level. */
function printed(level: string, statements: string) {
  const { stdout, text } = said(level, statements);
  const lines = text.split("\n").filter((line) => line !== "");
  return { stdout, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

function said(level: string, statements: string, options = "") {
  const source = `import { createLog } from "./src/lib/log.ts"; const log = createLog({ level: "${level}"${options} }); ${statements}`;
  const flags = ["--import", "tsx", "--input-type=module", "--eval", source];
  const { stdout, stderr } = spawnSync(process.execPath, flags, { cwd: root, encoding: "utf8" });
  return { stdout, text: stderr };
}

describe("the log", () => {
  it("is JSON on stderr, one line per event, with its time", () => {
    const { stdout, lines } = printed(
      "info",
      `log.info("start", { port: 1 }); log.warn("odd"); log.error("bad", { cause: new Error("why") });`,
    );
    expect(stdout, "belongs to the protocols").toBe("");
    expect(lines).toMatchObject([
      { level: 30, event: "start", port: 1 },
      { level: 40, event: "odd" },
      { level: 50, event: "bad", cause: expect.stringMatching(/^Error: why\n\s+at /) },
    ]);
    for (const { time } of lines) expect(new Date(String(time)).toISOString()).toBe(time);
  });

  it("writes nothing below its level", () => {
    const all = `log.info("a"); log.warn("b"); log.error("c");`;
    expect(printed("error", all).lines).toMatchObject([{ event: "c" }]);
    expect(printed("silent", all).lines).toEqual([]);
  });

  it.each([
    ["exits at once", `log.info("a"); log.info("b"); process.exit(0);`],
    ["fails", `log.info("a"); log.info("b"); throw new Error("unforeseen");`],
    [
      "is killed one turn later",
      `log.info("a"); log.info("b"); setTimeout(() => process.kill(process.pid, "SIGKILL"), 50);`,
    ],
  ])("loses no line of a process that %s", (_, statements) => {
    const { text } = said("info", statements);
    expect(text.match(/"event":"\w"/g)).toEqual(['"event":"a"', '"event":"b"']);
  });

  it("is text for people if requested, without control characters", () => {
    const { text } = said(
      "info",
      `log.info("started", { port: 1, url: "http://a", note: "two words", list: [1, 2] });
       log.error("bad", { text: "\\u001b[2Jred", cause: Object.assign(new Error("why"), { stack: "Error: why\\n    at a" }) });
       log.warn("odd", { cause: "no stack" });`,
      `, format: "text"`,
    );
    expect(text.replaceAll(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/gm, "<time>")).toBe(
      [
        `<time> info  started port=1 url=http://a note="two words" list=[1,2]`,
        "<time> error bad text=red",
        "    Error: why",
        "    at a",
        `<time> warn  odd cause="no stack"`,
        "",
      ].join("\n"),
    );
  });

  it.skipIf(!existsSync(PTY))("is text on a terminal, with colours for warnings", () => {
    const source = `import { createLog } from "./src/lib/log.ts"; createLog({ level: "info" }).warn("odd", { n: 1 });`;
    const file = join(tempDir(), "log.mts");
    writeFileSync(file, source.replace("./src", `${root}src`));
    const line = `exec '${process.execPath}' --import tsx '${file}'`;
    const env = { PATH: process.env.PATH, TERM: "xterm", SHELL: "/bin/sh" };
    const { stdout } = spawnSync(PTY, ["-qec", line, "/dev/null"], { cwd: root, encoding: "utf8", env });
    expect(stdout.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/, "<time>")).toBe(
      "<time> \u001b[33mwarn \u001b[39m odd n=1\r\n",
    );
  });

  it("appends to a file that only its owner can read, and opens a new one once it was renamed", () => {
    const file = join(tempDir(), "server.log");
    const { text } = said(
      "info",
      `import { renameSync } from "node:fs";
       log.info("a"); log.flush(); renameSync("${file}", "${file}.1"); log.info("b"); log.flush(); log.info("c");`,
      `, file: "${file}"`,
    );
    expect(text).toBe("");
    const eventsIn = (path: string) => readFileSync(path, "utf8").match(/"event":"\w"/g);
    expect(eventsIn(`${file}.1`)).toEqual(['"event":"a"']);
    expect(eventsIn(file)).toEqual(['"event":"b"', '"event":"c"']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("writes to stderr what the file does not take", () => {
    const dir = join(tempDir(), "logs");
    mkdirSync(dir);
    const { text } = said(
      "info",
      `import { rmSync } from "node:fs"; rmSync("${dir}", { recursive: true }); log.info("a");`,
      `, file: "${join(dir, "server.log")}"`,
    );
    expect(text).toMatch(/^\{"level":30,.*"event":"a"\}\n$/);
  });

  it("refuses a file that cannot be written", () => {
    const file = join(tempDir(), "none/server.log");
    expect(() => createLog({ level: "info", file })).toThrow(
      new SetupError(`LOG_FILE ${file} cannot be written (ENOENT); name a file in a folder you can write to`),
    );
  });
});
