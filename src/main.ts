#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { version } from "./lib/version.ts";

process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  // A reader such as `head` may close the pipe early.
  if (code === "EPIPE") return;
  process.stderr.write(`market-signal: the output cannot be written (${code})\n`);
  process.once("exit", () => {
    process.exitCode = 1;
  });
});

const words = process.argv.slice(2);
// answered without loading the program, which takes longer than the answer
if (words.length === 1 && words[0] === "--version") process.stdout.write(`${version()}\n`);
else await (await import("./app/program.ts")).runProgram(words, fileURLToPath(import.meta.url));
