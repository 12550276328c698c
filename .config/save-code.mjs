import { chmodSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { codeFileOf, loadProgram } from "./load-program.mjs";

// Saves the compiled code of the program after two commands, so that it includes the functions which they use.
const [, , file] = process.argv;
const { exports, script } = loadProgram(pathToFileURL(file));
for (const words of [
  ["get-quote", "AAPL"],
  ["signal", "AAPL"],
])
  await exports.runProgram(words, file);
writeFileSync(codeFileOf(file), script.createCachedData());
// the program has set a umask, and a service runs as another user than the one who built it
chmodSync(codeFileOf(file), 0o644);
