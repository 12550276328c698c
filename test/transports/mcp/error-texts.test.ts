import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { useInstallation } from "../../support/installation.ts";
import type { McpResult } from "../../support/mcp-data.ts";
import { refusedInModelText } from "../../support/model-texts.ts";
import { requiredInput, TOOLS } from "../../support/parity.ts";
import { httpClient } from "./clients.ts";

/** Values that a field with the name accepts in form only. */
const WRONG: Readonly<Record<string, unknown>> = {
  symbol: "ZZZZQ",
  symbols: ["ZZZZQ"],
  cursor: "no-such-cursor",
  after: "no-such-cursor",
  head: "no-such-head",
  from: "2999-01-01",
  as_of: "1990-01-01",
};
const ID = /(^|_)(id|name)$/;

/** A new installation: without a nightly run, a broker connection or any stored object. */
const installation = useInstallation("sample");
let client: Client;
beforeAll(async () => {
  const { key } = await installation.key("enterprise", ["read", "write", "trade:paper", "trade:live"]);
  client = await httpClient(new URL(`${installation.url}/api/mcp?toolsets=all`), key);
});
afterAll(() => client.close());

const errors: { readonly call: string; readonly text: string }[] = [];
const call = async (name: string, input: object) => {
  const { isError, content } = (await client.callTool({ name, arguments: { ...input } })) as McpResult;
  if (isError === true)
    errors.push({ call: `${name} ${JSON.stringify(input)}`, text: content[0]!.text ?? "" });
};

it("advise nothing that the client of a model cannot do", async () => {
  for (const tool of TOOLS) {
    const required = requiredInput(tool);
    const fields = Object.keys(tool.input.shape);
    await call(tool.name, { ...required, min_no_such_field: 1 });
    await call(tool.name, required);
    for (const field of fields) {
      const value = ID.test(field) ? "no-such-id" : WRONG[field];
      if (value !== undefined) await call(tool.name, { ...required, [field]: value });
    }
  }
  await call("set_kill_switch", { engaged: true, reason: "test" });
  await call("set_kill_switch", { engaged: false });
  expect(errors.length).toBeGreaterThan(150);
  const codes = new Set(errors.map(({ text }) => text.split(":", 1)[0]));
  expect([...codes]).toEqual(
    expect.arrayContaining([
      "INVALID_INPUT",
      "UNKNOWN_SYMBOL",
      "NOT_FOUND",
      "NOT_ENOUGH_DATA",
      "SCOPE_REQUIRED",
    ]),
  );
  for (const { call: request, text } of errors) expect(refusedInModelText(text), request).toEqual([]);
});
