import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isShared, jsonOf, SharedAnswer, taggedJsonOf } from "../../src/kernel/shared-answer.ts";

const ID = "00000000-0000-4000-8000-000000000001";
const fields = { request_id: ID, server_time: "2026-01-15T15:00:00.000Z" };
const other = { request_id: ID.replace("1", "2"), server_time: "2026-01-15T15:00:01.000Z" };
const tagOf = (answer: object): string => taggedJsonOf(answer).tag;
const envelope = { success: true, ...fields, data: { score: 1 }, none: undefined };

describe("a shared answer", () => {
  it("carries the fields of each call", () => {
    const shared = new SharedAnswer(envelope);
    expect(shared.forCall(other)).toEqual({ ...envelope, ...other });
    expect(shared.forCall(other)).not.toBe(shared.forCall(other));
  });

  it("gets no field that the tool does not return", () => {
    expect(new SharedAnswer({ price: 1 }).forCall(other)).toEqual({ price: 1 });
    expect(jsonOf(new SharedAnswer({}).forCall(other))).toBe("{}");
  });

  it("has the JSON text of the same object that is not shared", () => {
    const value = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.constant(Number.NaN), fc.constant(-0));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), fc.boolean(), fc.boolean(), (rest, id, time) => {
        const answer = {
          ...rest,
          ...(id && { request_id: fields.request_id }),
          ...rest,
          ...(time && { server_time: fields.server_time }),
        };
        const copy = new SharedAnswer(answer).forCall(other);
        expect(jsonOf(copy)).toBe(JSON.stringify(copy));
        expect(jsonOf(copy), "also the second time").toBe(JSON.stringify(copy));
        expect(taggedJsonOf(copy).text).toBe(JSON.stringify(copy));
        expect(taggedJsonOf({ ...copy }).text, "not shared").toBe(JSON.stringify(copy));
      }),
    );
  });

  it("has a tag that differs with the content but not with the call", () => {
    const shared = new SharedAnswer(envelope);
    const tag = tagOf(shared.forCall(fields));
    expect(tag).toMatch(/^[\w-]{22}$/);
    expect(tagOf(shared.forCall(other))).toBe(tag);
    expect(tagOf(new SharedAnswer({ ...envelope, data: { score: 2 } }).forCall(other))).not.toBe(tag);
  });

  it("has the same tag if only the time of a provider call differs", () => {
    const tagWith = (fetched_at: string, text = "") =>
      tagOf(new SharedAnswer({ ...envelope, text, bars: { provenance: { fetched_at } } }).forCall(other));
    const tag = tagWith("2026-01-15T15:00:00.000Z");
    expect(tagWith("2026-01-15T15:00:09.000Z")).toBe(tag);
    expect(tagWith("2026-01-15T15:00:00.000Z", '"fetched_at":"2026"')).not.toBe(tag);
    expect(tagWith("2026-01-15T15:00:00.000Z", '"fetched_at":"2027"')).not.toBe(
      tagWith("2026-01-15T15:00:00.000Z", '"fetched_at":"2026"'),
    );
  });

  it("has the tag of an equal answer that is not shared", () => {
    const copy = new SharedAnswer(envelope).forCall(other);
    expect(tagOf({ ...envelope, ...fields })).toBe(tagOf(copy));
    expect(tagOf({ ...envelope, data: { score: 2 } })).not.toBe(tagOf(copy));
  });

  it("keeps nothing of the sharing in a copy", () => {
    const copy = { ...new SharedAnswer(envelope).forCall(other) };
    expect([isShared(new SharedAnswer(envelope).forCall(other)), isShared(copy)]).toEqual([true, false]);
    expect(jsonOf(copy)).toBe(JSON.stringify({ ...envelope, ...other }));
  });
});
