import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { Media } from "../../../../src/domain/media.ts";
import { ToolError } from "../../../../src/kernel/errors.ts";
import { defineTool, type Tool } from "../../../../src/kernel/tool.ts";
import { TEST_TOOL } from "../../../support/test-tool.ts";

/** One red pixel. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";
/** A WAV file without samples. */
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
/** Longer than the minimum pause between two progress notifications. */
const STEP_MS = 120;

const Said = z.object({ said: z.string().describe("What the suite waits for") });
const Shown = Said.extend({ media: Media });

/** A tool that returns a text. */
const saying = (name: string, title: string, said: string): Tool =>
  defineTool({
    ...TEST_TOOL,
    name,
    title,
    route: `GET /api/v1/${name}`,
    output: Said,
    handler: () => ({ said }),
  });
/** A tool that returns a text and a file. */
const showing = (name: string, title: string, said: string, media: z.output<typeof Media>): Tool =>
  defineTool({
    ...TEST_TOOL,
    name,
    title,
    route: `GET /api/v1/${name}`,
    output: Shown,
    handler: () => ({ said, media }),
  });
const pixel = { mime: "image/png", base64: PIXEL, alt: "One red pixel" };

const simpleText = saying("test_simple_text", "Text", "This is a simple text response for testing.");
const image = showing("test_image_content", "Image", "an image", pixel);
const mixed = showing(
  "test_multiple_content_types",
  "Several kinds of content",
  "Multiple content types test:",
  pixel,
);
const audio = showing("test_audio_content", "Audio", "a sound", {
  mime: "audio/wav",
  base64: SILENCE,
  alt: "Silence",
});

const failing = defineTool({
  ...TEST_TOOL,
  name: "test_error_handling",
  title: "Error",
  route: "GET /api/v1/test/error",
  output: Said,
  handler: () => {
    throw new ToolError("REFUSED", "This tool intentionally returns an error for testing");
  },
});

const progressing = defineTool({
  ...TEST_TOOL,
  name: "test_tool_with_progress",
  title: "Progress",
  route: "GET /api/v1/test/progress",
  output: Said,
  async handler(_, { progress }) {
    for (const done of [0, 50, 100]) {
      progress({ done, total: 100 });
      await sleep(STEP_MS);
    }
    return { said: "done" };
  },
});

/** Called to check that a response stream contains no requests from the server. */
const streaming = saying("test_streaming_elicitation", "Stream", "no request to the client");

/** Called to check that a response contains no unrequested log messages. */
const logging = saying("test_logging_tool", "Log", "nothing is logged to the client");

/** The tools that the conformance suite calls by name, as far as this server can return what the suite expects. */
export const FIXTURE_TOOLS: Readonly<Record<string, Tool>> = {
  simpleText,
  image,
  audio,
  mixed,
  failing,
  progressing,
  streaming,
  logging,
};
