import { Transform } from "node:stream";

const NEWLINE = 0x0a;

export interface LineFilter {
  /** Called once for each line over the limit. */
  onTooLong(): void;
  /** Returns or resolves to the line to be passed on; null for none. The next line waits for it. */
  accept(line: Buffer): Promise<Buffer | null> | Buffer | null;
}

/**
 * Creates a stream that splits bytes into lines. Drops lines of more than `limit` bytes and lines that are not
 * accepted, and passes on what `accept` returns.
 */
export function createLineSplitter(limit: number, { onTooLong, accept }: LineFilter): Transform {
  let pieces: Buffer[] = [];
  let size = 0;
  const take = (piece: Buffer) => {
    const before = size;
    size += piece.length;
    if (size <= limit) pieces.push(piece);
    else if (before <= limit) {
      pieces = [];
      onTooLong();
    }
  };
  return new Transform({
    readableObjectMode: true, // one chunk per line
    transform(chunk: Buffer, _encoding, done) {
      const read = async () => {
        let start = 0;
        for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
          take(chunk.subarray(start, end));
          const line = Buffer.concat([...pieces, chunk.subarray(end, end + 1)]);
          const accepted = size <= limit ? await accept(line) : null;
          if (accepted !== null) this.push(accepted);
          [pieces, size, start] = [[], 0, end + 1];
        }
        take(chunk.subarray(start));
      };
      read().then(() => done(), done);
    },
  });
}
