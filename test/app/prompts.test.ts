import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { readBackupPassphrase } from "../../src/app/backup-passphrase.ts";
import { promptAtTerminal, readSecret, type Terminal } from "../../src/app/prompts.ts";

const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const PROMPT = { question: "Port: ", onEnd: "The input ended; nothing was changed" };

/** A terminal at which these keys are typed after a moment, and what was written to it. */
function terminalWith(keys: string) {
  const [input, output] = [new PassThrough(), new PassThrough()].map((stream) =>
    Object.assign(stream, { isTTY: true, columns: 80 }),
  ) as unknown as [Terminal["input"], Terminal["output"] & PassThrough];
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  setImmediate(() => (input as unknown as PassThrough).write(keys));
  const terminal: Terminal = { input, output, signal: interrupted.signal, interrupt };
  return { terminal, signal: interrupted.signal, written: () => String(output.read() ?? "") };
}

describe.each([
  ["a prompt", promptAtTerminal],
  ["a prompt for a secret", readSecret],
])("%s", (_, read) => {
  it("returns the typed line", async () => {
    const { terminal } = terminalWith("9000\r");
    expect(await read(PROMPT, terminal)).toBe("9000");
  });

  it("is interrupted by Ctrl-C, and ends its line", async () => {
    const { terminal, signal, written } = terminalWith(CTRL_C);
    await expect(read(PROMPT, terminal)).rejects.toMatchObject({ name: "AbortError" });
    expect(signal.aborted).toBe(true);
    expect(written()).toMatch(/Port: [^\n]*\n$/);
  });

  it("says what to do when the input ends with Ctrl-D", async () => {
    const { terminal, signal, written } = terminalWith(CTRL_D);
    await expect(read(PROMPT, terminal)).rejects.toThrow("The input ended; nothing was changed");
    expect(signal.aborted).toBe(false);
    expect(written()).toMatch(/Port: [^\n]*\n$/);
  });
});

it("a secret is not shown", async () => {
  const { terminal, written } = terminalWith("hunter2\r");
  expect(await readSecret(PROMPT, terminal)).toBe("hunter2");
  expect(written()).toBe("Port: \n");
});

it("the passphrase of a backup names BACKUP_PASSPHRASE when the input ends", async () => {
  const { terminal } = terminalWith(CTRL_D);
  await expect(
    readBackupPassphrase({ BACKUP_PASSPHRASE: undefined }, terminal, { isNew: true }),
  ).rejects.toThrow(
    "The input ended before a passphrase, so nothing was changed; run the command again and type it, or set BACKUP_PASSPHRASE",
  );
});
