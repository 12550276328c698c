import { MIN_PASSPHRASE } from "../access/vault/passphrase.ts";
import { SetupError } from "../lib/setup-error.ts";
import type { Config } from "./config.ts";
import { readSecret, type Terminal } from "./prompts.ts";

const ENDED =
  "The input ended before a passphrase, so nothing was changed; run the command again and type it, or set BACKUP_PASSPHRASE";

/**
 * Returns BACKUP_PASSPHRASE or, without it, the passphrase typed at the terminal, which does not show it; a new one is
 * typed twice. @throws SetupError if there is neither, or the two differ
 */
export async function readBackupPassphrase(
  { BACKUP_PASSPHRASE }: Pick<Config, "BACKUP_PASSPHRASE">,
  terminal: Terminal,
  { isNew }: { readonly isNew: boolean },
): Promise<string> {
  if (BACKUP_PASSPHRASE !== undefined) return BACKUP_PASSPHRASE;
  if (!terminal.input.isTTY || !terminal.output.isTTY)
    throw new SetupError(
      "The keys need a passphrase: set BACKUP_PASSPHRASE, or run the command at a terminal",
    );
  const typedAt = async (question: string) => (await readSecret({ question, onEnd: ENDED }, terminal)).trim();
  const typed = await typedAt("Passphrase of the keys in the backup: ");
  if (!isNew) return typed;
  if (typed.length < MIN_PASSPHRASE)
    throw new SetupError(
      `The passphrase must be at least ${MIN_PASSPHRASE} characters; run the command again`,
    );
  if ((await typedAt("The same passphrase again: ")) !== typed)
    throw new SetupError("The two passphrases differ; run the command again");
  return typed;
}
