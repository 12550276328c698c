import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

/** Path of the compiled code of a program for the options of Node in use, which V8 requires to be the same. */
export const codeFileOf = (file) => `${file}${process.execArgv.join("").replace(/[^\w=.-]/g, "_")}.code`;

/**
 * Runs the bundled program and returns its exports. The compiled code beside it saves most of the time; another version
 * of Node does not accept it and compiles the program again.
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
