import { type AuditHead, type AuditWrong, NO_ENTRY } from "../../domain/audit/audit.ts";
import type {
  AuditEntry,
  AuditFault,
  AuditReport,
  AuditRepository,
  AuditVerifier,
  UnloggedChange,
} from "../../domain/audit/audit-port.ts";
import { AUDIT_SEAL, type Vault } from "../../domain/trading/trading-port.ts";
import { auditKeyId, macOf, noteCodeOf } from "./audit-chain.ts";
import { type AuditExport, exportLine } from "./audit-export.ts";

/** What was kept elsewhere. */
export interface AuditBaseline {
  readonly head?: AuditHead | undefined;
  readonly against?: AuditExport | undefined;
}

const PAGE = 1_000;
const MAX_REPORTED_FAULTS = 20;

/** Looks at the log of an installation. */
export const createAuditVerifier = (log: {
  readonly book: AuditRepository;
  readonly vault: Vault;
}): AuditVerifier => ({
  check: () => verifyAuditLog(log),
  async contains({ seq, mac }) {
    if (seq === NO_ENTRY.seq) return mac === NO_ENTRY.mac;
    const [entry] = await log.book.entries(seq - 1, 1);
    return entry?.seq === seq && entry.mac === mac;
  },
});

/**
 * Reads every entry and tells what is not as it was written: edits, gaps, what was cut off before the head noted beside the
 * store, a note that the key of the log did not make, what stands in the store with no entry of it, and what differs from a
 * head or an export kept elsewhere. Whoever puts the whole data folder back to an earlier day is shown by the latter alone.
 */
export async function verifyAuditLog(
  { book, vault }: { readonly book: AuditRepository; readonly vault: Vault },
  { head, against }: AuditBaseline = {},
): Promise<AuditReport> {
  // read first: entries written meanwhile come after it
  const noted = book.notedHead();
  const faults: AuditFault[] = [];
  const fault = (seq: number, wrong: AuditWrong, detail: string, entry: AuditEntry | null = null) =>
    void faults.push({
      seq,
      wrong,
      detail,
      entry: entry === null ? null : { at: entry.at, account: entry.account, event: entry.event },
    });
  const heads = [
    { said: noted, by: "the head noted beside the database" },
    { said: head ?? null, by: "the head that was given" },
    { said: against?.head ?? null, by: "the head of the export" },
  ].flatMap(({ said, by }) => (said === null || said.seq === 0 ? [] : [{ ...said, by }]));
  let [prior, count, verified] = [NO_ENTRY, 0, 0];
  const beginning = await book.entries(0, PAGE);
  const key = await keyOf(book, vault);
  for (let page = beginning; page.length > 0; page = await book.entries(prior.seq, PAGE))
    for (const entry of page) {
      const before = faults.length;
      count++;
      if (entry.seq !== prior.seq + 1)
        fault(prior.seq + 1, "missing", `${entriesTo(prior.seq + 1, entry.seq - 1)} not there any more`);
      if (key === null || entry.key !== key.id)
        fault(entry.seq, "unknown_key", key === null ? NO_KEY : OTHER_KEY, entry);
      else if (entry.mac !== macOf(key.text, entry))
        fault(entry.seq, "edited", "it does not read as it was written", entry);
      else if (entry.previous !== prior.mac && entry.seq === prior.seq + 1)
        fault(entry.seq, "rewritten", "it was written after another entry than the one before it", entry);
      for (const { by } of heads.filter((one) => one.seq === entry.seq && one.mac !== entry.mac))
        fault(entry.seq, "rewritten", `${by} has another code for it`, entry);
      const exported = against?.lines.get(entry.seq);
      if (exported !== undefined && exported !== exportLine(entry))
        fault(entry.seq, "rewritten", "the export has another entry there", entry);
      if (faults.length === before) verified++;
      prior = { seq: entry.seq, mac: entry.mac };
    }
  for (const { seq, by } of heads.filter((one) => one.seq > prior.seq))
    fault(prior.seq + 1, "cut", `${entriesTo(prior.seq + 1, seq)} not there, and ${by} says they were`);
  if (noted === null && (count > 0 || key !== null))
    fault(prior.seq + 1, "cut", "the head noted beside the database is gone, and entries may be with it");
  else if (noted !== null && key !== null && noted.code !== noteCodeOf(key.text, noted))
    fault(prior.seq + 1, "cut", "the head noted beside the database was not noted with the key of this log");
  else if (count === 0 && key !== null && heads.length === 0)
    fault(1, "cut", "there is a key and not one entry");
  for (const detail of missingEntryMessages(await book.unloggedChanges()))
    fault(prior.seq + 1, "cut", detail);
  const first = faults.toSorted((a, b) => a.seq - b.seq);
  return {
    ok: first.length === 0,
    entries: count,
    verified,
    head: prior,
    fault_count: first.length,
    faults: first.slice(0, MAX_REPORTED_FAULTS),
  };
}

const MISSING_ENTRY_MESSAGES = {
  order: "no entry says that the broker was asked for",
  connection: "no entry says who connected",
  limits: "no entry says who set the limits of",
} as const;
const MAX_NAMED_IDS = 5;

/** What the store holds of which entries are gone, one line a kind. */
const missingEntryMessages = (all: readonly UnloggedChange[]): readonly string[] =>
  (Object.keys(MISSING_ENTRY_MESSAGES) as (keyof typeof MISSING_ENTRY_MESSAGES)[]).flatMap((kind) => {
    const ids = all.filter((one) => one.kind === kind).map(({ id }) => id);
    if (ids.length === 0) return [];
    const more = ids.length > MAX_NAMED_IDS ? ` and ${ids.length - MAX_NAMED_IDS} more` : "";
    return [`${MISSING_ENTRY_MESSAGES[kind]} ${ids.slice(0, MAX_NAMED_IDS).join(", ")}${more}`];
  });

const NO_KEY = "the key it was written with is gone or does not open: nobody can say whether it was changed";
const OTHER_KEY =
  "it was written with a key that was forgotten since, or never was ours: nobody can say whether it was changed";

const entriesTo = (from: number, to: number): string =>
  from >= to ? `entry ${from} is` : `entries ${from} to ${to} are`;

async function keyOf(book: AuditRepository, vault: Vault): Promise<{ text: string; id: string } | null> {
  const sealed = await book.sealedKey();
  if (sealed === null) return null;
  try {
    const text = vault.open(sealed, AUDIT_SEAL);
    return { text, id: auditKeyId(text) };
  } catch {
    return null;
  }
}
