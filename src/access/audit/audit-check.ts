import { type AuditFaultKind, type AuditHead, NO_ENTRY, type NotedHead } from "../../domain/audit/audit.ts";
import type {
  AuditEntry,
  AuditFault,
  AuditReport,
  AuditRepository,
  AuditVerifier,
  UnloggedChange,
  VerifiedEntry,
} from "../../domain/audit/audit-port.ts";
import type { Clock } from "../../domain/ports.ts";
import { AUDIT_SEAL, type Vault } from "../../domain/trading/trading-port.ts";
import { yieldToEventLoop } from "../../lib/event-loop.ts";
import { auditKeyId, headCodeOf, macOf } from "./audit-chain.ts";
import { type AuditExport, exportLine } from "./audit-export.ts";

/** Reference from outside the data folder to verify against. */
export interface AuditBaseline {
  readonly head?: AuditHead | undefined;
  readonly exported?: AuditExport | undefined;
}

/** Entries verified in one turn of the event loop, a few milliseconds. */
const PAGE = 250;
const MAX_REPORTED_FAULTS = 20;

/** The stored log and what opens its key. */
export interface AuditLogDeps {
  readonly repository: AuditRepository;
  readonly vault: Pick<Vault, "open">;
}

/** Creates the verifier of a log. `verifyAll` reads every entry; default: on this thread, in slices. */
export function createAuditVerifier(
  log: AuditLogDeps,
  verifyAll: () => Promise<AuditReport> = () => verifyAuditLog(log),
): AuditVerifier {
  let verified: AuditHead | null = null;

  async function entryAt({ seq, mac }: AuditHead): Promise<AuditEntry | null> {
    const [entry] = await log.repository.entries(seq - 1, 1);
    return entry?.seq === seq && entry.mac === mac ? entry : null;
  }

  return {
    async check({ full = false } = {}) {
      const last = full || verified === null ? null : await entryAt(verified);
      const report =
        last === null
          ? await verifyAll()
          : await verifyAuditLog(log, {}, { seq: last.seq - 1, mac: last.previous, at: last.at });
      verified = report.ok && report.head.seq > 0 ? report.head : null;
      return report;
    },
    contains: async (head) =>
      head.seq === NO_ENTRY.seq ? head.mac === NO_ENTRY.mac : (await entryAt(head)) !== null,
  };
}

export const createAuditService = ({
  auditRepository: repository,
  secretStore: { vault },
  clock,
  close,
}: {
  readonly auditRepository: AuditRepository;
  readonly secretStore: { readonly vault: Vault };
  readonly clock: Clock;
  close(): Promise<void>;
}) => ({
  check: (baseline: AuditBaseline) => verifyAuditLog({ repository, vault }, baseline),
  entries: repository.entries,
  now: clock.now,
  close,
});

/**
 * Reads every entry, or those after `from`, and reports faults: edited and missing entries, entries cut off before the
 * head in the head file, a head file not written with the key of the log, changes in the store without an entry, and
 * differences to a head or an export stored elsewhere. Only such a head or export reveals that the whole data folder was
 * restored to an earlier state.
 */
export async function verifyAuditLog(
  { repository, vault }: AuditLogDeps,
  { head, exported }: AuditBaseline = {},
  from: VerifiedEntry | null = null,
): Promise<AuditReport> {
  // Read first: entries appended during the check come after it.
  const { stored, file, isShared } = await repository.notedHeads();
  const faults: AuditFault[] = [];
  const fault = (seq: number, wrong: AuditFaultKind, detail: string, entry: AuditEntry | null = null) =>
    void faults.push({
      seq,
      wrong,
      detail,
      entry: entry === null ? null : { at: entry.at, account: entry.account, event: entry.event },
    });
  const heads = [
    { value: file, origin: HEAD_FILE },
    // the same as in the file, unless one of them was changed
    { value: stored?.mac === file?.mac ? null : stored, origin: STORED_HEAD },
    { value: head ?? null, origin: "the given head" },
    { value: exported?.head ?? null, origin: "the head of the export" },
  ].flatMap(({ value, origin }) => (value === null || value.seq === 0 ? [] : [{ ...value, origin }]));
  let prior: AuditHead = from ?? NO_ENTRY;
  let [count, verified] = [prior.seq, prior.seq];
  const nextPage = async () => {
    await yieldToEventLoop();
    return repository.entries(prior.seq, PAGE);
  };
  const firstPage = await nextPage();
  const key = await auditKeyOf({ repository, vault });
  for (let page = firstPage; page.length > 0; page = await nextPage())
    for (const entry of page) {
      const before = faults.length;
      count++;
      if (entry.seq !== prior.seq + 1)
        fault(prior.seq + 1, "missing", `${entriesTo(prior.seq + 1, entry.seq - 1)} missing`);
      if (key === null || entry.key !== key.id)
        fault(entry.seq, "unknown_key", key === null ? NO_KEY : OTHER_KEY, entry);
      else if (entry.mac !== macOf(key.text, entry))
        fault(entry.seq, "edited", "the entry was changed after it was written", entry);
      else if (entry.previous !== prior.mac && entry.seq === prior.seq + 1)
        fault(entry.seq, "rewritten", "the entry does not follow the previous one", entry);
      for (const { origin } of heads.filter(({ seq, mac }) => seq === entry.seq && mac !== entry.mac))
        fault(entry.seq, "rewritten", `${origin} has another code for the entry`, entry);
      const line = exported?.lines.get(entry.seq);
      if (line !== undefined && line !== exportLine(entry))
        fault(entry.seq, "rewritten", "the export has another entry with this number", entry);
      if (faults.length === before) verified++;
      prior = { seq: entry.seq, mac: entry.mac };
    }
  for (const { seq, origin } of heads.filter((reference) => reference.seq > prior.seq))
    fault(prior.seq + 1, "cut", `${entriesTo(prior.seq + 1, seq)} missing, but recorded by ${origin}`);
  const isForged = (noted: NotedHead | null) =>
    noted !== null && key !== null && noted.code !== headCodeOf(key.text, noted);
  const isMissing = (isShared ? stored : file) === null && (count > 0 || key !== null);
  const details = [
    ...(isMissing
      ? [`${isShared ? STORED_HEAD : HEAD_FILE} is missing; the last entries may be missing too`]
      : []),
    ...(isForged(file) ? [`${HEAD_FILE} was not written with the key of this log`] : []),
    ...(isForged(stored) ? [`${STORED_HEAD} was not written with the key of this log`] : []),
  ];
  if (details.length === 0 && count === 0 && key !== null && heads.length === 0)
    details.push("a key exists but no entry");
  for (const detail of details) fault(prior.seq + 1, "cut", detail);
  for (const detail of missingEntryMessages(await repository.unloggedChanges(from ?? undefined)))
    fault(prior.seq + 1, "cut", detail);
  const ordered = faults.toSorted((a, b) => a.seq - b.seq);
  return {
    ok: ordered.length === 0,
    entries: count,
    read_from: (from?.seq ?? 0) + 1,
    verified,
    head: prior,
    fault_count: ordered.length,
    faults: ordered.slice(0, MAX_REPORTED_FAULTS),
  };
}

const HEAD_FILE = "the head file";
const STORED_HEAD = "the head in the database";

const MISSING_ENTRY_MESSAGES = {
  order: "no entry records the broker request of",
  connection: "no entry records the connection",
  limits: "no entry records the limits of",
} as const;
const MAX_NAMED_IDS = 5;

/** Returns one message for each kind of change in the store that has no entry. */
const missingEntryMessages = (changes: readonly UnloggedChange[]): readonly string[] =>
  (Object.keys(MISSING_ENTRY_MESSAGES) as (keyof typeof MISSING_ENTRY_MESSAGES)[]).flatMap((kind) => {
    const ids = changes.filter((change) => change.kind === kind).map(({ id }) => id);
    if (ids.length === 0) return [];
    const more = ids.length > MAX_NAMED_IDS ? ` and ${ids.length - MAX_NAMED_IDS} more` : "";
    return [`${MISSING_ENTRY_MESSAGES[kind]} ${ids.slice(0, MAX_NAMED_IDS).join(", ")}${more}`];
  });

const NO_KEY = "the key of the entry is missing or cannot be opened, so that the entry cannot be verified";
const OTHER_KEY = "the entry was written with an unknown or deleted key, so that it cannot be verified";

const entriesTo = (from: number, to: number): string =>
  from >= to ? `entry ${from} is` : `entries ${from} to ${to} are`;

/** Returns the key of the log; null when it is missing or cannot be opened. */
export async function auditKeyOf({
  repository,
  vault,
}: AuditLogDeps): Promise<{ readonly text: string; readonly id: string } | null> {
  const sealed = await repository.sealedKey();
  if (sealed === null) return null;
  try {
    const text = vault.open(sealed, AUDIT_SEAL);
    return { text, id: auditKeyId(text) };
  } catch {
    return null;
  }
}
