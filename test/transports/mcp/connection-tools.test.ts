import { describe, expect, it } from "vitest";
import {
  connectionToolsOf,
  listedToolOf,
  parseToolsetFilter,
} from "../../../src/transports/mcp/connection-tools.ts";
import { drawPicture } from "../../support/picture-tool.ts";
import { sayText, toolFixture } from "./fixture.ts";

const query = (text: string) => parseToolsetFilter(new URLSearchParams(text));

describe("parseToolsetFilter", () => {
  it("reads toolsets from one or several lists, ignoring blanks", () => {
    expect(query("toolsets=signal,flow&toolsets=market")).toEqual({
      toolsets: ["signal", "flow", "market"],
      readonly: false,
    });
    expect(query("")).toEqual({ readonly: false });
    expect(query("toolsets= , ")).toEqual({ readonly: false });
  });

  it.each(["readonly", "readonly=1", "readonly=TRUE", "readonly=yes", "readonly=0&readonly=1"])(
    "reads %s as true",
    (text) => {
      expect(query(text).readonly).toBe(true);
    },
  );

  it("reads 0 as false and rejects other values", () => {
    expect(query("readonly=0").readonly).toBe(false);
    expect(() => query("readonly=maybe")).toThrow('readonly must be 1 or 0, not "maybe"');
  });
});

describe("the tools of a connection", () => {
  it("caches each filter independently of the order of its toolsets", () => {
    const menu = connectionToolsOf(toolFixture().registry);
    expect(menu({ toolsets: ["signal", "flow"] })).toBe(menu({ toolsets: ["flow", "signal", "flow"] }));
    expect(menu({ toolsets: ["signal"] }).listed[0]).toBe(
      menu({}).listed.find(({ name }) => name === "fail_text"),
    );
  });

  it("allow calls to unlisted tools, except writes if readonly", () => {
    const menu = connectionToolsOf(toolFixture().registry);
    expect(menu({}).callable.has("engine_text")).toBe(true);
    expect(menu({}).listed.map(({ name }) => name)).not.toContain("engine_text");
    expect(menu({ toolsets: ["flow"] }).callable.has("engine_text")).toBe(true);
    expect(menu({ readonly: true }).callable.has("engine_text")).toBe(true);
    expect(menu({ readonly: true }).callable.has("save_text")).toBe(false);
    expect(menu({ toolsets: ["all"], readonly: true }).callable.has("save_text")).toBe(false);
  });

  it("end with a dispatcher that reads, and one that is destructive unless readonly", () => {
    const menu = connectionToolsOf(toolFixture().registry);
    const dispatchers = (filter: Parameters<typeof menu>[0]) =>
      menu(filter).listed.filter(({ name }) => name.startsWith("call_"));
    const reading = {
      name: "call_tool",
      inputSchema: { required: ["name"] },
      annotations: { readOnlyHint: true },
    };
    const acting = {
      name: "call_action",
      inputSchema: { required: ["name"] },
      annotations: { readOnlyHint: false, destructiveHint: true },
    };
    expect(dispatchers({})).toMatchObject([reading, acting]);
    expect(menu({}).listed.slice(-2)).toEqual(dispatchers({}));
    expect(dispatchers({ toolsets: ["flow"] })).toMatchObject([reading, acting]);
    expect(dispatchers({ readonly: true })).toMatchObject([reading]);
    expect(dispatchers({ readonly: true })[0]!.annotations).toEqual({ readOnlyHint: true });
  });

  it("returns the toolsets that are not selected", () => {
    const menu = connectionToolsOf(toolFixture().registry);
    expect(menu({}).otherToolsets).toEqual(["flow"]);
    expect(menu({ toolsets: ["flow"] }).otherToolsets).toEqual(["market", "signal", "system"]);
    expect(menu({ toolsets: ["all"] }).otherToolsets).toEqual([]);
  });

  it("lists plain object schemas", () => {
    const [said] = connectionToolsOf(toolFixture().registry)({}).listed;
    expect(said).toMatchObject({
      name: "say_text",
      inputSchema: {
        type: "object",
        properties: { text: { type: "string", description: "What to say" } },
        required: ["text"],
      },
      outputSchema: { type: "object", required: ["text", "account"] },
    });
  });

  it("lists no output schema for a tool whose results can have a file", () => {
    expect(listedToolOf(drawPicture)).not.toHaveProperty("outputSchema");
    expect(listedToolOf(sayText)).toHaveProperty("outputSchema");
  });
});
