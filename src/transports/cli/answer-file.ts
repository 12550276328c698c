import { statSync, writeFileSync } from "node:fs";
import { join, parse, resolve } from "node:path";
import type { MediaFile } from "../../domain/media.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { Tool } from "../../kernel/tool.ts";
import { writeErrorText } from "../../lib/file-error.ts";
import { fileFormatOf, fileNameOf } from "../media.ts";

interface AnswerFileOptions {
  /** Path of the file, which is replaced if it exists; of a folder: of a new file in it, named after tool and input. */
  readonly path: string;
  readonly given: Readonly<Record<string, unknown>>;
  readonly result: Readonly<Record<string, unknown>>;
  readonly folder: string | undefined;
}

/** Returns the name of a result's file in a folder. */
export const answerFileName = (
  tool: Tool,
  { mime }: MediaFile,
  { given, result }: Pick<AnswerFileOptions, "given" | "result">,
): string => fileNameOf(tool, given, result, fileFormatOf(tool) ?? { mime, extension: "bin" });

/** Writes the file of a result and returns its absolute path. Throws INVALID_INPUT if it cannot be written. */
export function writeAnswerFile(tool: Tool, media: MediaFile, options: AnswerFileOptions): string {
  const { path: requested, folder = "." } = options;
  const path = resolve(folder, requested);
  const bytes = Buffer.from(media.base64, "base64");
  try {
    if (requested === "") throw Object.assign(new Error("empty path"), { code: "EISDIR" });
    if (/[/\\]$/.test(requested) || statSync(path, { throwIfNoEntry: false })?.isDirectory())
      return writeNewFile(join(path, answerFileName(tool, media, options)), bytes);
    writeFileSync(path, bytes);
    return path;
  } catch (cause) {
    const { path: file = path } = cause as NodeJS.ErrnoException;
    throw new ToolError("INVALID_INPUT", `The file cannot be written: ${writeErrorText(file, cause)}`, {
      hint: "Choose another path with --out.",
      cause,
    });
  }
}

/** Writes a new file; adds `-2`, `-3`, ... to the name while a file of that name exists. Returns its path. */
function writeNewFile(path: string, bytes: Buffer, number = 1): string {
  const { dir, name, ext } = parse(path);
  const free = number === 1 ? path : join(dir, `${name}-${number}${ext}`);
  try {
    writeFileSync(free, bytes, { flag: "wx" });
    return free;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
    return writeNewFile(path, bytes, number + 1);
  }
}
