import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Market } from "../../domain/market/market.ts";
import { mediaIn, withoutFile } from "../../domain/media.ts";
import type { ToolError } from "../../kernel/errors.ts";
import { jsonOf } from "../../kernel/shared-answer.ts";
import type { Tool } from "../../kernel/tool.ts";
import { formatFailure, formatResult, withSampleLabel } from "../result.text.ts";

interface RenderOptions {
  readonly market: Market;
  /** true if the client reads structured content; older clients read only the text. */
  readonly takesData: boolean;
}

/**
 * Returns a tool result with data and text. For a client that reads the data, the text is the terminal output of the
 * tool. Otherwise, or if the tool has no terminal output, it is a headline and the data as compact JSON.
 */
export function toCallResult(
  tool: Tool,
  data: Record<string, unknown>,
  options: RenderOptions,
): CallToolResult {
  const { content, structuredContent } = partsOf(tool, data, options);
  return { structuredContent, content };
}

/** Returns the fields of `toCallResult` as JSON text without braces, in the order of the SDK. */
export function callResultJson(tool: Tool, data: Record<string, unknown>, options: RenderOptions): string {
  const { content, json } = partsOf(tool, data, options);
  return `"content":${JSON.stringify(content)},"structuredContent":${json()}`;
}

function partsOf(tool: Tool, data: Record<string, unknown>, { market, takesData }: RenderOptions) {
  const terminalText = formatResult(tool, data);
  const media = mediaIn(data);
  const picture = media?.mime.startsWith("image/") ? media : null;
  const structuredContent = picture === null ? data : withoutFile(data);
  let built: string | undefined;
  const json = () => {
    built ??= jsonOf(structuredContent);
    return built;
  };
  const text =
    takesData && terminalText !== "" ? terminalText : `${headline(terminalText) || tool.title}\n${json()}`;
  const content: CallToolResult["content"] = [
    { type: "text", text: withSampleLabel(tool, market, text) },
    ...(picture === null ? [] : [{ type: "image" as const, data: picture.base64, mimeType: picture.mime }]),
  ];
  return { content, structuredContent, json };
}

/** Returns a tool error as a result that a model can act on. */
export const toErrorResult = (error: ToolError): CallToolResult => ({
  isError: true,
  content: [{ type: "text", text: formatFailure(error) }],
});

const headline = (text: string): string => text.split("\n", 1)[0]!.trim();
