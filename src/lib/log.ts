import { destination, type LevelWithSilent, pino } from "pino";

/**
 * Creates a log of JSON lines on stderr. The lines of one event loop iteration are written together at its end, or when
 * the process exits.
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
    if (buffered === "") setImmediate(flush);
    buffered += line;
  };
  const lines = pino(
    { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` },
    { write },
  );
  const at =
    (name: "info" | "warn" | "error") =>
    (event: string, fields: Record<string, unknown> = {}) =>
      lines[name]({ event, ...fields, ...(fields.cause instanceof Error && { cause: fields.cause.stack }) });
  return { info: at("info"), warn: at("warn"), error: at("error") };
}
