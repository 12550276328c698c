import { expect, it } from "vitest";
import { createSessionSettings, supportsForms } from "../../../src/transports/mcp/client-settings.ts";

it.each([
  [undefined, false],
  [{}, false],
  [{ elicitation: true }, false],
  [{ elicitation: {} }, true],
  [{ elicitation: { form: {} } }, true],
  [{ elicitation: { url: {} } }, false],
  [{ elicitation: { form: {}, url: {} } }, true],
])("reads from the capabilities %o whether a client has forms: %s", (capabilities, forms) => {
  expect(supportsForms(capabilities)).toBe(forms);
});

it("stores the settings of the two thousand latest sessions", () => {
  const settings = createSessionSettings();
  const session = (i: number) => settings.of({ account: "ada", id: `${i}` });
  for (let i = 0; i <= 2_000; i++) void session(i).set({ logLevel: "info" });
  expect(session(0).get()).toEqual({});
  expect(session(1).get()).toEqual({ logLevel: "info" });
});
