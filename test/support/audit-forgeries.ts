import { auditOf } from "../../src/access/audit/audit.ts";
import { auditKeyId, headCodeOf, macOf, newAuditKey } from "../../src/access/audit/audit-chain.ts";
import { verifyAuditLog } from "../../src/access/audit/audit-check.ts";
import { createVault, masterKey } from "../../src/access/vault/vault.ts";
import { type AuditHead, NO_ENTRY, type NotedHead } from "../../src/domain/audit/audit.ts";
import type { AuditEvent } from "../../src/domain/audit/audit-events.ts";
import type {
  AuditEntry,
  AuditRepository,
  AuditTail,
  UnloggedChange,
} from "../../src/domain/audit/audit-port.ts";
import { movingClock } from "./store.ts";

const master = masterKey(Buffer.alloc(32, 1).toString("hex"))!;
/** Opens the keys of these logs. */
export const auditVault = createVault(() => master);
const clock = movingClock();

/** An in-memory repository whose rows can be changed by anyone. */
function memory() {
  const held = {
    entries: [] as AuditEntry[],
    sealed: null as string | null,
    noted: null as NotedHead | null,
    /** The stored head; present while the log has entries. */
    done: [] as UnloggedChange[],
  };
  const end = (): AuditTail => ({
    last: held.entries.at(-1) ?? NO_ENTRY,
    noted: held.noted,
    sealedKey: held.sealed,
    masterKeyId: null,
  });
  const book: AuditRepository = {
    async append(make) {
      const { entry, newKey, codeOf } = make(end());
      held.sealed = newKey?.sealed ?? held.sealed;
      held.entries.push(entry);
      held.noted = { seq: entry.seq, mac: entry.mac, code: codeOf(entry) };
      held.done = [{ kind: "order", id: "or_1" }];
      return true;
    },
    sealedKey: async () => held.sealed,
    entries: async (after, limit) =>
      held.entries
        .filter(({ seq }) => seq > after)
        .sort((a, b) => a.seq - b.seq)
        .slice(0, limit),
    notedHeads: async () => ({ file: held.noted, stored: null, isShared: false }),
    unloggedChanges: async () => (held.entries.length === 0 ? held.done : []),
  };
  return { held, book, write: auditOf({ repository: book, vault: auditVault, clock, market: "test" }).write };
}
/** The data that a forger may change. */
export type Held = ReturnType<typeof memory>["held"];

/** An in-memory log with the given entries. */
export async function logOf(written: readonly { account: string; event: AuditEvent; about: object }[]) {
  const log = memory();
  for (const { account, event, about } of written) await log.write(account, event, { ...about });
  return {
    ...log,
    check: (trusted = {}) => verifyAuditLog({ repository: log.book, vault: auditVault }, trusted),
  };
}

/** The text with one character changed, added or removed. */
const typo = (text: string, at: number): string =>
  text === "" ? "x" : at % 3 === 0 ? `${text}x` : at % 3 === 1 ? text.slice(0, -1) : `y${text.slice(1)}`;

/** Edits by a forger with access to the database but not to the key; `pick` chooses the place. */
export const FORGERIES: Readonly<Record<string, (held: Held, pick: number) => void>> = {
  ...Object.fromEntries(
    (["at", "account", "market", "event", "about", "key", "previous", "mac"] as const).map((field) => [
      `an edit of ${field}`,
      ({ entries }: Held, pick: number) => {
        const n = pick % entries.length;
        const text = typo(entries[n]![field], pick);
        entries[n] = { ...entries[n]!, [field]: text === entries[n]![field] ? `${text}z` : text };
      },
    ]),
  ),
  "an edit of seq": ({ entries }, pick) => {
    const n = pick % entries.length;
    entries[n] = { ...entries[n]!, seq: entries.length + 1 + (pick % 3) };
  },
  "a deletion": ({ entries }, pick) => void entries.splice(pick % entries.length, 1),
  "a swap of what two entries say": ({ entries }, pick) => {
    const [a, b] = [pick % entries.length, (pick + 1) % entries.length];
    const [one, other] = [entries[a]!, entries[b]!];
    entries[a] = { ...other, seq: one.seq };
    entries[b] = { ...one, seq: other.seq };
  },
  "a duplicate at the end": ({ entries }, pick) =>
    void entries.push({ ...entries[pick % entries.length]!, seq: entries.length + 1 }),
  "a duplicate in between": (held, pick) => {
    const n = pick % held.entries.length;
    held.entries.splice(n, 0, held.entries[n]!);
    held.entries = held.entries.map((entry, i) => ({ ...entry, seq: i + 1 }));
  },
  "a truncation": ({ entries }, pick) => void entries.splice(pick % entries.length),
  "a truncation with the note of the head gone": (held, pick) => {
    held.entries.splice(pick % held.entries.length);
    held.noted = null;
  },
  "a truncation with the head that is left noted without a code": (held, pick) => {
    held.entries.splice(pick % held.entries.length);
    held.noted = { ...(held.entries.at(-1) ?? NO_ENTRY), code: null };
  },
  "a truncation with the head that is left noted by the code of the last": (held, pick) => {
    held.entries.splice(pick % held.entries.length);
    held.noted = { ...(held.entries.at(-1) ?? NO_ENTRY), code: held.noted!.code };
  },
  "a truncation with the head that is left noted by a key of one's own": (held, pick) => {
    held.entries.splice(pick % held.entries.length);
    held.noted = noteSignedBy(newAuditKey(), held.entries.at(-1) ?? NO_ENTRY);
  },
  "a deletion of all entries, their key and the note of the head": (held) => {
    held.entries = [];
    held.sealed = null;
    held.noted = null;
  },
  "a suffix written anew with a key of one's own, the note of the head with it": (held, pick) => {
    held.entries = rewriteFrom(held.entries, pick % held.entries.length, newAuditKey());
    held.noted = noteSignedBy(newAuditKey(), held.entries.at(-1)!);
  },
  "a suffix written anew that says it was with the key": (held, pick) => {
    const { key } = held.entries[0]!;
    held.entries = rewriteFrom(held.entries, pick % held.entries.length, newAuditKey()).map((entry) => ({
      ...entry,
      key,
    }));
    held.noted = noteSignedBy(newAuditKey(), held.entries.at(-1)!);
  },
};

/** The note of a head, signed with the key. */
export const noteSignedBy = (key: string, { seq, mac }: AuditHead): NotedHead => ({
  seq,
  mac,
  code: headCodeOf(key, { seq, mac }),
});
/** The note of a head, signed with the key of these logs. */
export const notedHead = (held: Held, head: AuditHead): NotedHead =>
  noteSignedBy(auditVault.open(held.sealed!, "audit"), head);

/** The entries from a position on with changed accounts, chained correctly with the key. */
export function rewriteFrom(entries: readonly AuditEntry[], from: number, key: string): AuditEntry[] {
  const all = [...entries];
  for (let n = from; n < all.length; n++) {
    const entry = {
      ...all[n]!,
      account: `${all[n]!.account}'`,
      key: auditKeyId(key),
      previous: (all[n - 1] ?? NO_ENTRY).mac,
    };
    all[n] = { ...entry, mac: macOf(key, entry) };
  }
  return all;
}
