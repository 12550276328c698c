import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";

const root = new URL("../..", import.meta.url).pathname;

/** Lines printed by a process that logs at this level. */
function printed(level: string, statements: string) {
  const { stdout, text } = said(level, statements);
  const lines = text.split("\n").filter((line) => line !== "");
  return { stdout, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

function said(level: string, statements: string) {
  const source = `import { createLog } from "./src/lib/log.ts"; const log = createLog("${level}"); ${statements}`;
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
});
