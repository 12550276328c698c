import { Transform } from "node:stream";

const NEWLINE = 0x0a;

export interface LineFilter {
  /** Told once of every line over the limit. */
  onTooLong(): void;
  /** Whether a whole line may pass. */
  accept(line: Buffer): boolean;
}

/** Passes bytes on line by line; a line of more than `limit` bytes, or not admitted, is dropped. */
export function createLineSplitter(
  limit: number,
  { onTooLong: tooLong, accept: admit }: LineFilter,
): Transform {
  let held: Buffer[] = [];
  let size = 0;
  const take = (piece: Buffer) => {
    const before = size;
    size += piece.length;
    if (size <= limit) held.push(piece);
    else if (before <= limit) {
      held = [];
      tooLong();
    }
  };
  return new Transform({
    readableObjectMode: true, // so that lines stay apart
    transform(chunk: Buffer, _encoding, done) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        take(chunk.subarray(start, end));
        const line = Buffer.concat([...held, chunk.subarray(end, end + 1)]);
        if (size <= limit && admit(line)) this.push(line);
        [held, size, start] = [[], 0, end + 1];
      }
      take(chunk.subarray(start));
      done();
    },
  });
}
