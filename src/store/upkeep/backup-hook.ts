import { spawn } from "node:child_process";
import { once } from "node:events";
import { renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { HookResult } from "../../domain/backups/backups.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import { plainText } from "../../lib/plain-text.ts";
import { hookFile } from "../backups/status.ts";
import { privateFile } from "../data-dir.ts";

const TIMEOUT_MS = 600_000;
/** Characters of the last output on stderr that are shown. */
const MAX_SHOWN = 300;

interface HookOptions {
  readonly dataDir: string;
  readonly now: Date;
  /** Ends the program. */
  readonly signal?: AbortSignal;
  /** Default: 10 minutes. */
  readonly timeoutMs?: number;
}

/**
 * Runs the program of BACKUP_HOOK with the path of a backup as its only argument, without a shell, in the data folder.
 * Stores and returns the result; never rejects.
 */
export async function runBackupHook(
  program: string,
  backup: string,
  { dataDir, now, signal, timeoutMs = TIMEOUT_MS }: HookOptions,
): Promise<HookResult> {
  const failure = await failureOf(program, backup, { dataDir, signal, timeoutMs });
  const result = { at: now.toISOString(), backup, failure };
  try {
    saveResult(hookFile(dataDir), result);
  } catch {} // a full disk; the caller reports the result as well
  return result;
}

async function failureOf(
  program: string,
  backup: string,
  {
    dataDir,
    signal,
    timeoutMs,
  }: { readonly dataDir: string; readonly signal: AbortSignal | undefined; readonly timeoutMs: number },
): Promise<string | null> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const stop = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  let shown = "";
  try {
    const child = spawn(program, [backup], {
      cwd: dataDir,
      stdio: ["ignore", "ignore", "pipe"],
      signal: stop,
      killSignal: "SIGKILL",
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      shown = (shown + text).slice(-MAX_SHOWN);
    });
    const [code, killedBy] = await once(child, "exit");
    child.stderr.destroy(); // a program that it left running may hold the stream
    if (code === 0) return null;
    const end = code === null ? `it was ended by ${killedBy}` : `it ended with code ${code}`;
    const line = plainText(shown.trim().split("\n").at(-1) ?? "", MAX_SHOWN);
    return line === "" ? end : `${end}: ${line}`;
  } catch (cause) {
    if (timeout.aborted) return `it did not end within ${timeoutMs / 1_000} s`;
    if (stop.aborted) return "the server was stopped while it ran";
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: "there is no such program",
      EACCES: "it may not be executed",
    };
    const { code = "" } = cause as NodeJS.ErrnoException;
    return `${program}: ${reasons[code] ?? `it cannot be started (${code})`}`;
  }
}

function saveResult(file: string, result: HookResult): void {
  makeFolder(dirname(file));
  const partial = `${file}.partial`;
  privateFile(partial);
  writeFileSync(partial, JSON.stringify(result));
  renameSync(partial, file);
}
