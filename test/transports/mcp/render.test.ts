import { describe, expect, it } from "vitest";
import type { Market } from "../../../src/domain/market/market.ts";
import { ERROR_CODES, ToolError } from "../../../src/kernel/errors.ts";
import { callResultJson, toCallResult, toErrorResult } from "../../../src/transports/mcp/render.ts";
import { drawPicture } from "../../support/picture-tool.ts";
import { pricedText, richText, sayText } from "./fixture.ts";

const sample = { mode: "sample", id: "s" } as const;
const live = { mode: "live", id: "l" } as const;
const older = (market: Market) => ({ market, takesData: false });
const newer = (market: Market) => ({ market, takesData: true });
const textOf = ({ content }: ReturnType<typeof toCallResult>) => (content[0] as { text: string }).text;

describe("answer", () => {
  it("puts the first terminal line above the data for a client that reads only text", () => {
    expect(toCallResult(sayText, { text: "hi", account: "a" }, older(live))).toEqual({
      structuredContent: { text: "hi", account: "a" },
      content: [{ type: "text", text: 'a says hi\n{"text":"hi","account":"a"}' }],
    });
  });

  it("sends terminal text to a client that reads the data", () => {
    expect(toCallResult(sayText, { text: "hi", account: "a" }, newer(live))).toEqual({
      structuredContent: { text: "hi", account: "a" },
      content: [{ type: "text", text: "a says hi\nand more" }],
    });
    const { terminal: _, ...toolWithoutText } = sayText;
    expect(textOf(toCallResult(toolWithoutText, { text: "hi" }, newer(live)))).toBe(
      'Say a text\n{"text":"hi"}',
    );
    expect(textOf(toCallResult(pricedText, { text: "up" }, newer(sample)))).toBe("SAMPLE (simulated) | up");
  });

  it("uses the title for a tool without terminal output", () => {
    const { terminal: _, ...toolWithoutText } = sayText;
    expect(textOf(toCallResult(toolWithoutText, { text: "hi" }, older(live)))).toBe(
      'Say a text\n{"text":"hi"}',
    );
  });

  it("labels only simulated prices, and only once", () => {
    expect(textOf(toCallResult(pricedText, { text: "up" }, older(sample)))).toBe(
      'SAMPLE (simulated) | up\n{"text":"up"}',
    );
    expect(textOf(toCallResult(pricedText, { text: "SAMPLE (simulated) up" }, older(sample)))).toMatch(
      /^SAMPLE \(simulated\) up\n/,
    );
    expect(textOf(toCallResult(pricedText, { text: "up" }, older(live)))).toMatch(/^up\n/);
    expect(textOf(toCallResult(richText, { text: "up", account: "a" }, older(sample)))).toMatch(
      /^a says up\n/,
    );
  });

  it.each([older, newer])("returns a picture as an image block, and the data only in the text", (client) => {
    const media = { mime: "image/png", base64: "AAAA", alt: "A chart" };
    const result = toCallResult(pricedText, { text: "up", media }, client(live));
    expect(result).toEqual({
      content: [
        { type: "text", text: 'up\n{"text":"up","media":{"mime":"image/png","alt":"A chart"}}' },
        { type: "image", data: "AAAA", mimeType: "image/png" },
      ],
    });
    expect(JSON.parse(`{${callResultJson(pricedText, { text: "up", media }, client(live))}}`)).toEqual(
      result,
    );
  });

  it("returns any other file as a resource for the user", () => {
    const media = { mime: "text/html", base64: "AAAA", alt: "A report" };
    expect(toCallResult(drawPicture, { symbol: "AAPL", media }, newer(live)).content[1]).toEqual({
      type: "resource",
      resource: { uri: "market-signal://files/draw-picture-AAPL.png", mimeType: "text/html", blob: "AAAA" },
      annotations: { audience: ["user"] },
    });
  });
});

describe("failure", () => {
  it("includes code, reason, hint, data and the next step", () => {
    const error = new ToolError("RATE_LIMITED", "The burst limit is used up", {
      hint: "Slow down.",
      data: { window: "burst", retry_after: 30, until: null },
    });
    expect(toErrorResult(error)).toEqual({
      isError: true,
      content: [
        {
          type: "text",
          text: [
            "RATE_LIMITED: The burst limit is used up",
            "Slow down.",
            '{"window":"burst","retry_after":30}',
            "Next: Wait retry_after seconds, then retry.",
          ].join("\n"),
        },
      ],
    });
  });

  it.each(ERROR_CODES)("ends %s with the next step", (code) => {
    const [text] = toErrorResult(new ToolError(code, "Why")).content;
    expect((text as { text: string }).text).toMatch(new RegExp(`^${code}: Why\nNext: .+\\.$`));
  });

  it("includes zeros and false from the data", () => {
    const error = new ToolError("REFUSED", "No", { data: { left: 0, live: false, list: [] } });
    expect((toErrorResult(error).content[0] as { text: string }).text).toContain(
      '{"left":0,"live":false,"list":[]}',
    );
  });
});
