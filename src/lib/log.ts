import { destination, type LevelWithSilent, pino } from "pino";

/** Time for which lines are collected before they are written, in milliseconds. */
const FLUSH_MS = 10;
/** Length of the collected lines at which they are written at once. */
const MAX_BUFFERED = 64 * 1024;

/**
 * Creates a log of JSON lines on stderr. The lines of 10 ms are written together, or when the process exits; an error is
 * written at the end of the event loop iteration.
 */
export function createLog(level: LevelWithSilent) {
  const out = destination({ fd: 2, sync: true });
  let buffered = "";
  let first = true;
  const flush = () => {
    const text = buffered;
    buffered = "";
    if (text !== "") out.write(text);
  };
  const write = (line: string) => {
    if (first) process.on("exit", flush);
    first = false;
    if (buffered === "") setTimeout(flush, FLUSH_MS).unref();
    buffered += line;
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
  return { info: at("info"), warn: at("warn"), error: at("error") };
}
