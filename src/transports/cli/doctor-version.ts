import { fail, idle, note, ok } from "./doctor-findings.ts";
import type { CliHost, Finding } from "./host.ts";

/** Findings on versions. `canOpen`: opening the data folder changes nothing in it and is not refused. */
interface VersionCheck {
  readonly findings: readonly Finding[];
  readonly canOpen: boolean;
}

/**
 * Compares the version of the program with that of its data. Reads the data folder without migrating it, so that the
 * doctor of a newer version says what an update would change before it changes anything.
 */
export async function checkVersion(host: CliHost): Promise<VersionCheck> {
  const program = ok("version", host.version);
  const data = await host.dataVersion().catch(() => null); // opening the folder reports why it cannot be read
  if (data === null) return { findings: [program], canOpen: true };
  const name = "data version";
  const { applied, missing, newer } = data;
  const last = applied.at(-1)!;
  if (newer.length > 0)
    return {
      findings: [
        program,
        fail(
          name,
          `${last}, written by a newer version of Market Signal; run that version, or restore a backup made before ${newer[0]}`,
        ),
      ],
      canOpen: false,
    };
  if (missing.length === 0) return { findings: [program, ok(name, last)], canOpen: true };
  return {
    findings: [
      program,
      note(
        name,
        `${last}; version ${host.version} applies ${missing.join(", ")} at its next start, after a backup to the folder backups. Older versions do not run with the data after that`,
      ),
      idle(
        "installation",
        "not checked: other checks open the data folder, which applies the changes; start the server or run a command, then run doctor again",
      ),
    ],
    canOpen: false,
  };
}

/** Finds the running server, whose settings the other checks use. */
export async function checkServer({ server: find, version: own }: CliHost): Promise<readonly Finding[]> {
  if (find === undefined) return [];
  const server = await find();
  if (server === null) return [idle("server", "none runs on this data folder")];
  const { url, version, market } = server;
  return version === own
    ? [ok("server", `runs at ${url}, market: ${market}`)]
    : [note("server", `version ${version} runs at ${url}; restart it to run ${own}`)];
}
