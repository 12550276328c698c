import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createApi } from "../../../src/providers/shared/api.ts";
import { columnOf, droppedRows, namedRowsOf, pageSize, rowsOf } from "../../../src/providers/shared/rows.ts";
import { kindOf, respondWith, signal } from "../requests.ts";

const Row = z.object({ price: z.number() });
const Rows = rowsOf(Row);

describe("the rows of a page", () => {
  it("are those that can be read, counted together with the others", async () => {
    const rows = await Rows.parseAsync([{ price: 1 }, { price: "x" }, null, { price: 2 }]);
    expect(rows).toEqual([{ price: 1 }, { price: 2 }]);
    expect([pageSize(rows), droppedRows(rows)]).toEqual([4, 2]);
    const none = await Rows.parseAsync([]);
    expect([pageSize(none), droppedRows(none)]).toEqual([0, 0]);
  });

  it("are malformed if none can be read", async () => {
    expect((await Rows.safeParseAsync([{ price: "x" }])).success).toBe(false);
    expect((await Rows.safeParseAsync({})).success).toBe(false);
    expect((await rowsOf(z.literal("")).nullish().safeParseAsync(null)).success).toBe(true);
  });

  it("are malformed if there are more than the longest page of a provider has", async () => {
    const list = (length: number) => Array.from({ length }, () => ({ price: 1 }));
    expect((await Rows.safeParseAsync(list(60_000))).success).toBe(true);
    expect((await Rows.safeParseAsync(list(60_001))).success).toBe(false);
  });

  it("keep every readable row in order, whatever is between them", async () => {
    const value = fc.oneof(fc.record({ price: fc.double({ noNaN: true }) }), fc.string(), fc.constant(null));
    await fc.assert(
      fc.asyncProperty(fc.array(value), async (list) => {
        const readable = list.filter((row) => Row.safeParse(row).success);
        const parsed = await Rows.safeParseAsync(list);
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

  it("are those whose name and row can be read, counted together with the others", async () => {
    const rows = await Named.parseAsync({ A: { price: 1 }, b: { price: 2 }, C: null, D: { price: 3 } });
    expect(rows).toEqual([
      ["A", { price: 1 }],
      ["D", { price: 3 }],
    ]);
    expect([pageSize(rows), droppedRows(rows)]).toEqual([4, 2]);
    expect(await Named.parseAsync({})).toEqual([]);
  });

  it("are malformed if none can be read", async () => {
    expect((await Named.safeParseAsync({ A: {} })).success).toBe(false);
    expect((await Named.safeParseAsync([{ price: 1 }])).success).toBe(false);
  });
});

describe("a column", () => {
  const Column = columnOf(z.number().nonnegative());

  it("keeps its length, with null for a cell that is null or cannot be read", async () => {
    const cells = await Column.parseAsync([1, null, -1, "2", 3]);
    expect(cells).toEqual([1, null, null, null, 3]);
    expect(droppedRows({ close: cells })).toBe(2);
    expect(await Column.parseAsync([null, null])).toEqual([null, null]);
  });

  it("is malformed if it has cells, but none that can be read", async () => {
    expect((await Column.safeParseAsync([null, -1])).success).toBe(false);
  });
});
