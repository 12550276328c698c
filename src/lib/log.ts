import { destination, type LevelWithSilent, pino } from "pino";

/** JSON lines for the operator on stderr; stdout belongs to the protocols. */
export function createLog(level: LevelWithSilent) {
  const lines = pino(
    { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` },
    destination(2),
  );
  const at =
    (name: "info" | "warn" | "error") =>
    (event: string, fields: Record<string, unknown> = {}) =>
      lines[name]({ event, ...fields, ...(fields.cause instanceof Error && { cause: fields.cause.stack }) });
  return { info: at("info"), warn: at("warn"), error: at("error") };
}
