import { ToolError } from "../../kernel/errors.ts";
import type { Tool } from "../../kernel/tool.ts";
import { acceptQuality } from "../http/accept.ts";
import { type FileFormat, fileFormatOf } from "../media.ts";

/** Query parameter that selects the format of a response with a file. */
export const FORMAT_PARAMETER = "format";

/** The file format that one tool can return instead of JSON. */
export interface FileOutput {
  readonly file: FileFormat;
  /** false if the tool has an input field named `format`, which then takes precedence over the query parameter. */
  readonly byQuery: boolean;
}

/** Returns the file format of a tool, or null if its responses contain no file. */
export function fileOutputOf(tool: Tool): FileOutput | null {
  const file = fileFormatOf(tool);
  return file === null ? null : { file, byQuery: !(FORMAT_PARAMETER in tool.input.shape) };
}

/**
 * Returns true if the request selects the file instead of JSON: by `?format=`, or without it by a higher quality in
 * `Accept`. Throws INVALID_INPUT for an unknown format.
 */
export function wantsFile(
  { file, byQuery }: FileOutput,
  formats: readonly string[],
  accept: string | undefined,
): boolean {
  if (!byQuery || formats.length === 0)
    return acceptQuality(accept, file.mime) > acceptQuality(accept, "application/json");
  const [format] = formats;
  const choices = ["json", file.extension];
  const detail =
    formats.some((other) => other !== format) || format === undefined
      ? "Given twice with different values"
      : choices.includes(format)
        ? null
        : `must be one of ${choices.join(", ")}`;
  if (detail === null) return format === file.extension;
  throw new ToolError("INVALID_INPUT", `Invalid format: ${detail}`, {
    hint: `Use format ${choices.join(" or ")}, or the header Accept: ${file.mime}.`,
    data: { errors: [{ pointer: `/${FORMAT_PARAMETER}`, detail }] },
  });
}
