import child, { ChildProcess } from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { Server, Socket } from "node:net";

/**
 * Setup of the unit tests: opening a socket, starting a process or writing to the disk throws. A test that needs one of
 * these belongs in a file `*.integration.test.ts`. Reading is allowed: recorded market data, published definitions,
 * fonts.
 */
const refuse = (holder: object, name: string, what: string): void => {
  Object.assign(holder, {
    [name]: () => {
      throw new Error(`A unit test must not ${what} (${name}): name its file *.integration.test.ts.`);
    },
  });
};

refuse(Server.prototype, "listen", "listen on a port");
refuse(Socket.prototype, "connect", "open a connection");
refuse(ChildProcess.prototype, "spawn", "start a process");
for (const name of ["spawnSync", "execSync", "execFileSync"]) refuse(child, name, "start a process");
// the test runner itself writes snapshots through fs.promises
for (const name of [
  "appendFileSync",
  "copyFileSync",
  "mkdirSync",
  "mkdtempSync",
  "renameSync",
  "rmSync",
  "writeFileSync",
])
  refuse(fs, name, "write to the disk");
syncBuiltinESMExports();
