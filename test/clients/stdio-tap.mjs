import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";

// Starts `market-signal stdio` in place of it: copies the messages of the client to <folder>/requests, and the log of the
// server to <folder>/log. Usage: node stdio-tap.mjs <folder> <command> <argument>...
const [, , folder, command, ...args] = process.argv;
const child = spawn(command, args, { stdio: ["pipe", "inherit", "pipe"] });
const requests = createWriteStream(`${folder}/requests`, { flags: "a" });
process.stdin.on("data", (chunk) => requests.write(chunk));
process.stdin.pipe(child.stdin);
child.stderr.pipe(createWriteStream(`${folder}/log`, { flags: "a" }));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
