import child, { ChildProcess } from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { Server, Socket } from "node:net";
import { expect } from "vitest";

/**
 * Setup of the unit tests: opening a socket, starting a process or writing to the disk throws, except in contract tests,
 * which share their workers. A test that needs one of these belongs in a file `*.integration.test.ts`. Reading is
 * allowed: recorded market data, published definitions, fonts. With DATABASE_URL, stores are on a
 * PostgreSQL server, so that connections are allowed; the run without it refuses them.
 */
const allowed = /[\\/]test[\\/]contract[\\/]/.test(expect.getState().testPath!);
const mayConnect = allowed || Boolean(process.env.TEST_DATABASE_URL);

type Refusal = (() => never) & { readonly original: unknown };

const refuse = (holder: object, name: string, what: string, isAllowed = allowed): void => {
  const current = (holder as Record<string, unknown>)[name];
  // this file runs before each file of tests, in a worker that may have run others
  const original = typeof current === "function" && "original" in current ? current.original : current;
  const refusal = (): never => {
    throw new Error(`A unit test must not ${what} (${name}): name its file *.integration.test.ts.`);
  };
  const replaced: Refusal = Object.assign(refusal, { original });
  Object.assign(holder, { [name]: isAllowed ? original : replaced });
};

refuse(Server.prototype, "listen", "listen on a port");
refuse(Socket.prototype, "connect", "open a connection", mayConnect);
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
