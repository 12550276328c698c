import { fail, idle, note, ok } from "./doctor-findings.ts";
import type { Finding, OpenedInstallation } from "./host.ts";

const MINUTE_MS = 60_000;
const UNITS = [
  ["day", 1_440],
  ["hour", 60],
  ["minute", 1],
] as const;
/** Age from which the newest backup is pointed out. */
const OLD_MS = 8 * 86_400_000;

/** Names the newest backup and its age, why backups fail, and the failure of BACKUP_HOOK. */
export function checkBackups({ backups }: Pick<OpenedInstallation, "backups">): readonly Finding[] {
  const { newest, hook, fault, failure } = backups();
  const failed =
    fault ?? (failure === null ? null : `the last one failed at ${failure.at}. ${failure.reason}`);
  const finding =
    failed !== null
      ? fail("backups", failed)
      : newest === null
        ? idle("backups", "none yet; `market-signal backup` writes one")
        : (newest.age_ms > OLD_MS ? note : ok)(
            "backups",
            `newest ${newest.file}, ${formatAge(newest.age_ms)}`,
          );
  if (hook === null || hook.failure === null) return [finding];
  return [finding, fail("BACKUP_HOOK", `failed at ${hook.at} for ${hook.backup}: ${hook.failure}`)];
}

/** Formats an age in its largest unit. */
function formatAge(ms: number): string {
  if (ms < 0) return "dated in the future, as the clock was ahead";
  const minutes = Math.floor(ms / MINUTE_MS);
  const [unit, size] = UNITS.find(([, length]) => minutes >= length) ?? ["minute", 1];
  const count = Math.floor(minutes / size);
  return `${count} ${unit}${count === 1 ? "" : "s"} old`;
}
