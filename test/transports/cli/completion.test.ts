import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Tool } from "../../../src/kernel/tool.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { getMirror, getPriceTag, testCli } from "./test-host.ts";

const getLevel = {
  ...getPriceTag,
  name: "level",
  input: z.object({ level: z.literal([1, 2]).optional().describe("Which level: 1 or 2") }),
} as unknown as Tool;
const run = (...words: readonly string[]) => testCli({ tools: [getMirror, getLevel] }).run(...words);

/** Program that prints the words which a shell offers for the last of `words`, one a line. */
const ASK = {
  bash: (script: string, words: readonly string[]) =>
    `source '${script}'; COMP_WORDS=(market-signal ${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length}; _market_signal; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // the functions of the completion system need a terminal, so they are replaced by ones that print
  zsh: (script: string, words: readonly string[]) =>
    `compdef() { : }; _files() { : }; _describe() { local each; for each in "\${(P@)2}"; do each=\${each%%:*}; [[ $each == "$cur"* ]] && print -r -- "$each"; done }; source '${script}'; words=(market-signal ${words.map((word) => `'${word}'`).join(" ")}); CURRENT=${words.length + 1}; _market_signal`,
  fish: (script: string, words: readonly string[]) =>
    `source '${script}'; complete -C 'market-signal ${words.join(" ")}' | string replace -r '\\t.*' ''`,
} as const;
const START = { bash: ["--norc", "-c"], zsh: ["-f", "-c"], fish: ["--no-config", "-c"] } as const;
const pathOf = (shell: string) =>
  ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
    .map((dir) => join(dir, shell))
    .find((path) => existsSync(path));

describe.each(["bash", "zsh", "fish"] as const)("completion %s", (shell) => {
  const program = pathOf(shell);
  const MISSING = `${shell} is not installed`;
  async function offered(...words: readonly string[]): Promise<readonly string[]> {
    const { code, out, err } = await run("completion", shell);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const home = tempDir();
    const script = join(home, `completion.${shell}`);
    writeFileSync(script, out);
    const args = [...START[shell], ASK[shell](script, words)];
    const { stdout, stderr } = spawnSync(program!, args, {
      encoding: "utf8",
      cwd: home,
      env: { HOME: home, PATH: "/usr/bin:/bin" },
    });
    expect(stderr).toBe("");
    return stdout.split("\n").filter((line) => line !== "");
  }

  it("offers commands, by the names that help shows", async ({ skip }) => {
    skip(program === undefined, MISSING);
    expect((await offered("s")).toSorted()).toEqual(["serve", "setup", "stdio"]);
    expect(await offered("mi")).toEqual(["mirror"]);
    expect(await offered("keys", "r")).toEqual(["revoke", "rotate"]);
    expect(await offered("completion", "z")).toEqual(["zsh"]);
  });

  it("offers options of a command by all its names", async ({ skip }) => {
    skip(program === undefined, MISSING);
    for (const name of ["mirror", "get-mirror"])
      expect([...(await offered(name, "--n"))].sort()).toEqual(["--no-is-saved", "--note-text"]);
    expect(await offered("keys", "create", "--pl")).toEqual(["--plan"]);
    expect(await offered("serve", "--pro")).toEqual(["--processes"]);
    expect(await offered("keys", "--pl")).toEqual([]);
  });

  it("offers the values of an option", async ({ skip }) => {
    skip(program === undefined, MISSING);
    expect([...(await offered("mirror", "x", "--size", ""))].sort()).toEqual(["large", "small"]);
    expect(await offered("mirror", "x", "--size", "s")).toEqual(["small"]);
    expect([...(await offered("level", "--level", ""))].sort()).toEqual(["1", "2"]);
  });
});

describe("completion", () => {
  it("refuses other shells", async () => {
    expect(await run("completion", "tcsh")).toMatchObject({
      code: 2,
      err: expect.stringContaining("Allowed choices are bash, zsh, fish."),
    });
  });
});
