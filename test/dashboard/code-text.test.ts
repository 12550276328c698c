import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { CodeText } from "../../src/dashboard/views/code-text.tsx";

it.each([
  ["Send `a: b` or `c`.", "Send <code>a: b</code> or <code>c</code>."],
  ["Nothing to mark", "Nothing to mark"],
])("draws %s", (text, html) => {
  expect(renderToStaticMarkup(createElement(CodeText, { text }))).toBe(html);
});
