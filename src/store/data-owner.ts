import { realpathSync, statSync } from "node:fs";
import { SetupError } from "../lib/setup-error.ts";
import { shellQuoted, shellWord } from "../lib/shell-quote.ts";
import { currentUser, describeUser, sudoUser } from "../lib/users.ts";

/** Returns the words of the command line after the program, as a shell reads them. */
const typedWords = (): string => process.argv.slice(2).map(shellWord).join(" ");

/** Returns the owner of a data folder if it is another user than that of this process; else, and without a folder, null. */
function otherOwner(dataDir: string): number | null {
  const user = currentUser();
  try {
    const { uid } = statSync(dataDir);
    return user === null || uid === user ? null : uid;
  } catch {
    return null; // opening the folder reports why it cannot be used
  }
}

/**
 * Returns the command line that runs a command on a data folder: as the owner of the folder, if that is another user than
 * that of this process. `file`: the program as it was started; default: that of this process.
 */
export function commandOnFolder(dataDir: string, words: string, file = process.argv[1]): string {
  const owner = otherOwner(dataDir);
  const setting = `DATA_DIR=${shellQuoted(dataDir)}`;
  return owner === null
    ? `${setting} market-signal ${words}`
    : `sudo -u ${sudoUser(owner)} env ${setting} ${programFor(file)} ${words}`;
}

/** Returns the program for another user: through npx it would need a home of that user, so Node runs its file then. */
const programFor = (file = ""): string =>
  /[\\/]node_modules[\\/]\.bin[\\/]/.test(file) ? `node ${shellWord(realpathSync(file))}` : "market-signal";

/**
 * Refuses a data folder of another user, in which files of this one would stop the server of its owner. Default command:
 * that of this process. @throws SetupError with the command that runs as the owner
 */
export function assertOwner(dataDir: string, words = typedWords()): void {
  const owner = otherOwner(dataDir);
  if (owner === null) return;
  throw new SetupError(
    `DATA_DIR ${dataDir} belongs to another user, ${describeUser(owner)}; run the command as that user: \`${commandOnFolder(dataDir, words)}\`. Only if no server is to run there as that user: stop the server first, then take the folder over: \`sudo chown -R ${currentUser()} ${shellQuoted(dataDir)}\``,
  );
}
