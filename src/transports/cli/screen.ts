import { styleText } from "node:util";
import { asToolError, type ErrorCode, hintWithCommand, type ToolError } from "../../kernel/errors.ts";
import type { Paint, Progress } from "../../kernel/tool.ts";
import { plainText } from "../../lib/plain-text.ts";
import { wrapLines } from "../../lib/wrap-lines.ts";
import type { Screen } from "./host.ts";
import { replaceProgramName } from "./invocation.ts";

/**
 * Returns a function that colours text, or leaves it unchanged if the stream has no colour, and holds the width of the
 * stream.
 */
export const painter = ({ colour, columns }: Screen): Paint =>
  Object.assign<Paint, Pick<Paint, "columns" | "allColumns">>(
    (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text),
    { columns, allColumns: "--json" },
  );

/** Writes the commands of a message as the person at the stream types them. */
export const withProgramName = ({ invocation }: Screen, text: string): string =>
  invocation === undefined ? text : replaceProgramName(text, invocation);

/** Wraps a message to the width of a stream, if it has one, with its commands as the person types them. */
export function wrapToScreen(screen: Screen, text: string): string {
  const typed = withProgramName(screen, text);
  return screen.columns === undefined ? typed : wrapLines(typed, screen.columns);
}

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
  const hint = localHint(error, err);
  if (json) writeFailureJson(out, { code, message, ...(hint !== undefined && { hint }) }, data);
  const lines = [message, ...(hint === undefined ? [] : [hint])].map((text) =>
    plainText(text, 2 * MAX_TEXT_LENGTH),
  );
  err.write(wrapToScreen(err, `${painter(err)("red", code)} ${lines.join("\n")}\n`));
  return exitCodeOf(code);
}

/** Returns the hint of an error, with its command as the person types it; undefined if there is none. */
function localHint(error: ToolError, screen: Screen): string | undefined {
  const hint = hintWithCommand(error);
  return hint === undefined ? undefined : withProgramName(screen, hint);
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
/** Width of a terminal of unknown width. */
const DEFAULT_COLUMNS = 80;

/** Time that a step is measured before the time left is shown, in milliseconds. */
const MIN_MEASURED_MS = 1_000;

/**
 * Creates a progress bar with the time left, which appears on a terminal after 0.3 s; writes nothing to other streams.
 */
export function progressBar(screen: Screen, startedAt: number, now: () => number) {
  let drawn = false;
  /** First step of the work that is counted; its rate gives the time left. */
  let from: { readonly at: number; readonly done: number; readonly total: number | undefined } | null = null;
  const timeLeft = (done: number, total: number | undefined): string => {
    if (from === null || from.total !== total || done < from.done) from = { at: now(), done, total };
    const elapsed = now() - from.at;
    if (total === undefined || elapsed < MIN_MEASURED_MS || done <= from.done || done >= total) return "";
    return `${formatTimeLeft((elapsed / (done - from.done)) * (total - done))} `;
  };
  return {
    step({ done, total, message = "" }: Progress): void {
      const left = timeLeft(done, total);
      if (!screen.isTTY || (!drawn && now() - startedAt < BAR_DELAY_MS)) return;
      const share = total === undefined || total === 0 ? null : Math.min(1, done / total);
      const filled = share === null ? 0 : Math.round(share * BAR_WIDTH);
      const bar = share === null ? "" : `[${"=".repeat(filled)}${" ".repeat(BAR_WIDTH - filled)}] `;
      const count = `${done}${total === undefined ? "" : `/${total}`}`;
      const room = (screen.columns ?? DEFAULT_COLUMNS) - `${bar}${count} ${left}`.length - 1;
      const text = plainText(message, Math.max(1, Math.min(room, MAX_MESSAGE_LENGTH)));
      screen.write(`\r\u001b[K${bar}${count} ${left}${text}`);
      drawn = true;
    },
    end(): void {
      if (drawn) screen.write("\r\u001b[K");
    },
  };
}

/** Formats a time in milliseconds, rounded up: `about 40 s left`, `about 3 min left`, `about 2 h left`. */
function formatTimeLeft(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 90) return `about ${seconds} s left`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `about ${minutes} min left` : `about ${Math.ceil(minutes / 60)} h left`;
}
