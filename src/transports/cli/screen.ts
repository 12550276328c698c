import { styleText } from "node:util";
import { asToolError, type ErrorCode } from "../../kernel/errors.ts";
import type { Paint, Progress } from "../../kernel/tool.ts";
import { plainText } from "../../lib/plain-text.ts";
import { wrapLines } from "../../lib/wrap-lines.ts";
import type { Screen } from "./host.ts";

/** Colour where the stream shows it, plain text elsewhere. */
export const painter =
  ({ colour }: Screen): Paint =>
  (style, text) =>
    colour ? styleText(style, text, { validateStream: false }) : text;

/** Text for a person, its lines no longer than the screen is wide; as it is where no width is known, as in a pipe. */
export const wrapToScreen = ({ columns }: Screen, text: string): string =>
  columns === undefined ? text : wrapLines(text, columns);

/** What the shell learns: 0 done, 1 refused or failed, 2 asked wrongly, 130 interrupted. */
export const exitCodeOf = (code: ErrorCode): number =>
  code === "CANCELLED" ? 130 : code === "INVALID_INPUT" ? 2 : 1;

/** Tells a failure: people read it on stderr; with `json` a program reads the same on stdout. Returns the exit code. */
export function writeFailure(
  thrown: unknown,
  { out, err, json }: { out: Screen; err: Screen; json: boolean },
): number {
  const { code, message, hint, data } = asToolError(thrown);
  if (json) writeFailureJson(out, { code, message, ...(hint !== undefined && { hint }) }, data);
  const told = [message, ...(hint === undefined ? [] : [hint])].map((text) =>
    plainText(text, 2 * MAX_TEXT_LENGTH),
  );
  err.write(wrapToScreen(err, `${painter(err)("red", code)} ${told.join("\n")}\n`));
  return exitCodeOf(code);
}

/** A failure as JSON; `data` adds facts and overrides nothing. */
export function writeFailureJson(
  out: Screen,
  failure: { readonly code: string; readonly message: string; readonly hint?: string },
  data: Readonly<Record<string, unknown>> = {},
): void {
  const own = { ok: false, ...failure };
  out.write(`${JSON.stringify({ ...own, ...data, ...own }, null, 2)}\n`);
}

/** Why a command line cannot be read, in one line fit for a terminal whatever was typed; a suggestion follows on its own. */
export function usageErrorText(message: string): string {
  const [, why = message, suggestion = ""] =
    /^(.*?)(\n\(Did you mean [\w, -]+\?\))?\n?$/s.exec(message) ?? [];
  return `${plainText(why, MAX_TEXT_LENGTH)}${suggestion}`;
}

const MAX_TEXT_LENGTH = 500;
const BAR_WIDTH = 24;
const MAX_MESSAGE_LENGTH = 40;
const BAR_DELAY_MS = 300;

/** A bar on stderr for work that takes a while; nothing where nobody looks. */
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
