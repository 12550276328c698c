import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import type { Market } from "../../domain/market/market.ts";
import { type MediaFile, mediaIn, withoutFile } from "../../domain/media.ts";
import type { ToolError } from "../../kernel/errors.ts";
import { jsonOf } from "../../kernel/shared-answer.ts";
import type { Tool } from "../../kernel/tool.ts";
import { fileFormatOf, fileNameOf } from "../media.ts";
import { formatFailure, formatResult, notAppliedLines, withSampleLabel } from "../result.text.ts";

/** URI of the files of results. */
const FILES = "market-signal://files";

interface RenderOptions {
  readonly market: Market;
  /** true if the client reads structured content; older clients read only the text. */
  readonly takesData: boolean;
}

/**
 * Returns a tool result with data and text. For a client that reads the data, the text is the terminal output of the
 * tool. Otherwise, or if the tool has no terminal output, it is a headline and the data as compact JSON. A result with a
 * file has no structured content, since some clients pass only that to the model: its text contains the data.
 */
export function toCallResult(
  tool: Tool,
  data: Record<string, unknown>,
  options: RenderOptions,
): CallToolResult {
  const { content, hasFile } = partsOf(tool, data, options);
  return { ...(!hasFile && { structuredContent: data }), content };
}

/** Returns the fields of `toCallResult` as JSON text without braces, in the order of the SDK. */
export function callResultJson(tool: Tool, data: Record<string, unknown>, options: RenderOptions): string {
  const { content, hasFile, json } = partsOf(tool, data, options);
  const structured = hasFile ? "" : `,"structuredContent":${json()}`;
  return `"content":${JSON.stringify(content)}${structured}`;
}

function partsOf(tool: Tool, data: Record<string, unknown>, { market, takesData }: RenderOptions) {
  const terminalText = formatResult(tool, data);
  const media = mediaIn(data);
  const hasFile = media !== null;
  let built: string | undefined;
  const json = () => {
    built ??= jsonOf(hasFile ? withoutFile(data) : data);
    return built;
  };
  const text =
    takesData && !hasFile && terminalText !== ""
      ? terminalText
      : `${headline(terminalText) || tool.title}\n${json()}`;
  const content: CallToolResult["content"] = [
    { type: "text", text: withSampleLabel(tool, market, [...notAppliedLines(data), text].join("\n")) },
    ...(media === null ? [] : [fileContent(tool, data, media)]),
  ];
  return { content, hasFile, json };
}

/** Returns a picture as an image for the model, any other file as a resource for the user. */
function fileContent(tool: Tool, data: Record<string, unknown>, { mime, base64 }: MediaFile): ContentBlock {
  if (mime.startsWith("image/")) return { type: "image", data: base64, mimeType: mime };
  const name = fileNameOf(tool, {}, data, fileFormatOf(tool) ?? { mime, extension: "bin" });
  return {
    type: "resource",
    resource: { uri: `${FILES}/${name}`, mimeType: mime, blob: base64 },
    annotations: { audience: ["user"] },
  };
}

/** Returns a tool error as a result that a model can act on. */
export const toErrorResult = (error: ToolError): CallToolResult => ({
  isError: true,
  content: [{ type: "text", text: formatFailure(error) }],
});

const headline = (text: string): string => text.split("\n", 1)[0]!.trim();
