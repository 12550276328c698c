import { describe, expect, it } from "vitest";
import type { Paint } from "../../../src/domain/terminal.ts";
import { formatAnswer, formatRows } from "../../../src/transports/cli/answer.text.ts";

const plain: Paint = (_, text) => text;
const marked: Paint = (style, text) => `<${style}>${text}</>`;

describe("formatAnswer", () => {
  it("prints one line per field, nested objects indented, lists of objects as tables", () => {
    const answer = {
      ok: true,
      request_id: "0000",
      symbol: "AAPL",
      data: {
        price: 12.5,
        change: null,
        open: false,
        tags: ["a", "b"],
        none: [],
        nothing: {},
        ics: { score: 50.810987708484895, source: "proxy" },
        rows: [
          { name: "first", count: 7, at: null },
          { name: "second one", count: 1234567890123 },
        ],
        notes: [{ text: "deep", parts: [{ a: { b: 1 } }] }, "flat"],
      },
      alternatives: [["x", 1], []],
    };
    expect(formatAnswer(answer, plain)).toBe(
      [
        "symbol   AAPL",
        "price    12.5",
        "change   none",
        "open     no",
        "tags     a, b",
        "none     none",
        "nothing  none",
        "ics",
        "  score   50.810988",
        "  source  proxy",
        "rows",
        "  name                count  at",
        "  first                   7  -",
        "  second one  1234567890123  -",
        "notes",
        "  - text  deep",
        "    parts",
        "      - a",
        "          b  1",
        "  - flat",
        "alternatives",
        "  - x, 1",
        "  - none",
      ].join("\n"),
    );
  });

  it("returns 'Done.' for a result without fields", () => {
    expect(formatAnswer({ ok: true }, plain)).toBe("Done.");
    expect(formatAnswer({ success: true, data: {} }, plain)).toBe("Done.");
  });

  it("preserves lines and removes control characters", () => {
    expect(formatAnswer({ title: "a\u001b[2Jb\u202ec", card: "one\n  two\u0007\n" }, plain)).toBe(
      "title  a b c\ncard\n  one\n    two",
    );
  });

  it("describes a picture instead of printing its bytes", () => {
    const media = { mime: "image/png", base64: "A".repeat(4096), alt: "A chart of AAPL" };
    expect(formatAnswer({ symbol: "AAPL", media }, plain)).toBe(
      "symbol  AAPL\nmedia\n  A chart of AAPL (image/png, 3 kB; --json includes it)",
    );
  });

  it("colours only field names", () => {
    expect(formatAnswer({ a: 1, b: { c: 2 } }, marked)).toBe("<dim>a</>  1\n<bold>b</>\n  <dim>c</>  2");
    expect(formatRows([{ n: 1 }], marked)).toEqual(["<dim>n</>", "1"]);
  });
});
