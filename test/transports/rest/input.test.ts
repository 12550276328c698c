import fc from "fast-check";
import { expect, it } from "vitest";
import { parseInput } from "../../../src/transports/rest/input.ts";

const post = (url: string, body: unknown) =>
  new Request(`http://h${url}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

it("passes a JSON body on unchanged, with any field names", async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (fields) => {
      const body = JSON.parse(JSON.stringify(fields));
      expect(await parseInput(post("/x", body), {}, "/x")).toEqual(body);
    }),
  );
});

it("takes each field from path, query or body, and converts only text by the schema", async () => {
  const schema = {
    properties: { id: { type: "integer" }, deep: { type: "boolean" }, n: { type: "number" } },
  };
  expect(await parseInput(post("/x/7?deep=true", { n: "1.5" }), schema, "/x/:id")).toEqual({
    id: 7,
    deep: true,
    n: "1.5",
  });
});

it("reads the filters of a screen from a query as a person types them", async () => {
  const schema = {
    properties: {
      grade: { type: "string", pattern: "^(>=)?([A-D][+-]?|F)$" },
      grades: { type: "array", items: { type: "string", pattern: "^(>=)?([A-D][+-]?|F)$" } },
      tier: { type: "string", enum: ["A+", "A-"] },
      rules: { type: "string" },
    },
  };
  const read = (query: string) => parseInput(new Request(`http://h/x?${query}`), schema, "/x");
  expect(await read("grade=>=A-")).toEqual({ grade: ">=A-" });
  expect(await read("grade=>=A+")).toEqual({ grade: ">=A+" });
  expect(await read("grade=a+")).toEqual({ grade: "a+" });
  expect(await read("grade=E+")).toEqual({ grade: "E " });
  expect(await read("grades=A+")).toEqual({ grades: ["A+"] });
  expect(await read("grades=a+,b+,C-")).toEqual({ grades: ["a+", "b+", "C-"] });
  expect(await read("grades=A,B&grades=C+")).toEqual({ grades: ["A", "B", "C+"] });
  expect(await read("grades=A, B+")).toEqual({ grades: ["A", "B+"] });
  expect(await read("tier=A+")).toEqual({ tier: "A+" });
  expect(await read("rules=rsi(14) < 30 and grade >= B and change_pct > 2")).toEqual({
    rules: "rsi(14) < 30 and grade >= B and change_pct > 2",
  });
});

it("compares values of path, query and body after coercion", async () => {
  const schema = {
    properties: { id: { type: "integer" }, tags: { type: "array", items: { type: "string" } } },
  };
  const agreed = parseInput(post("/x/7?id=07&tags=a,b", { id: 7, tags: ["a", "b"] }), schema, "/x/:id");
  expect(await agreed).toEqual({ id: 7, tags: ["a", "b"] });
  const tags = parseInput(post("/x/7?tags=a,b", { tags: ["a"] }), schema, "/x/:id");
  await expect(tags).rejects.toMatchObject({
    code: "INVALID_INPUT",
    data: { errors: [{ pointer: "/tags", detail: "Given twice with different values" }] },
  });
  const said = parseInput(post("/x", "a question"), {}, "/x", { text: "query" });
  expect(await said).toEqual({ query: "a question" });
  await expect(parseInput(post("/x", "a question"), {}, "/x")).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
  const odd = parseInput(post("/x/7?a~/b=1", { "a~/b": 2 }), schema, "/x/:id");
  await expect(odd).rejects.toMatchObject({ data: { errors: [{ pointer: "/a~0~1b" }] } });
});
