import { hashOf } from "../../src/access/keys/key-format.ts";
import type { KeyRecord } from "../../src/domain/accounts/keyring-port.ts";

/** Lines that a key writer prints before and after each write. */
export type Line =
  | { readonly begin: "create" }
  | { readonly begin: "revoke" | "rotate"; readonly id: string }
  | { readonly done: "create"; readonly id: string; readonly key: string }
  | { readonly done: "revoke"; readonly id: string }
  | { readonly done: "rotate"; readonly id: string; readonly next: string; readonly key: string };

interface Promised {
  /** SHA-256 of the key; null if the writer died before it printed the key. */
  readonly hash: string | null;
  revoked: boolean;
  next: string | null;
}

/** All writes acknowledged to the writers of one database. */
export function keyLog() {
  const promised = new Map<string, Promised>();
  const created = new Set<string>();
  let acknowledged = 0;
  const add = (id: string, key: string) =>
    void promised.set(id, { hash: hashOf(key), revoked: false, next: null });

  return {
    acknowledged: () => acknowledged,
    /** Ids of the keys whose creation was acknowledged. */
    created: (): readonly string[] => [...created],
    /**
     * Records the acknowledgements of one writer process. Returns the write in which it died; undefined if it died
     * between two.
     */
    take(lines: readonly Line[]): Line | undefined {
      for (const line of lines) {
        if (!("done" in line)) continue;
        acknowledged++;
        if (line.done === "create") {
          add(line.id, line.key);
          created.add(line.id);
        } else if (line.done === "revoke") promised.get(line.id)!.revoked = true;
        else {
          promised.get(line.id)!.next = line.next;
          add(line.next, line.key);
        }
      }
      const last = lines.at(-1);
      return last !== undefined && "begin" in last ? last : undefined;
    },
    /** Faults after the writers died in these writes: records missing, duplicated or incomplete. */
    faults(rows: readonly KeyRecord[], died: readonly Line[]): readonly string[] {
      const faults: string[] = [];
      const held = new Map(rows.map((row) => [row.id, row]));
      if (held.size !== rows.length) faults.push("an id is held twice");
      const mayHave = (write: "revoke" | "rotate", id: string) =>
        died.some((line) => "begin" in line && line.begin === write && line.id === id);
      for (const [id, { hash, revoked, next }] of promised) {
        const row = held.get(id);
        if (row === undefined) {
          faults.push(`key ${id} is lost`);
          continue;
        }
        if (hash !== null && row.hash !== hash) faults.push(`key ${id} is another one`);
        if ((row.revoked_at !== null) !== revoked && !mayHave("revoke", id))
          faults.push(`revocation of ${id} is lost`);
        if (row.replaced_by !== next && !(mayHave("rotate", id) && next === null))
          faults.push(`rotation of ${id} is lost`);
      }
      const unannounced = rows.filter(({ id }) => !promised.has(id));
      const whole = rows.filter(
        ({ replaced_by, grace_until }) => (replaced_by === null) === (grace_until === null),
      );
      if (whole.length < rows.length) faults.push("a rotation is there by halves");
      for (const { id, replaced_by } of rows)
        if (replaced_by !== null && !held.has(replaced_by))
          faults.push(`the key that replaced ${id} is not there`);
      const makes = died.filter((line) => "begin" in line && line.begin !== "revoke");
      if (unannounced.length > makes.length) faults.push(`${unannounced.length} keys that no writer created`);
      // The records left by the interrupted writes are expected from now on.
      for (const { id } of unannounced) promised.set(id, { hash: null, revoked: false, next: null });
      for (const { id, revoked_at, replaced_by } of rows) {
        const known = promised.get(id)!;
        known.revoked = revoked_at !== null;
        known.next = replaced_by;
      }
      return faults;
    },
  };
}
