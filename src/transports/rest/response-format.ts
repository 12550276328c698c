import { parseAccept } from "hono/utils/accept";
import { ToolError } from "../../kernel/errors.ts";
import type { Tool } from "../../kernel/tool.ts";
import { type FileFormat, fileFormatOf } from "../media.ts";

/** The word in the query that says how an answer with a file is shown. */
export const FORMAT_PARAMETER = "format";

/** How one tool's answers may be shown here besides JSON. */
export interface FileOutput {
  readonly file: FileFormat;
  /** false where the tool has a field of that name, which then means what the tool says. */
  readonly byQuery: boolean;
}

/** Null for tools whose answers carry no file. */
export function fileOutputOf(tool: Tool): FileOutput | null {
  const file = fileFormatOf(tool);
  return file === null ? null : { file, byQuery: !(FORMAT_PARAMETER in tool.input.shape) };
}

/**
 * Whether a request asks for the file rather than for JSON: by `?format=`, else by an `Accept` that likes it better.
 * INVALID_INPUT for a format that there is not.
 */
export function wantsFile(
  { file, byQuery: byWord }: FileOutput,
  words: readonly string[],
  accept: string | undefined,
): boolean {
  if (!byWord || words.length === 0)
    return acceptQuality(accept, file.mime) > acceptQuality(accept, "application/json");
  const [word] = words;
  const choices = ["json", file.extension];
  const detail =
    words.some((each) => each !== word) || word === undefined
      ? "Given twice with different values"
      : choices.includes(word)
        ? null
        : `must be one of ${choices.join(", ")}`;
  if (detail === null) return word === file.extension;
  throw new ToolError("INVALID_INPUT", `Invalid format: ${detail}`, {
    hint: `format is ${choices.join(" or ")}; or say Accept: ${file.mime}.`,
    data: { errors: [{ pointer: `/${FORMAT_PARAMETER}`, detail }] },
  });
}

/** How much an Accept header likes a media type, 0 to 1: the most exact of its ranges decides. */
function acceptQuality(accept: string | undefined, mime: string): number {
  if (accept === undefined) return 0;
  const ranges = parseAccept(accept);
  const [kind] = mime.split("/");
  for (const range of [mime, `${kind}/*`, "*/*"]) {
    const found = ranges.find(({ type }) => type.toLowerCase() === range);
    if (found !== undefined) return found.q;
  }
  return 0;
}
