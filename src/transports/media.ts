import { jsonSchemaOf } from "../kernel/publish.ts";
import type { Tool } from "../kernel/tool.ts";

/** Format of the file in a tool's responses: its media type and file extension. */
export interface FileFormat {
  /** Media type, such as image/png. */
  readonly mime: string;
  /** File extension without the dot: png. */
  readonly extension: string;
}

/** Returns the format of the `media` field in a tool's output schema, or null if there is none. */
export function fileFormatOf({ output }: Tool): FileFormat | null {
  if (!("media" in output.shape)) return null;
  const { media } = jsonSchemaOf(output, "output").properties as {
    media?: { properties?: { mime?: { const?: unknown } } };
  };
  const mime = media?.properties?.mime?.const;
  const [, extension] = /^\w+\/(\w+)/.exec(typeof mime === "string" ? mime : "") ?? [];
  return typeof mime === "string" && extension !== undefined ? { mime, extension } : null;
}

/**
 * Returns the input of a call that requests a file: adds `picture: true` if the tool has that option and the caller did
 * not set it.
 */
export const withPicture = (
  { input }: Tool,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> => ({ ...("picture" in input.shape && { picture: true }), ...given });

/** Returns a portable file name built from the tool name and its text inputs; values in the result take precedence. */
export function fileNameOf(
  { name, input }: Tool,
  given: Readonly<Record<string, unknown>>,
  result: Readonly<Record<string, unknown>>,
  { extension }: FileFormat,
): string {
  const values = Object.keys(input.shape).map((field) =>
    typeof result[field] === "string" ? result[field] : given[field],
  );
  const parts = [name.replaceAll("_", "-"), ...values.filter((value) => typeof value === "string")];
  const safe = parts.map((text) => text.replace(/[^\w.]+/g, "-").slice(0, 40));
  return `${safe
    .join("-")
    .replace(/-{2,}/g, "-")
    .replace(/[-.]+$/, "")}.${extension}`;
}
