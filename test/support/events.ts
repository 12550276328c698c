/** One event as read from a stream. */
export interface ReadEvent {
  readonly event: string;
  readonly id: string | null;
  readonly data: any;
}

/** Reads server-sent events one by one; skips and counts comments. */
export function eventReader(response: Response) {
  const reader = response
    .body!.pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>;
  let text = "";
  let comments = 0;
  const field = (block: string, name: string) =>
    block
      .split("\n")
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? null;
  return {
    comments: () => comments,
    /** The next event; null at the end of the stream. */
    async next(): Promise<ReadEvent | null> {
      for (;;) {
        const end = text.indexOf("\n\n");
        if (end === -1) {
          const { value, done } = await reader.read();
          if (done) return null;
          text += value;
          continue;
        }
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        if (block.startsWith(":")) comments++;
        else
          return {
            event: field(block, "event") ?? "message",
            id: field(block, "id"),
            data: JSON.parse(field(block, "data") ?? "null"),
          };
      }
    },
    leave: () => reader.cancel(),
  };
}
