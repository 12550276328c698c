import { describe, expect, it } from "vitest";
import { storageError } from "../../../src/store/postgres/errors.ts";

const failure = (code: string, message = "failed") => Object.assign(new Error(message), { code });

/** Converts an error; returns it with the faults that the monitor got. */
function converted(cause: unknown, isWrite = false) {
  const faults: string[] = [];
  const monitor = { full: () => void faults.push("full"), damaged: () => void faults.push("damaged") };
  return { error: storageError(cause, monitor, { isWrite }), faults };
}

describe("an error of PostgreSQL", () => {
  it.each([
    ["53100", "disk_full"],
    ["53200", "out_of_memory"],
    ["25006", "read_only_sql_transaction", "the database accepts no writes"],
  ])("with the code %s (%s) is STORAGE_FULL", (code, _name, reason = "the disk is full or failing") => {
    const { error, faults } = converted(failure(code));
    expect(error).toMatchObject({ code: "STORAGE_FULL", message: `Nothing can be stored: ${reason}` });
    expect(faults).toEqual(["full"]);
  });

  it.each(["XX001", "XX002"])("with the code %s is STORAGE_DAMAGED", (code) => {
    const { error, faults } = converted(failure(code));
    expect(error).toMatchObject({ code: "STORAGE_DAMAGED" });
    expect(faults).toEqual(["damaged"]);
  });

  it.each([
    ["40001", "another process is writing"],
    ["40P01", "another process is writing"],
    ["55P03", "another process is writing"],
    ["08006", "the database does not answer"],
    ["57P01", "the database does not answer"],
    ["57P03", "the database does not answer"],
    ["53300", "the database does not answer"],
    ["57014", "the database does not answer"],
    ["ECONNREFUSED", "the database does not answer"],
  ])("with the code %s is STORAGE_BUSY: %s", (code, reason) => {
    const { error, faults } = converted(failure(code));
    expect(error).toMatchObject({
      code: "STORAGE_BUSY",
      message: `Nothing was stored: ${reason}`,
      hint: "Retry in a moment.",
      data: { retry_after: 1 },
    });
    expect(faults).toEqual([]);
  });

  it.each(["Connection terminated unexpectedly", "timeout exceeded when trying to connect"])(
    "without a code is STORAGE_BUSY: %s",
    (message) => {
      expect(converted(new Error(message)).error).toMatchObject({ code: "STORAGE_BUSY" });
    },
  );

  it("of a write that was sent does not say that nothing was stored, unless the server refused it", () => {
    expect(converted(failure("57P01"), true).error).toMatchObject({
      code: "STORAGE_BUSY",
      message: "The database stopped answering: it is unknown whether the change was stored",
      hint: "Read the object back before a retry.",
    });
    for (const code of ["57014", "53300", "55P03"])
      expect(converted(failure(code), true).error).toMatchObject({
        message: expect.stringMatching(/^Nothing was stored: /),
      });
  });

  it("about text that it cannot hold is INVALID_INPUT", () => {
    expect(converted(failure("22021")).error).toMatchObject({
      code: "INVALID_INPUT",
      hint: "Remove the character U+0000 from the text.",
    });
  });

  it("of any other kind is passed on unchanged", () => {
    for (const cause of [failure("23505"), new Error("mistake"), "text"])
      expect(converted(cause)).toEqual({ error: cause, faults: [] });
  });
});
