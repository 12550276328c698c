import { expect, it } from "vitest";
import { openWithPassphrase, sealWithPassphrase } from "../../../src/access/vault/passphrase.ts";

const PASSPHRASE = "correct horse battery";

it("opens a text with the same passphrase only, and shows nothing of it", () => {
  const sealed = sealWithPassphrase("canary-master-key", PASSPHRASE);
  expect(sealed).toMatch(/^p1\.[\w-]{22}\.[\w-]{16}\.[\w-]{23}\.[\w-]{22}$/);
  expect(sealed).not.toContain("canary");
  expect(openWithPassphrase(sealed, PASSPHRASE)).toBe("canary-master-key");
  expect(openWithPassphrase(sealed, "correct horse batterY")).toBeNull();
});

it("opens no text that was changed or cut", () => {
  const sealed = sealWithPassphrase("text", PASSPHRASE);
  const [version, salt, iv, text, tag] = sealed.split(".") as [string, string, string, string, string];
  const changed = `${text.startsWith("A") ? "B" : "A"}${text.slice(1)}`;
  expect(openWithPassphrase([version, salt, iv, changed, tag].join("."), PASSPHRASE)).toBeNull();
  expect(openWithPassphrase([version, salt, iv, text, tag.slice(0, 4)].join("."), PASSPHRASE)).toBeNull();
  expect(openWithPassphrase("no seal", PASSPHRASE)).toBeNull();
});
