import { expect, it } from "vitest";
import { parseTraceparent } from "../../src/domain/trace.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";
const place = { traceId: TRACE, spanId: SPAN };

it("reads the trace, the span and whether it is recorded", () => {
  expect(parseTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual({ ...place, isSampled: true });
  expect(parseTraceparent(`00-${TRACE}-${SPAN}-00`)).toEqual({ ...place, isSampled: false });
  expect(parseTraceparent(`00-${TRACE}-${SPAN}-fe`)).toEqual({ ...place, isSampled: false });
});

it("reads later versions, which may have further fields", () => {
  for (const text of [`01-${TRACE}-${SPAN}-01`, `cc-${TRACE}-${SPAN}-01-what-comes`])
    expect(parseTraceparent(text)).toEqual({ ...place, isSampled: true });
});

it.each([
  undefined,
  null,
  7,
  {},
  "",
  "00",
  `00-${TRACE}-${SPAN}-01-more`,
  `ff-${TRACE}-${SPAN}-01`,
  `01-${TRACE}-${SPAN}-01more`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${"0".repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${"0".repeat(16)}-01`,
  `00-${TRACE.slice(1)}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-1`,
  ` 00-${TRACE}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01\n`,
  `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
])("ignores %j", (value) => {
  expect(parseTraceparent(value)).toBeUndefined();
});
