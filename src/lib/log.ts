import { appendFileSync } from "node:fs";
import { destination, type LevelWithSilent, pino } from "pino";
import { formatLogLine } from "./log-line.text.ts";
import { plainText } from "./plain-text.ts";
import { SetupError } from "./setup-error.ts";

/** Time for which lines are collected before they are written, in milliseconds. */
const FLUSH_MS = 10;
/** Number of the newest lines that can be read again, and characters of each. */
const MAX_TAIL = 200;
const MAX_TAIL_CHARS = 4_000;
/** Length of the collected lines at which they are written at once. */
const MAX_BUFFERED = 64 * 1024;

export interface LogOptions {
  /** Minimum level of the lines. */
  readonly level: LevelWithSilent;
  /** `auto`: text on a terminal, JSON elsewhere. Default: auto. */
  readonly format?: "auto" | "text" | "json";
  /** File to which the lines are appended, created with mode 0600. Default: stderr. */
  readonly file?: string | undefined;
}

/**
 * Creates a log on stderr or in a file. The lines of 10 ms are written together, or when the process exits; an error is
 * written at the end of the event loop iteration. Throws SetupError if the file cannot be written.
 */
export function createLog({ level, format = "auto", file }: LogOptions) {
  const isTerminal = file === undefined && process.stderr.isTTY === true;
  const isText = format === "text" || (format === "auto" && isTerminal);
  const colour = isTerminal && process.stderr.hasColors();
  const out = file === undefined ? stderrOutput() : fileOutput(file);
  let buffered = "";
  let first = true;
  const flush = () => {
    const text = buffered;
    buffered = "";
    if (text !== "") out(text);
  };
  const tail: string[] = [];
  const write = (line: string) => {
    if (tail.length >= MAX_TAIL) tail.shift();
    tail.push(line.length > MAX_TAIL_CHARS ? line.slice(0, MAX_TAIL_CHARS) : line);
    if (first) process.on("exit", flush);
    first = false;
    if (buffered === "") setTimeout(flush, FLUSH_MS).unref();
    buffered += isText ? formatLogLine(line, { colour }) : line;
    if (buffered.length >= MAX_BUFFERED) flush();
  };
  let lastMs = 0;
  let timestamp = "";
  const currentTimestamp = () => {
    const now = Date.now();
    if (now !== lastMs) timestamp = `,"time":"${new Date(now).toISOString()}"`;
    lastMs = now;
    return timestamp;
  };
  const lines = pino({ level, base: null, timestamp: currentTimestamp }, { write });
  const at =
    (name: "info" | "warn" | "error") =>
    (event: string, fields: Record<string, unknown> = {}) => {
      const { cause } = fields;
      lines[name](cause instanceof Error ? { event, ...fields, cause: cause.stack } : { event, ...fields });
      if (name === "error") setImmediate(flush);
    };
  return {
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    flush,
    /** Returns the newest lines with their times, oldest first. */
    tail: () => tail.map(logLineOf),
  };
}

/** Returns a JSON log line as text; one that was too long to be kept whole as its beginning. */
function logLineOf(line: string): { readonly time: string; readonly text: string } {
  const [, time = ""] = /"time":"([^"]*)"/.exec(line) ?? [];
  try {
    return { time, text: formatLogLine(line, { colour: false }).trimEnd() };
  } catch {
    return { time, text: plainText(line, MAX_TAIL_CHARS) };
  }
}

function stderrOutput(): (text: string) => void {
  const out = destination({ fd: 2, sync: true });
  return (text) => void out.write(text);
}

/** @throws SetupError if lines cannot be appended to a file, which is created if it does not exist */
export function assertLogFile(file: string): void {
  try {
    appendFileSync(file, "", { mode: 0o600 });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new SetupError(
      `LOG_FILE ${file} cannot be written (${code}); name a file in a folder you can write to`,
    );
  }
}

/**
 * Appends to a file, which is opened for each write: a file that was moved away or deleted is created anew. Lines that
 * cannot be written go to stderr.
 */
function fileOutput(file: string): (text: string) => void {
  assertLogFile(file);
  const append = (text: string) => appendFileSync(file, text, { mode: 0o600 });
  return (text) => {
    try {
      append(text);
    } catch {
      process.stderr.write(text);
    }
  };
}
