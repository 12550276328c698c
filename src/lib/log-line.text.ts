import { styleText } from "node:util";
import { plainText } from "./plain-text.ts";

const LEVELS: Readonly<Record<number, string>> = { 20: "debug", 30: "info", 40: "warn", 50: "error" };
const COLOURS = { warn: "yellow", error: "red" } as const;
const MAX_VALUE_LENGTH = 300;

/**
 * Formats a JSON log line for people: time in UTC, level, event and fields, then the stack of its cause in lines of its
 * own.
 */
export function formatLogLine(line: string, { colour }: { readonly colour: boolean }): string {
  const { level, time, event, cause, ...fields } = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const name = LEVELS[Number(level)] ?? String(level);
  const style = COLOURS[name as keyof typeof COLOURS];
  const word = name.padEnd(5);
  const stack = typeof cause === "string" && cause.includes("\n") ? cause.split("\n") : [];
  const shown = stack.length === 0 && cause !== undefined ? { ...fields, cause } : fields;
  const head = [
    String(time)
      .replace("T", " ")
      .replace(/\.\d+Z$/, "Z"),
    colour && style !== undefined ? styleText(style, word, { validateStream: false }) : word,
    String(event),
    ...Object.entries(shown).map(([field, value]) => `${field}=${formatValue(value)}`),
  ].join(" ");
  const rest = stack.map((text) => `    ${plainText(text, MAX_VALUE_LENGTH)}`);
  return `${[head, ...rest].join("\n")}\n`;
}

/** Formats a value as one word, or in quotes. */
function formatValue(value: unknown): string {
  const text = plainText(typeof value === "string" ? value : JSON.stringify(value), MAX_VALUE_LENGTH);
  return /^[^\s"=]+$/.test(text) || (typeof value !== "string" && text !== "") ? text : JSON.stringify(text);
}
