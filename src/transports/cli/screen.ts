import { styleText } from "node:util";
import { asToolError, type ErrorCode, hintWithCommand } from "../../kernel/errors.ts";
import type { Paint, Progress } from "../../kernel/tool.ts";
import { plainText } from "../../lib/plain-text.ts";
import type { Screen } from "./host.ts";

/** Returns a function that colours text, or leaves it unchanged if the stream has no colour. */
export const painter =
  ({ colour }: Screen): Paint =>
  (style, text) =>
    colour ? styleText(style, text, { validateStream: false }) : text;

/** Wraps text to the width of a terminal; returns it unchanged for other streams. */
export const wrapToScreen = ({ wrap }: Screen, text: string): string => wrap?.(text) ?? text;

/** Returns the exit code of an error: 1 failed, 2 invalid input, 130 interrupted. */
export const exitCodeOf = (code: ErrorCode): number =>
  code === "CANCELLED" ? 130 : code === "INVALID_INPUT" ? 2 : 1;

/** Writes an error as text to stderr and, with `json`, as JSON to stdout. Returns the exit code. */
export function writeFailure(
  thrown: unknown,
  { out, err, json }: { out: Screen; err: Screen; json: boolean },
): number {
  const error = asToolError(thrown);
  const { code, message, data } = error;
  const hint = hintWithCommand(error);
  if (json) writeFailureJson(out, { code, message, ...(hint !== undefined && { hint }) }, data);
  const lines = [message, ...(hint === undefined ? [] : [hint])].map((text) =>
    plainText(text, 2 * MAX_TEXT_LENGTH),
  );
  err.write(wrapToScreen(err, `${painter(err)("red", code)} ${lines.join("\n")}\n`));
  return exitCodeOf(code);
}

/** Writes an error as JSON; `data` adds members but cannot replace any. */
export function writeFailureJson(
  out: Screen,
  failure: { readonly code: string; readonly message: string; readonly hint?: string },
  data: Readonly<Record<string, unknown>> = {},
): void {
  const own = { ok: false, ...failure };
  out.write(`${JSON.stringify({ ...own, ...data, ...own }, null, 2)}\n`);
}

/**
 * Returns the error message of an invalid command line on one line, without control characters; a suggestion follows on
 * the next line.
 */
export function usageErrorText(message: string): string {
  const [, why = message, suggestion = ""] =
    /^(.*?)(\n\(Did you mean [\w, -]+\?\))?\n?$/s.exec(message) ?? [];
  return `${plainText(why, MAX_TEXT_LENGTH)}${suggestion}`;
}

const MAX_TEXT_LENGTH = 500;
const BAR_WIDTH = 24;
const MAX_MESSAGE_LENGTH = 40;
const BAR_DELAY_MS = 300;

/** Creates a progress bar that appears on a terminal after 0.3 s; writes nothing to other streams. */
export function progressBar(screen: Screen, startedAt: number, now: () => number) {
  let drawn = false;
  return {
    step({ done, total, message = "" }: Progress): void {
      if (!screen.isTTY || (!drawn && now() - startedAt < BAR_DELAY_MS)) return;
      const share = total === undefined || total === 0 ? null : Math.min(1, done / total);
      const filled = share === null ? 0 : Math.round(share * BAR_WIDTH);
      const bar = share === null ? "" : `[${"=".repeat(filled)}${" ".repeat(BAR_WIDTH - filled)}] `;
      const count = `${done}${total === undefined ? "" : `/${total}`}`;
      screen.write(`\r\u001b[K${bar}${count} ${plainText(message, MAX_MESSAGE_LENGTH)}`);
      drawn = true;
    },
    end(): void {
      if (drawn) screen.write("\r\u001b[K");
    },
  };
}
