import { resolve } from "node:path";
import { z } from "zod";
import { MIN_PASSPHRASE } from "../access/vault/passphrase.ts";
import { secondsOf } from "../domain/agents/automation.ts";
import { HIDDEN, PATH } from "./setting-values.ts";

const MIN_EVERY_S = 600;
const MAX_EVERY_S = 30 * 86_400;
const KEEP = "must be a whole number from 1 to 1000";
const OFF = "off";

const isInterval = (text: string): boolean => {
  const seconds = secondsOf(text);
  return text === OFF || (seconds !== null && seconds >= MIN_EVERY_S && seconds <= MAX_EVERY_S);
};

/** Settings of backups. None of them can be changed by a request. */
export const BACKUP_SETTINGS = {
  BACKUP_EVERY: z
    .string()
    .trim()
    .toLowerCase()
    .refine(isInterval, "must be a time from 10m to 30d, such as 6h or 1d, or off")
    .default("1d")
    .describe("Interval of scheduled backups, from 10m to 30d, such as 6h or 1d; off: none"),
  BACKUP_KEEP: z.coerce
    .number(KEEP)
    .int(KEEP)
    .min(1, KEEP)
    .max(1_000, KEEP)
    .default(7)
    .describe("Maximum number of scheduled backups; older ones are deleted"),
  BACKUP_HOOK: z
    .string()
    .trim()
    .min(1)
    .transform((path) => resolve(path))
    .optional()
    .meta(PATH)
    .describe(
      "Program that is run after each backup, with the path of its file as the only argument, for example to copy it to another machine",
    ),
  BACKUP_PASSPHRASE: z
    .string()
    .trim()
    .min(MIN_PASSPHRASE, `must be at least ${MIN_PASSPHRASE} characters`)
    .optional()
    .meta(HIDDEN)
    .describe(
      "Passphrase of the keys in a backup, for backup --with-keys and restore. Default: typed at the terminal",
    ),
} as const;

/** Returns BACKUP_EVERY in milliseconds; null for off. */
export function backupIntervalMs(every: string): number | null {
  const seconds = secondsOf(every);
  return seconds === null ? null : seconds * 1_000;
}
