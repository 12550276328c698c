import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { basename, relative } from "node:path";
import { shellWord } from "../lib/shell-quote.ts";
import type { Invocation } from "../transports/cli/invocation.ts";

/** Files by which a container engine marks its containers. */
const CONTAINER_MARKS = { docker: "/.dockerenv", podman: "/run/.containerenv" } as const;
/** Link to the program that a package manager makes. */
const LINK = "market-signal";

/** Length of a relative path, as a share of the absolute one, above which the absolute one is shown: it works anywhere. */
const MAX_RELATIVE_SHARE = 0.75;

/** Facts about the process that show which command started it. */
export interface ProcessFacts {
  /** Path of the program as it was passed to Node. */
  readonly file: string;
  readonly folder: string;
  /** True if npm or npx started the process. */
  readonly byNpm: boolean;
  /** Name of the npm script that started it. */
  readonly script: string | undefined;
  /** Command that runs a command in the container from outside; null in no container, or if it was typed inside. */
  readonly container: string | null;
}

/** Returns how a person starts this program: through npx, a link, Node, npm or a container engine. */
export function invocationOf({ file, folder, byNpm, script, container }: ProcessFacts): Invocation {
  const isBin = basename(file) === LINK;
  const isLink = isBin && !/[\\/]node_modules[\\/]\.bin[\\/]/.test(file);
  const near = relative(folder, file);
  const isNear = near !== "" && !near.startsWith("..") && near.length <= MAX_RELATIVE_SHARE * file.length;
  const path = shellWord(isNear ? near : file);
  const inside = byNpm || (isBin && !isLink) ? `npx ${LINK}` : isLink ? LINK : `node ${path}`;
  const program = container === null ? inside : `${container} ${inside}`;
  return { program, serve: script === "start" && container === null ? "npm start" : `${program} serve` };
}

/** Returns the facts of this process. */
export const processFacts = (npm: Pick<ProcessFacts, "byNpm" | "script">): ProcessFacts => ({
  ...npm,
  file: process.argv[1] ?? LINK,
  folder: process.cwd(),
  container: containerOf(process.ppid),
});

/** Returns the command that enters this container; null outside of one, or for a process started inside it. */
function containerOf(parent: number): string | null {
  if (parent !== 0) return null; // a process that was started from outside has no parent inside
  const engine = (["docker", "podman"] as const).find((name) => existsSync(CONTAINER_MARKS[name]));
  return engine === undefined ? null : `${engine} exec ${hostname()}`;
}
