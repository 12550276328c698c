import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
// @ts-expect-error plain JavaScript, which the build bundles
import { codeFileOf, loadProgram } from "../../.config/load-program.mjs";
import { tempDir } from "../support/temp-dir.ts";

function programOf(text: string): string {
  const file = join(tempDir(), "program.cjs");
  writeFileSync(file, text);
  return file;
}

const load = (file: string) => loadProgram(pathToFileURL(file));

const DOUBLE = "exports.double = (n) => 2 * n; exports.separator = require('node:path').sep;";

/** Loads a program beside saved code of another file, because V8 remembers the code of a file itself. */
function loadWithSavedCode(spoil: (code: Buffer) => Buffer) {
  const file = programOf(DOUBLE);
  writeFileSync(codeFileOf(file), spoil(load(programOf(DOUBLE)).script.createCachedData()));
  return load(file);
}

test("a program without saved code runs", () => {
  const { exports, script } = load(programOf(DOUBLE));
  expect(exports.double(21)).toBe(42);
  expect(exports.separator).toBe("/");
  expect(script.cachedDataRejected).toBeUndefined();
});

test("saved code is used", () => {
  const { exports, script } = loadWithSavedCode((code) => code);
  expect(script.cachedDataRejected).toBe(false);
  expect(exports.double(21)).toBe(42);
});

test.each([
  ["of another version", (code: Buffer) => Buffer.concat([Buffer.alloc(16, 7), code.subarray(16)])],
  ["cut short", (code: Buffer) => code.subarray(0, 40)],
  ["empty", () => Buffer.alloc(0)],
])("saved code %s is not used", (_, spoil) => {
  const { exports, script } = loadWithSavedCode(spoil);
  expect(script.cachedDataRejected).toBe(true);
  expect(exports.double(21)).toBe(42);
});

test("an error in the program names its file and line", () => {
  const file = programOf("\nexports.fail = () => {\n  throw new Error('failed');\n};");
  const { exports } = load(file);
  let stack = "";
  try {
    exports.fail();
  } catch (cause) {
    stack = (cause as Error).stack ?? "";
  }
  expect(stack).toContain(`${file}:3:`);
});
