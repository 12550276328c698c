/** What a client gets of a tool result of MCP: its text blocks and its images. */
export const answerOf = ({ content }) => ({
  text: content.flatMap(({ type, text }) => (type === "text" ? [text] : [])).join("\n"),
  images: content.flatMap(({ type, data, mimeType }) =>
    type === "image" ? [{ mime: mimeType, base64: data }] : [],
  ),
});
