import fc from "fast-check";
import { endLine, exportLine, readExport } from "../../src/access/audit/audit-export.ts";
import { AUDIT_EVENTS } from "../../src/domain/audit/audit-events.ts";
import {
  auditVault,
  FORGERIES,
  type Held,
  logOf,
  notedHead,
  rewriteFrom,
} from "../support/audit-forgeries.ts";
import type { Proof } from "./proof.ts";

/** Number of random logs, each forged in every way. */
const LOGS = { quick: 20, full: 1_000 } as const;
const TEXTS = ["at", "account", "market", "event", "about", "key", "previous", "mac"] as const;

const acts = fc.array(
  fc.record({
    account: fc.string({ maxLength: 12 }),
    event: fc.constantFrom(...AUDIT_EVENTS),
    about: fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
  }),
  { minLength: 2, maxLength: 12 },
);

/** Forges random logs without the key, and with the key against a head and an export stored elsewhere. */
export const audit: Proof = {
  name: "audit",
  claim: "The audit log detects every edit, deletion and rewrite, without false alarms",

  async run({ scale, seed, seeds, report }) {
    const broken: string[] = [];
    const counts = { forged: 0, edits: 0, keyed: 0, deaths: 0 };
    const logs = fc.sample(acts, { numRuns: seeds ?? LOGS[scale], seed });
    for (const [n, written] of logs.entries()) {
      const fresh = () => logOf(written);
      for (const [name, forge] of Object.entries(FORGERIES)) {
        const { held, check } = await fresh();
        forge(held, seed + n);
        counts.forged++;
        if ((await check()).ok) broken.push(`log ${n}: ${name} is not detected`);
      }
      const { held, check } = await fresh();
      if (!(await check()).ok) broken.push(`log ${n}: an intact log is called bad`);
      await everyEdit(held, async (what) => {
        counts.edits++;
        if ((await check()).ok) broken.push(`log ${n}: ${what} is not detected`);
      });
      const note = held.noted;
      for (const head of [...held.entries, { seq: 0, mac: "0".repeat(64) }]) {
        held.noted = notedHead(held, head);
        counts.deaths++;
        if (!(await check()).ok) broken.push(`log ${n}: a crash after the note of ${head.seq} is called bad`);
      }
      held.noted = note;
      const head = held.entries.at(-1)!;
      const against = readExport([...held.entries.map(exportLine), endLine(head, new Date(0))].join("\n"));
      const whole = held.entries;
      for (let from = 0; from < whole.length; from++) {
        held.entries = rewriteFrom(whole, from, auditVault.open(held.sealed!, "audit"));
        held.noted = notedHead(held, held.entries.at(-1)!);
        counts.keyed++;
        for (const trusted of [{ head }, { exported: against }])
          if ((await check(trusted)).ok) broken.push(`log ${n}: rewritten from ${from + 1}, not detected`);
      }
      if (n % 100 === 99) report(`${n + 1} logs`);
    }
    return {
      figure: `${counts.forged} forgeries and every one of ${counts.edits} single edits without the key, and ${counts.keyed} rewrites with it against a head and an export: ${broken.length} undetected; ${counts.deaths} crashes between entry and note, no false alarm`,
      broken,
    };
  },
};

/** Edits each text of each entry in one place, runs the check, and restores the text. */
async function everyEdit(held: Held, check: (what: string) => Promise<void>): Promise<void> {
  for (const [n, entry] of held.entries.entries())
    for (const field of TEXTS) {
      const text = entry[field];
      const at = text.length === 0 ? 0 : (n * 7 + field.length) % text.length;
      for (const edited of [
        `${text.slice(0, at)}${text[at] === "0" ? "1" : "0"}${text.slice(at + 1)}`,
        `${text} `,
        ...(text === "" ? [] : [text.slice(1)]),
      ]) {
        held.entries[n] = { ...entry, [field]: edited };
        await check(`${field} of ${entry.seq} as ${JSON.stringify(edited)}`);
      }
      held.entries[n] = entry;
    }
}
