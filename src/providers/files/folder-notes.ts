import type { SessionZone } from "../../domain/market/bars.ts";
import type { Clock } from "../../domain/ports.ts";
import { isoDate } from "../../lib/iso-date.ts";
import { barCloseMs } from "../../market/calendar/calendar.ts";
import { isStale } from "../../market/calendar/stale-bars.ts";
import type { BarFile } from "./bar-file.ts";
import type { BarStore } from "./bar-store.ts";
import { zoneOf } from "./load.ts";
import { MEMBERSHIPS_FILE } from "./memberships.ts";
import { type CandidateFile, scanFolder } from "./scan.ts";
import { SPLITS_FILE } from "./splits.ts";

/** Maximum number of files of a folder that is compared with its state at the start. */
const MAX_COMPARED = 2_000;
/** Minimum time between two comparisons, ms. */
const COMPARE_MS = 60_000;

interface FolderOptions {
  readonly root: string;
  readonly clock: Clock;
  readonly store: Pick<BarStore, "all">;
}

/**
 * Returns a function for the notes on a folder: that all its bars ended more than 3 sessions or days ago, and that files
 * were added, or the splits or memberships changed, since the start. Folders of more than 2,000 files are not compared.
 */
export function folderNotes(
  { files }: { readonly files: readonly CandidateFile[] },
  { root, clock, store }: FolderOptions,
): () => readonly string[] {
  const known = new Map(files.map((file) => [file.path, file]));
  let compared = { at: Number.NEGATIVE_INFINITY, notes: [] as readonly string[] };
  function compare(): readonly string[] {
    const now = scanFolder(root).files;
    const added = now.filter(({ path }) => !known.has(path));
    const changed = [SPLITS_FILE, MEMBERSHIPS_FILE].filter((own) => {
      const before = known.get(own);
      return before !== undefined && now.find(({ path }) => path === own)?.modified !== before.modified;
    });
    return [
      ...(added.length === 0
        ? []
        : [
            `${added.length} ${added.length === 1 ? "file was" : "files were"} added since the start: restart the server to read ${added.length === 1 ? "it" : "them"}`,
          ]),
      ...changed.map((own) => `${own} has changed since the start: restart the server to read it`),
    ];
  }
  return () => {
    const now = clock.now().getTime();
    const isDue = files.length <= MAX_COMPARED && Math.abs(now - compared.at) >= COMPARE_MS;
    if (isDue) compared = { at: now, notes: compare() };
    return [
      ...endNotes(
        store.all().flatMap(({ sources }) => sources),
        now,
      ),
      ...compared.notes,
    ];
  };
}

/** Returns a note if the bars of all files ended more than 3 sessions or days before now (epoch ms). */
function endNotes(files: readonly BarFile[], now: number): readonly string[] {
  const ends = files.map((file) => ({ ...file.instrument, closed: endOf(file, zoneOf(file)) }));
  if (ends.some(({ closed, asset_class }) => !isStale({ closed, at: now, timeframe: "1d", asset_class })))
    return [];
  const newest = isoDate(Math.max(...files.map(({ last }) => last)));
  return [
    `All bars of the files end by ${newest}: signals without an earlier as_of are stale, with tier NEUTRAL`,
  ];
}

/** Returns the close of the day in which a file ends, ISO 8601 UTC. */
function endOf({ last }: BarFile, zone: SessionZone): string {
  const day = Math.floor(last / 86_400_000) * 86_400_000;
  return new Date(barCloseMs(day, "1d", zone)).toISOString();
}
