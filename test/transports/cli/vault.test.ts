import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SetupError } from "../../../src/lib/setup-error.ts";
import type { OpenedVault } from "../../../src/transports/cli/host.ts";
import { stand } from "./stand.ts";

const rotated = {
  connections: 2,
  secrets: 3,
  audit_key: true,
  key_id: "0123456789abcdef",
  file: "/data/master.key",
  instead_of: null,
} as const;

/** The vault commands over a vault that says what it was asked. */
function desk(vault: Partial<OpenedVault> = {}) {
  const asked: unknown[] = [];
  let open = 0;
  const lent: OpenedVault = {
    rotate: async (file) => {
      asked.push(["rotate", file]);
      return file === undefined ? rotated : { ...rotated, file, instead_of: "MASTER_KEY" };
    },
    forget: async () => ({ connections: asked.push("forget"), secrets: 0 }),
    close: async () => void open--,
    ...vault,
  };
  const openVault = async () => {
    open++;
    return lent;
  };
  return { ...stand({ host: { openVault, folder: "/work" } }), asked, open: () => open };
}

describe("vault rotate", () => {
  it("tells what was put under which key, and that the server follows", async () => {
    const { run, asked, open } = desk();
    expect(await run("vault", "rotate")).toEqual({
      code: 0,
      err: "",
      out: [
        "2 broker connections, 3 secrets and the key of the audit log under the master key 0123456789abcdef in /data/master.key.",
        "A running server follows by itself.",
        "Copy that file to a safe place; earlier backups open with the old key alone.",
        "",
      ].join("\n"),
    });
    expect(asked).toEqual([["rotate", undefined]]);
    expect(open()).toBe(0);
  });

  it("tells of no key of an audit log where there is none yet", async () => {
    const { run } = desk({
      rotate: async () => ({ ...rotated, connections: 1, secrets: 0, audit_key: false }),
    });
    expect((await run("vault", "rotate")).out).toContain("1 broker connection under the master key 01");
  });

  it("takes a file for the new key, from where the command runs, and tells what to set", async () => {
    const { run, asked } = desk();
    const file = join("/work", "new.key");
    const { code, out } = await run("vault", "rotate", "--new-key-file", "new.key");
    expect(code).toBe(0);
    expect(out).toContain(
      `Now set MASTER_KEY_FILE=${file} in place of MASTER_KEY, and start the server again.`,
    );
    expect(asked).toEqual([["rotate", file]]);
  });

  it("answers a program in JSON", async () => {
    const { run } = desk();
    expect(JSON.parse((await run("vault", "rotate", "--json")).out)).toEqual(rotated);
  });

  it("ends with 2 and the reason where the key is lost, and closes what it opened", async () => {
    const { run, open } = desk({
      rotate: async () => {
        throw new SetupError("Put that key back");
      },
    });
    expect(await run("vault", "rotate")).toEqual({
      code: 2,
      out: "",
      err: "market-signal: Put that key back\n",
    });
    expect(open()).toBe(0);
  });
});

describe("vault forget", () => {
  it("asks to be told that it is meant", async () => {
    const { run, asked } = desk();
    const { code, err } = await run("vault", "forget");
    expect(code).toBe(2);
    expect(err).toContain(
      "Every account's broker connections, the secrets of its alerts and the key that signs receipts would be forgotten for good",
    );
    expect(err).toContain("Add --yes. What the audit log holds so far can then not be verified any more");
    expect(asked).toEqual([]);
  });

  it("forgets them then, and says how many", async () => {
    const { run, asked } = desk();
    expect(await run("vault", "forget", "--yes")).toMatchObject({
      code: 0,
      out: "1 broker connection forgotten.\nThe audit log and receipts go on under new keys; what was written and signed so far cannot be verified any more.\n",
    });
    expect(JSON.parse((await run("vault", "forget", "--yes", "--json")).out)).toEqual({
      forgotten: 2,
      secrets: 0,
    });
    expect(asked).toEqual(["forget", "forget"]);
  });
});
