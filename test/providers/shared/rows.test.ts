import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createApi } from "../../../src/providers/shared/api.ts";
import { columnOf, droppedRows, namedRowsOf, pageSize, rowsOf } from "../../../src/providers/shared/rows.ts";
import { kindOf, respondWith, signal } from "../requests.ts";

const Row = z.object({ price: z.number() });
const Rows = rowsOf(Row);

describe("the rows of a page", () => {
  it("are those that can be read, counted together with the others", () => {
    const rows = Rows.parse([{ price: 1 }, { price: "x" }, null, { price: 2 }]);
    expect(rows).toEqual([{ price: 1 }, { price: 2 }]);
    expect([pageSize(rows), droppedRows(rows)]).toEqual([4, 2]);
    expect([pageSize(Rows.parse([])), droppedRows(Rows.parse([]))]).toEqual([0, 0]);
  });

  it("are malformed if none can be read", () => {
    expect(Rows.safeParse([{ price: "x" }]).success).toBe(false);
    expect(Rows.safeParse({}).success).toBe(false);
    expect(rowsOf(z.literal("")).nullish().safeParse(null).success).toBe(true);
  });

  it("keep every readable row in order, whatever is between them", () => {
    const value = fc.oneof(fc.record({ price: fc.double({ noNaN: true }) }), fc.string(), fc.constant(null));
    fc.assert(
      fc.property(fc.array(value), (list) => {
        const readable = list.filter((row) => Row.safeParse(row).success);
        const parsed = Rows.safeParse(list);
        expect(parsed.success).toBe(readable.length > 0 || list.length === 0);
        if (!parsed.success) return;
        expect(parsed.data).toEqual(readable);
        expect(pageSize(parsed.data)).toBe(list.length);
      }),
    );
  });

  it("are reported by the client of an API, wherever they are in the response", async () => {
    const dropped: number[] = [];
    const shape = z.object({ bars: z.record(z.string(), Rows), news: Rows.nullish() });
    const get = (body: unknown) =>
      createApi(
        { fetch: respondWith({ "": body }).fetch, onUnreadable: (rows) => dropped.push(rows) },
        { baseUrl: "https://vendor.example" },
      )("/", shape, { signal });
    const good = { price: 1 };
    await get({ bars: { A: [good, {}], B: [good, {}, {}] }, news: [good, 1] });
    await get({ bars: { A: [good] } });
    expect(dropped).toEqual([4]);
    expect(await kindOf(get({ bars: { A: [{}] } }))).toBe("malformed");
  });
});

describe("rows by name", () => {
  const Named = namedRowsOf(Row, z.string().regex(/^[A-Z]+$/));

  it("are those whose name and row can be read, counted together with the others", () => {
    const rows = Named.parse({ A: { price: 1 }, b: { price: 2 }, C: null, D: { price: 3 } });
    expect(rows).toEqual([
      ["A", { price: 1 }],
      ["D", { price: 3 }],
    ]);
    expect([pageSize(rows), droppedRows(rows)]).toEqual([4, 2]);
    expect(Named.parse({})).toEqual([]);
  });

  it("are malformed if none can be read", () => {
    expect(Named.safeParse({ A: {} }).success).toBe(false);
    expect(Named.safeParse([{ price: 1 }]).success).toBe(false);
  });
});

describe("a column", () => {
  const Column = columnOf(z.number().nonnegative());

  it("keeps its length, with null for a cell that is null or cannot be read", () => {
    const cells = Column.parse([1, null, -1, "2", 3]);
    expect(cells).toEqual([1, null, null, null, 3]);
    expect(droppedRows({ close: cells })).toBe(2);
    expect(Column.parse([null, null])).toEqual([null, null]);
  });

  it("is malformed if it has cells, but none that can be read", () => {
    expect(Column.safeParse([null, -1]).success).toBe(false);
  });
});
