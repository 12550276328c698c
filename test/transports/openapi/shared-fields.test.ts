import { describe, expect, it } from "vitest";
import { shareFields } from "../../../src/transports/openapi/shared-fields.ts";
import { shareSchemas } from "../../../src/transports/openapi/shared-schemas.ts";

const long = { type: "string", description: "A description of usual length, such as most fields have" };
const object = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});
const fields = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, long]));
const common = fields("id", "name", "city", "color", "weight", "breed", "owner", "vet");
const cat = object({ ...common, lives: { type: "integer" } }, ["id", "lives"]);
const dog = object({ tricks: { type: "array", items: long }, ...common }, ["tricks", "id"]);

describe("fields that objects have in common", () => {
  it("are a schema of their own, with the required ones", async () => {
    const written = await shareFields([cat, dog]);
    const allOf = [object(common, ["id"])];
    expect(written(cat)).toEqual({
      type: "object",
      allOf,
      properties: { lives: { type: "integer" } },
      required: ["lives"],
    });
    expect(written(dog)).toEqual({
      type: "object",
      allOf,
      properties: { tricks: { type: "array", items: long } },
      required: ["tricks"],
    });
  });

  it("become a component named after the field that holds them", async () => {
    const operation = (schema: object) => ({ responses: { 200: { content: { json: { schema } } } } });
    const { operations, schemas } = await shareSchemas(
      [
        ["get_cat", operation(object({ pet: cat }))],
        ["get_dog", operation(object({ pet: dog }))],
      ],
      [],
    );
    expect(schemas.PetFields).toMatchObject({ type: "object", required: ["id"] });
    expect(Object.keys(schemas.PetFields!.properties as object)).toEqual(Object.keys(common));
    const { schema } = (operations[0] as any).responses[200].content.json;
    expect(schema.properties.pet.allOf).toEqual([{ $ref: "#/components/schemas/PetFields" }]);
  });

  it("are named after responses if these have them", async () => {
    const operation = (schema: object) => ({ responses: { 200: { content: { json: { schema } } } } });
    const { schemas } = await shareSchemas(
      [
        ["get_cat", operation(cat)],
        ["get_dog", operation(dog)],
      ],
      [],
    );
    expect(Object.keys(schemas)).toContain("ResponseFields");
  });

  it("stay where they are if they differ in description or in being required", async () => {
    const described = object(
      Object.fromEntries(Object.keys(common).map((name) => [name, { ...long, description: name }])),
    );
    const [required, optional] = [object(common, Object.keys(common)), object(common)];
    const written = await shareFields([described, required, optional]);
    for (const schema of [described, required, optional]) expect(written(schema)).toEqual(schema);
  });

  it("stay where they are in an object without further fields, or with fields of one schema", async () => {
    const closed = { ...cat, additionalProperties: false };
    const record = { ...dog, additionalProperties: long };
    const written = await shareFields([closed, record, cat]);
    for (const schema of [closed, record, cat]) expect(written(schema)).toEqual(schema);
  });

  it("may be all fields of an object, which then is this schema itself", async () => {
    const pet = object(common, ["id"]);
    const written = await shareFields([cat, dog, pet]);
    expect(written({ ...pet, description: "A pet" })).toEqual({ ...pet, description: "A pet" });
    expect(written(cat)).toHaveProperty("allOf", [pet]);
  });

  it("may contain others that more objects have", async () => {
    const more = fields("street", "zip", "country", "phone", "mail", "fax");
    const [one, two] = ["a", "b"].map((name) => object({ ...common, ...more, [name]: { type: "null" } }));
    const others = ["c", "d", "e", "f", "g"].map((name) => object({ ...common, [name]: { type: "null" } }));
    const written = await shareFields([one!, two!, ...others]);
    expect(written(others[0]!)).toHaveProperty("allOf", [object(common)]);
    expect(written(one!)).toHaveProperty("allOf", [
      { type: "object", allOf: [object(common)], properties: more },
    ]);
    expect(written(two!).allOf).toEqual(written(one!).allOf);
  });

  it("are found in the fields of fields", async () => {
    const written = await shareFields([object({ first: cat, all: { type: "array", items: dog } })]);
    expect(written(object({ first: cat }))).toEqual(object({ first: written(cat) }));
    expect(written(cat)).toHaveProperty("allOf");
  });
});
