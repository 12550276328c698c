import { type AuditFaultKind, type AuditHead, NO_ENTRY } from "../../domain/audit/audit.ts";
import type {
  AuditEntry,
  AuditFault,
  AuditReport,
  AuditRepository,
  AuditVerifier,
  UnloggedChange,
} from "../../domain/audit/audit-port.ts";
import type { Clock } from "../../domain/ports.ts";
import { AUDIT_SEAL, type Vault } from "../../domain/trading/trading-port.ts";
import { auditKeyId, headCodeOf, macOf } from "./audit-chain.ts";
import { type AuditExport, exportLine } from "./audit-export.ts";

/** Reference from outside the data folder to verify against. */
export interface AuditBaseline {
  readonly head?: AuditHead | undefined;
  readonly exported?: AuditExport | undefined;
}

const PAGE = 1_000;
const MAX_REPORTED_FAULTS = 20;

export const createAuditVerifier = (log: {
  readonly repository: AuditRepository;
  readonly vault: Vault;
}): AuditVerifier => ({
  check: () => verifyAuditLog(log),
  async contains({ seq, mac }) {
    if (seq === NO_ENTRY.seq) return mac === NO_ENTRY.mac;
    const [entry] = await log.repository.entries(seq - 1, 1);
    return entry?.seq === seq && entry.mac === mac;
  },
});

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
 * Reads every entry and reports faults: edited and missing entries, entries cut off before the head in the head file, a
 * head file not written with the key of the log, changes in the store without an entry, and differences to a head or an
 * export stored elsewhere. Only such a head or export reveals that the whole data folder was restored to an earlier
 * state.
 */
export async function verifyAuditLog(
  { repository, vault }: { readonly repository: AuditRepository; readonly vault: Vault },
  { head, exported }: AuditBaseline = {},
): Promise<AuditReport> {
  // Read first: entries appended during the check come after it.
  const noted = repository.notedHead();
  const faults: AuditFault[] = [];
  const fault = (seq: number, wrong: AuditFaultKind, detail: string, entry: AuditEntry | null = null) =>
    void faults.push({
      seq,
      wrong,
      detail,
      entry: entry === null ? null : { at: entry.at, account: entry.account, event: entry.event },
    });
  const heads = [
    { value: noted, origin: "the head file" },
    { value: head ?? null, origin: "the given head" },
    { value: exported?.head ?? null, origin: "the head of the export" },
  ].flatMap(({ value, origin }) => (value === null || value.seq === 0 ? [] : [{ ...value, origin }]));
  let [prior, count, verified] = [NO_ENTRY, 0, 0];
  const firstPage = await repository.entries(0, PAGE);
  const key = await keyOf(repository, vault);
  for (let page = firstPage; page.length > 0; page = await repository.entries(prior.seq, PAGE))
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
  if (noted === null && (count > 0 || key !== null))
    fault(prior.seq + 1, "cut", "the head file is missing; the last entries may be missing too");
  else if (noted !== null && key !== null && noted.code !== headCodeOf(key.text, noted))
    fault(prior.seq + 1, "cut", "the head file was not written with the key of this log");
  else if (count === 0 && key !== null && heads.length === 0) fault(1, "cut", "a key exists but no entry");
  for (const detail of missingEntryMessages(await repository.unloggedChanges()))
    fault(prior.seq + 1, "cut", detail);
  const ordered = faults.toSorted((a, b) => a.seq - b.seq);
  return {
    ok: ordered.length === 0,
    entries: count,
    verified,
    head: prior,
    fault_count: ordered.length,
    faults: ordered.slice(0, MAX_REPORTED_FAULTS),
  };
}

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

async function keyOf(
  repository: AuditRepository,
  vault: Vault,
): Promise<{ text: string; id: string } | null> {
  const sealed = await repository.sealedKey();
  if (sealed === null) return null;
  try {
    const text = vault.open(sealed, AUDIT_SEAL);
    return { text, id: auditKeyId(text) };
  } catch {
    return null;
  }
}
