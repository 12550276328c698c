/** The parts of a tool result over MCP that tests read. */
export interface McpResult {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: Record<string, unknown> | undefined;
  readonly content: readonly {
    readonly type?: string;
    readonly text?: string;
    readonly data?: string;
    readonly mimeType?: string;
    readonly resource?: { readonly blob?: string; readonly mimeType?: string };
  }[];
}

/**
 * Returns the data of a result as REST returns it: structured content or, beside a file, the last line of the text, with
 * the content of the file as `media.base64`.
 */
export function mcpData({ structuredContent, content }: McpResult): Record<string, unknown> {
  if (structuredContent !== undefined) return structuredContent;
  const text = content.find(({ type }) => type === "text")?.text ?? "";
  const data = JSON.parse(text.slice(text.lastIndexOf("\n") + 1)) as Record<string, unknown>;
  const picture = content.find(({ type }) => type === "image");
  const file = content.find(({ type }) => type === "resource")?.resource;
  const base64 = picture?.data ?? file?.blob;
  return base64 === undefined ? data : { ...data, media: { ...(data.media as object), base64 } };
}
