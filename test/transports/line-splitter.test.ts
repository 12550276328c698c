import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineSplitter } from "../../src/transports/line-splitter.ts";

/** Output for a stream of these chunks, and the number of lines that were too long. */
async function through(limit: number, chunks: readonly Uint8Array[]) {
  let refused = 0;
  const lines = createLineSplitter(limit, { onTooLong: () => refused++, accept: (line) => line });
  for (const chunk of chunks) lines.write(chunk);
  lines.end();
  const out: string[] = [];
  for await (const line of lines) out.push(String(line));
  return { out, refused };
}
const text = (...chunks: readonly string[]) => chunks.map((chunk) => Buffer.from(chunk));

describe("lines", () => {
  it("are emitted whole, one at a time, for any chunks", async () => {
    expect((await through(9, text("ab\n", "c", "d", "\nef\n\ng", "h\n"))).out).toEqual([
      "ab\n",
      "cd\n",
      "ef\n",
      "\n",
      "gh\n",
    ]);
  });

  it("up to the maximum length pass; longer ones are dropped and reported once", async () => {
    expect(await through(3, text("abc\n", "abcd\n", "ab", "cd", "ef", "gh\nx", "yz\n"))).toEqual({
      out: ["abc\n", "xyz\n"],
      refused: 2,
    });
  });

  it("without a line break are not emitted", async () => {
    expect(await through(3, text("ab\ncd"))).toEqual({ out: ["ab\n"], refused: 0 });
  });

  it("do not depend on where the bytes are split", async () => {
    const line = fc.string({ unit: fc.constantFrom("a", "b", "é"), maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.array(fc.nat(40)), async (lines, cuts) => {
        const bytes = Buffer.from(lines.map((each) => `${each}\n`).join(""));
        const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].sort((a, b) => a - b);
        const chunks = at.slice(1).map((end, i) => bytes.subarray(at[i], end));
        const short = lines.filter((each) => Buffer.byteLength(each) <= 5);
        expect(await through(5, chunks)).toEqual({
          out: short.map((each) => `${each}\n`),
          refused: lines.length - short.length,
        });
      }),
    );
  });
});
