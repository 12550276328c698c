import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { tempDir } from "./support/temp-dir.ts";

const SCRIPT = fileURLToPath(new URL("../.config/release.mjs", import.meta.url));
const NOTICES = "first 1.0.0\nLicence: MIT\n\nsecond 2.0.0\nLicence: ISC\n";
const CHANGELOG =
  "# Changelog\n\n## Unreleased\n\n- One change.\n- Another change.\n\n## 0.1.0 (2026-01-15)\n\n- The first.\n";

/** Returns a folder with what a release reads. */
function project({ changelog = CHANGELOG }: { readonly changelog?: string } = {}): string {
  const dir = tempDir();
  for (const name of ["dist", "docs"]) mkdirSync(join(dir, name));
  writeFileSync(
    join(dir, "package.json"),
    JSON.stringify({ name: "market-signal", version: "0.1.0", files: ["dist"] }),
  );
  writeFileSync(join(dir, "server.json"), readFileSync(new URL("../server.json", import.meta.url)));
  writeFileSync(join(dir, "docs/CHANGELOG.md"), changelog);
  writeFileSync(join(dir, "dist/main.js"), "");
  writeFileSync(join(dir, "dist/THIRD_PARTY_NOTICES"), NOTICES);
  return dir;
}

/** Every file of a folder with its content. */
const contentOf = (dir: string) =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [file, readFileSync(file, "utf8")]);

/** Runs a release in a folder without container engines; returns what it printed and its exit code. */
function release(dir: string, words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const engines = tempDir(); // found before those of the machine, and not working
  for (const name of ["docker", "podman"])
    writeFileSync(join(engines, name), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...words], {
    cwd: dir,
    encoding: "utf8",
    env: { PATH: `${engines}:${process.env.PATH}`, HOME: tempDir(), ...env },
  });
  return { status, lines: stdout.trimEnd().split("\n"), error: stderr.trimEnd() };
}

it("a dry run of a release says what it would make, and writes nothing", () => {
  const dir = project();
  const before = contentOf(dir);
  const { status, lines, error } = release(dir, ["0.2.0", "--dry-run"]);
  expect(error).toBe("");
  expect(lines).toEqual([
    "version    0.1.0 to 0.2.0, in package.json, package-lock.json and server.json",
    expect.stringMatching(/^changelog {2}2 changes under "## 0\.2\.0 \(\d{4}-\d\d-\d\d\)"$/),
    "notices    2 packages in dist/THIRD_PARTY_NOTICES",
    "package    release/market-signal-0.2.0.tgz: 3 files, 0.0 MB",
    "bundle     release/market-signal-0.2.0.mcpb, an MCP bundle",
    "image      not made, because neither docker nor podman runs here: docker build -t market-signal:0.2.0 .",
    "registry   release/server.json; remotes: none, because PUBLIC_URL is not set",
    "Dry run: nothing was written.",
  ]);
  expect(status).toBe(0);
  expect(contentOf(dir)).toEqual(before);
});

it("a release with PUBLIC_URL lists the remotes of that server", () => {
  const { lines } = release(project(), ["--dry-run"], { PUBLIC_URL: "https://signals.example.com/" });
  expect(lines).toContain(
    "registry   release/server.json; remotes: https://signals.example.com/api/mcp, https://signals.example.com/api/mcp/sse",
  );
});

it.each([
  ["an earlier version", ["0.0.9"], {}, "0.0.9 is not later than 0.1.0."],
  ["a version that is none", ["next"], {}, /^next is no version such as 0\.2\.0\.\nUsage: /],
  ["an unknown option", ["--dryrun"], {}, /^Unknown option '--dryrun'/],
  [
    "an address without TLS",
    ["--dry-run"],
    { PUBLIC_URL: "http://x.example" },
    "PUBLIC_URL must begin with https://, and is http://x.example.",
  ],
] as const)("a release refuses %s", (_, words, env, sentence) => {
  const { status, error } = release(project(), words, env);
  expect(error).toEqual(typeof sentence === "string" ? sentence : expect.stringMatching(sentence));
  expect(status).toBe(1);
});

it("a release refuses a changelog without changes", () => {
  const { error } = release(project({ changelog: "# Changelog\n\n## Unreleased\n\n## 0.1.0\n" }), [
    "--dry-run",
  ]);
  expect(error).toBe('The section "Unreleased" of docs/CHANGELOG.md is empty: there is nothing to release.');
});
