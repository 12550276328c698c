import { expect, it } from "vitest";
import { readErrorText, writeErrorText } from "../../src/lib/file-error.ts";
import { currentUser, describeUser, fileUser } from "../../src/lib/users.ts";

const failing = (code: string) => Object.assign(new Error(code), { code });
const user = currentUser() ?? 0;

it.each([
  ["ENOENT", "it does not exist"],
  ["ENOTDIR", "a folder of its path is a file"],
  ["EISDIR", "it is a folder; name a file in it"],
  [
    "EACCES",
    `the user ${describeUser(user)} may not read it; copy it where that user may, and name the copy: sudo install -o ${fileUser(user)} -m 600 '/root/a b.db' '/var/tmp/a b.db'`,
  ],
  ["ELOOP", "ELOOP"],
])("says why a file cannot be read, and what to do: %s", (code, text) => {
  expect(readErrorText("/root/a b.db", failing(code))).toBe(text);
});

it.each([
  ["ENOENT", "the folder /mnt/usb does not exist; create it, or mount its disk"],
  ["ENOTDIR", "a folder of its path is a file"],
  ["EISDIR", "it is a folder; name a file in it"],
  [
    "EACCES",
    `the user ${describeUser(user)} may not write to /mnt/usb; name a file in a folder of that user`,
  ],
  ["EROFS", "/mnt/usb is on a read-only file system; name a file in another folder"],
  ["ENOSPC", "the disk is full"],
])("says why a file cannot be written, and what to do: %s", (code, text) => {
  expect(writeErrorText("/mnt/usb/a.db", failing(code))).toBe(text);
});

it("names an error of another kind", () => {
  expect(readErrorText("a", new Error("x"))).toBe("unknown error");
});
