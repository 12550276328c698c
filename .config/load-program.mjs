import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

/** Returns the path of a program's saved code for the Node options in use: V8 accepts code only with the same options. */
export const codeFileOf = (file) => `${file}${process.execArgv.join("").replace(/[^\w=.-]/g, "_")}.code`;

/**
 * Runs the bundled program and returns its exports. Uses its saved code, so that V8 need not compile it; without a saved
 * code that this version of Node accepts, V8 compiles the program.
 */
export function loadProgram(url) {
  const file = fileURLToPath(url);
  const codeFile = codeFileOf(file);
  const script = new Script(
    // the file is plain ASCII; the function begins on its first line, so that line numbers stay those of the file
    `(function (exports, require, module, __filename, __dirname) { ${readFileSync(file, "latin1")}\n})`,
    {
      filename: file,
      ...(existsSync(codeFile) && { cachedData: readFileSync(codeFile) }),
    },
  );
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
  return { exports: module.exports, script };
}
