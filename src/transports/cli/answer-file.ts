import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { HeldMedia } from "../../domain/media.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { Tool } from "../../kernel/tool.ts";
import { fileFormatOf, fileNameOf } from "../media.ts";

interface AnswerFileOptions {
  /** The name that was asked for; one is made when undefined. */
  readonly wanted: string | undefined;
  readonly given: Readonly<Record<string, unknown>>;
  readonly result: Readonly<Record<string, unknown>>;
  readonly folder: string | undefined;
}

/** Why a file cannot be written, by the system's code. */
const WRITE_ERROR_TEXT: Readonly<Record<string, string>> = {
  ENOENT: "there is no such folder",
  ENOTDIR: "there is no such folder",
  EISDIR: "it is a folder",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "nothing may be written there",
  ENOSPC: "there is no space left",
};

/** Writes the file of an answer and returns its whole path. Replaces a file only when its name was asked for: CONFLICT otherwise, and INVALID_INPUT where nothing can be written. */
export function writeAnswerFile(
  tool: Tool,
  media: HeldMedia,
  { wanted, given, result, folder = "." }: AnswerFileOptions,
): string {
  const format = fileFormatOf(tool) ?? { mime: media.mime, extension: "bin" };
  const name = wanted ?? fileNameOf(tool, given, result, format);
  const path = resolve(folder, name);
  try {
    writeFileSync(path, Buffer.from(media.base64, "base64"), { flag: wanted === undefined ? "wx" : "w" });
    return path;
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    if (code === "EEXIST")
      throw new ToolError("CONFLICT", `${name} is there already and was left as it is`, {
        hint: `Say --out ${name} to replace it, or --out with another name.`,
        cause,
      });
    throw new ToolError("INVALID_INPUT", `The file cannot be written: ${WRITE_ERROR_TEXT[code] ?? code}`, {
      hint: "Name another place with --out.",
      cause,
    });
  }
}
