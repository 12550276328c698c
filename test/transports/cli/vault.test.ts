import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SetupError } from "../../../src/lib/setup-error.ts";
import type { OpenedVault } from "../../../src/transports/cli/host.ts";
import { testCli } from "./test-host.ts";

const rotated = {
  connections: 2,
  secrets: 3,
  audit_key: true,
  key_id: "0123456789abcdef",
  file: "/data/master.key",
  instead_of: null,
} as const;

/** The vault commands over a fake vault that records its calls. */
function testVault(vault: Partial<OpenedVault> = {}) {
  const calls: unknown[] = [];
  let open = 0;
  const opened: OpenedVault = {
    rotate: async (file) => {
      calls.push(["rotate", file]);
      return file === undefined ? rotated : { ...rotated, file, instead_of: "MASTER_KEY" };
    },
    forget: async () => ({ connections: calls.push("forget"), secrets: 0 }),
    close: async () => void open--,
    ...vault,
  };
  const openVault = async ({ isAlone } = { isAlone: false }) => {
    if (isAlone) calls.push("alone");
    open++;
    return opened;
  };
  return { ...testCli({ host: { openVault, folder: "/work" } }), calls, open: () => open };
}

describe("vault rotate", () => {
  it("prints what was encrypted with which key", async () => {
    const { run, calls, open } = testVault();
    expect(await run("vault", "rotate")).toEqual({
      code: 0,
      err: "",
      out: [
        "Encrypted 2 broker connections, 3 secrets and the key of the audit log with the master key 0123456789abcdef in /data/master.key.",
        "A running server uses the new key immediately.",
        "Copy that file to a safe place. Older backups can be opened only with the old key.",
        "",
      ].join("\n"),
    });
    expect(calls).toEqual([["rotate", undefined]]);
    expect(open()).toBe(0);
  });

  it("omits the key of the audit log if there is none", async () => {
    const { run } = testVault({
      rotate: async () => ({ ...rotated, connections: 1, secrets: 0, audit_key: false }),
    });
    expect((await run("vault", "rotate")).out).toContain(
      "Encrypted 1 broker connection with the master key 01",
    );
  });

  it("takes a file for the new key and prints the setting to change", async () => {
    const { run, calls } = testVault();
    const file = join("/work", "new.key");
    const { code, out } = await run("vault", "rotate", "--new-key-file", "new.key");
    expect(code).toBe(0);
    expect(out).toContain(`Now set MASTER_KEY_FILE=${file} instead of MASTER_KEY, and restart the server.`);
    expect(calls).toEqual([["rotate", file]]);
  });

  it("prints JSON with --json", async () => {
    const { run } = testVault();
    expect(JSON.parse((await run("vault", "rotate", "--json")).out)).toEqual(rotated);
  });

  it("exits with 2 and the reason if the key is lost, and closes the vault", async () => {
    const { run, open } = testVault({
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
  it("requires --yes", async () => {
    const { run, calls } = testVault();
    const { code, err } = await run("vault", "forget");
    expect(code).toBe(2);
    expect(err).toContain(
      "This permanently deletes the broker connections of all accounts, the secrets of their alerts, the keys of providers, the key that signs receipts, all recovery codes and all sessions; passwords and passkeys stay",
    );
    expect(err).toContain(
      "Export the audit log first, because its current entries cannot be verified afterwards. Then add --yes.",
    );
    expect(calls).toEqual([]);
  });

  it("deletes the secrets and prints how many", async () => {
    const { run, calls } = testVault();
    expect(await run("vault", "forget", "--yes")).toMatchObject({
      code: 0,
      out: "Deleted 2 broker connections.\nPeople have to sign in again. Their recovery codes are deleted; each makes new ones at /account.\nThe audit log and receipts continue under new keys; earlier entries and receipts can no longer be verified.\n",
    });
    expect(JSON.parse((await run("vault", "forget", "--yes", "--json")).out)).toEqual({
      forgotten: 4,
      secrets: 0,
    });
    expect(calls).toEqual(["alone", "forget", "alone", "forget"]);
  });
});
