import { jsonSchemaOf } from "../kernel/publish.ts";
import type { Tool } from "../kernel/tool.ts";

/** How the file in a tool's answers is called at doors: its media type, and the word for it. */
export interface FileFormat {
  /** As in `Content-Type`: image/png. */
  readonly mime: string;
  /** As people say it, and how a file of it ends: png. */
  readonly extension: string;
}

/** The format of the file that a tool's answers carry as `media`, by what its output promises; null where it promises none. */
export function fileFormatOf({ output }: Tool): FileFormat | null {
  if (!("media" in output.shape)) return null;
  const { media } = jsonSchemaOf(output, "output").properties as {
    media?: { properties?: { mime?: { const?: unknown } } };
  };
  const mime = media?.properties?.mime?.const;
  const [, word] = /^\w+\/(\w+)/.exec(typeof mime === "string" ? mime : "") ?? [];
  return typeof mime === "string" && word !== undefined ? { mime, extension: word } : null;
}

/** A name for the file of an answer: the tool's, and every word that was asked, as the answer has it. Safe on every system. */
export function fileNameOf(
  { name, input }: Tool,
  given: Readonly<Record<string, unknown>>,
  result: Readonly<Record<string, unknown>>,
  { extension: word }: FileFormat,
): string {
  const said = Object.keys(input.shape).map((field) =>
    typeof result[field] === "string" ? result[field] : given[field],
  );
  const words = [name.replaceAll("_", "-"), ...said.filter((value) => typeof value === "string")];
  const safe = words.map((text) => text.replace(/[^\w.]+/g, "-").slice(0, 40));
  return `${safe
    .join("-")
    .replace(/-{2,}/g, "-")
    .replace(/[-.]+$/, "")}.${word}`;
}
