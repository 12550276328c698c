import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson, parseLiteral, REPEATED } from "../../src/lib/json-text.ts";

describe("JSON", () => {
  it.each([
    ['{"side":"buy","side":"sell"}', { side: "sell", [`side${REPEATED}`]: true }],
    ['{"side":"buy","\\u0073ide":"sell"}', { side: "sell", [`side${REPEATED}`]: true }],
    ['{"a":[{"b":1},{"b":1,"b":2}]}', { a: [{ b: 1 }, { b: 2, [`b${REPEATED}`]: true }] }],
    ['{"a":{"b":1},"b":{"a":1}}', { a: { b: 1 }, b: { a: 1 } }],
    ['{"a":"\\"b\\":1,\\"b\\"","c":"\\\\"}', { a: '"b":1,"b"', c: "\\" }],
    ['["a","a"]', ["a", "a"]],
    ["5", 5],
    ["null", null],
  ])("%s is parsed, with a mark for a name that occurs twice", (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  it("marks every object in the value of a repeated name", () => {
    expect(parseJson('{"arguments":{"x":1},"arguments":{"side":"sell","more":[{}]}}')).toEqual({
      arguments: { side: "sell", more: [{ [`arguments${REPEATED}`]: true }], [`arguments${REPEATED}`]: true },
      [`arguments${REPEATED}`]: true,
    });
  });

  it("is parsed as JSON.parse does if no name occurs twice", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it("is refused if it is invalid", () => {
    expect(() => parseJson('{"a":1')).toThrow(SyntaxError);
  });
});

describe("a literal", () => {
  it.each([
    ["['AAPL', 'MSFT']", ["AAPL", "MSFT"]],
    ["{'fast': 10, 'on': True, 'off': False, 'none': None}", { fast: 10, on: true, off: false, none: null }],
    [`["it's", 'say "x"', 'a\\'b']`, ["it's", 'say "x"', "a'b"]],
    ["['True', None]", ["True", null]],
  ])("%s is read as Python prints it", (text, value) => {
    expect(parseLiteral(text)).toEqual(value);
  });

  it.each(["['a", "[a, b]", "{a: 1}", "", "it's"])("%s is none", (text) => {
    expect(parseLiteral(text)).toBeUndefined();
  });
});
