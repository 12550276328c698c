import { expect, it } from "vitest";
import { enumValue } from "../../src/lib/enum-value.ts";

it.each([
  [["HOT", "WATCH"], "hot", "HOT"],
  [["HOT", "WATCH"], "Hot", "HOT"],
  [["HOT", "WATCH"], " watch ", "WATCH"],
  [["HOT", "WATCH"], "ho", "ho"],
  [["a", "A"], "A", "A"],
  [["aa", "AA"], "Aa", "Aa"],
  [[1, "B"], "b", "B"],
])("of %j, the text '%s' is %s", (values, text, value) => {
  expect(enumValue(values, text)).toBe(value);
});
