import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Market } from "../../domain/market/market.ts";
import { mediaIn, withoutFile } from "../../domain/media.ts";
import type { ToolError } from "../../kernel/errors.ts";
import type { Tool } from "../../kernel/tool.ts";
import { formatFailure, formatResult, withSampleLabel } from "../result.text.ts";

interface RenderOptions {
  readonly market: Market;
  /** Whether the client reads the data itself; an older one reads only the text. */
  readonly takesData: boolean;
}

/**
 * A good answer: the data itself, and a text. Where the client takes the data the text is what a person would read of
 * it on a terminal, so that nothing is sent twice; elsewhere, and for tools without such words, it holds the data as
 * compact JSON under one line.
 */
export function toCallResult(
  tool: Tool,
  data: Record<string, unknown>,
  { market, takesData }: RenderOptions,
): CallToolResult {
  const words = formatResult(tool, data);
  const media = mediaIn(data);
  const picture = media?.mime.startsWith("image/") ? media : null;
  const shown = picture === null ? data : withoutFile(data);
  const text =
    takesData && words !== "" ? words : `${headline(words) || tool.title}\n${JSON.stringify(shown)}`;
  return {
    structuredContent: shown,
    content: [
      { type: "text", text: withSampleLabel(tool, market, text) },
      ...(picture === null ? [] : [{ type: "image" as const, data: picture.base64, mimeType: picture.mime }]),
    ],
  };
}

/** A failure a model can act on. */
export const toErrorResult = (error: ToolError): CallToolResult => ({
  isError: true,
  content: [{ type: "text", text: formatFailure(error) }],
});

const headline = (words: string): string => words.split("\n", 1)[0]!.trim();
