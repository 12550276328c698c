import { describe, expect, it } from "vitest";
import { mediaIn, withoutFile } from "../../src/domain/media.ts";

const media = { mime: "image/png", base64: "iVBORw==", alt: "AAPL, 120 daily bars" };

describe("the media of a result", () => {
  it("contain the file and its description", () => {
    expect(mediaIn({ ok: true, media })).toEqual(media);
  });

  it("are null without a file, also if only a description exists", () => {
    expect(mediaIn({ ok: true })).toBeNull();
    expect(mediaIn({ media: { mime: "image/png", alt: "gone" } })).toBeNull();
    expect(mediaIn({ media: "a text" })).toBeNull();
  });

  it("retain the description when a transport sends the file separately", () => {
    expect(withoutFile({ ok: true, media })).toEqual({
      ok: true,
      media: { mime: "image/png", alt: "AAPL, 120 daily bars" },
    });
    expect(withoutFile({ ok: true })).toEqual({ ok: true });
  });
});
