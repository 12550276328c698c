import { readFileSync } from "node:fs";
import { shellQuoted } from "./shell-quote.ts";

/** Name that a shell and sudo accept without quotes. */
const PLAIN_NAME = /^[a-z_][\w.-]*$/i;

/** Returns the name of a user of this machine by number, from /etc/passwd; null if it is not listed there. */
export function userName(uid: number): string | null {
  try {
    const users = readFileSync("/etc/passwd", "utf8").split("\n");
    const [name = ""] = users.find((line) => line.split(":")[2] === String(uid))?.split(":") ?? [];
    return PLAIN_NAME.test(name) ? name : null;
  } catch {
    return null;
  }
}

/** Returns a user as `sudo -u` accepts it: `market-signal`, or `'#995'` for one without a name. */
export const sudoUser = (uid: number): string => userName(uid) ?? shellQuoted(`#${uid}`);

/** Returns a user as `chown` and `install -o` accept it: the name, or the number of one without a name. */
export const fileUser = (uid: number): string => userName(uid) ?? String(uid);

/** Describes a user: `market-signal (995)`, or `995` for one without a name. */
export function describeUser(uid: number): string {
  const name = userName(uid);
  return name === null ? String(uid) : `${name} (${uid})`;
}

/** Returns the number of the user of this process; null on a system without such numbers. */
export const currentUser = (): number | null => process.getuid?.() ?? null;
