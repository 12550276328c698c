import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { SetupError } from "../lib/setup-error.ts";
import type { Prompt } from "../transports/cli/host.ts";

export interface Terminal {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  /** Aborts on an interrupt, which rejects a prompt. */
  readonly signal: AbortSignal;
  /** Interrupts the command: called for Ctrl-C, which the system sends as a key during a prompt. */
  readonly interrupt: () => void;
}

/**
 * Writes a question to the terminal and returns the typed line. Rejects when it is interrupted. @throws SetupError if
 * the input ends
 */
export async function promptAtTerminal(prompt: Prompt, terminal: Terminal): Promise<string> {
  const { input, output } = terminal;
  try {
    return await readLine({ input, output }, prompt.question, prompt.onEnd, terminal);
  } catch (thrown) {
    if (!terminal.signal.aborted) output.write("\n"); // the line editor ends the line of an interrupted prompt
    throw thrown;
  }
}

/**
 * Returns a secret: a line typed at the terminal, which is not shown, or all of the input if it is no terminal. Rejects
 * when it is interrupted. @throws SetupError if the input of a terminal ends
 */
export async function readSecret({ question, onEnd }: Prompt, terminal: Terminal): Promise<string> {
  const { input, output } = terminal;
  if (!input.isTTY) return text(input);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  output.write(question);
  try {
    return await readLine({ input, output: unseen, terminal: true }, "", onEnd, terminal);
  } finally {
    output.write("\n");
  }
}

/** Reads one line with the keys of a line editor. */
async function readLine(
  options: { readonly input: NodeJS.ReadStream; readonly output: Writable; readonly terminal?: boolean },
  question: string,
  onEnd: string,
  { signal, interrupt }: Terminal,
): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface(options);
  try {
    return await new Promise<string>((resolve, reject) => {
      const fail = () => reject(signal.aborted ? signal.reason : new SetupError(onEnd));
      lines.on("SIGINT", interrupt);
      // versions of Node differ in whether the question is rejected when the input ends
      lines.once("close", fail);
      lines.question(question, { signal }).then(resolve, fail);
    });
  } finally {
    lines.close();
  }
}
