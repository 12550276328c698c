import { describe, expect, it } from "vitest";
import { describeConfig } from "../../src/app/config.ts";
import { refusedInModelText } from "../support/model-texts.ts";
import { proseIn, sourceFiles } from "../support/source-texts.ts";

/** Files whose texts no model reads, with their readers. */
const FOR_PEOPLE: readonly (readonly [file: RegExp, readers: string])[] = [
  [/^src\/transports\/(cli|web|connect\.ts)/, "people at a terminal or on the pages of the server"],
  [/^src\/dashboard\/(app|pages)\//, "people on the pages of the server"],
  [/^src\/transports\/(http|rest|openapi)\//, "programs and people that use REST"],
  [/^src\/access\/admission\.ts/, "callers of pages and of paths that do not exist"],
  [/^src\/access\/sign-in\//, "people on the pages of the server, and the library of sign-in"],
  [/^src\/app\/(?!providers\/)/, "the owner, at the start of the server"],
  [/^src\/app\/providers\/provider-notes\.ts/, "the owner, at the start of the server"],
  [/^src\/app\/providers\/quote-streams\.ts/, "readers of the log"],
  [/^src\/access\/vault\//, "the owner, at the start of the server and in the terminal"],
  [/^src\/store\/files\.ts/, "the owner, at the start of the server and in the log"],
  [/^src\/features\/trading\/trading-service\.ts/, "the owner, in the terminal"],
  [/^src\/providers\/files\/import\.ts/, "the owner, in the terminal"],
  [/^src\/store\/sqlite\/better-sqlite\.ts/, "the owner, at the start of the server"],
  [/^src\/providers\/ccxt\/exchange\.ts/, "the owner, at the start of the server"],
];
/** Properties that hold no text for a model: the command line of an error, the route of a tool. */
const NO_TEXT = new Set(["command", "route", "aliases"]);
/** Constants of message authentication codes. */
const MAC_LABELS = new Set(["auditKeyId", "headCodeOf"]);

const SOURCES = ["src", "tools", "agents"].flatMap(sourceFiles);
const forModels = SOURCES.filter((file) => !FOR_PEOPLE.some(([pattern]) => pattern.test(file)));
const TEXTS = forModels.flatMap((file) =>
  proseIn(file)
    .filter(({ name }) => !NO_TEXT.has(name) && !MAC_LABELS.has(name))
    .map((source) => ({ ...source, file })),
);

describe("texts that a model can read", () => {
  it("contain no command line, path of the server or change of its URL", () => {
    const found = TEXTS.flatMap(({ file, text }) =>
      refusedInModelText(text).map((part) => `${file}: ${part}`),
    );
    expect(found).toEqual([]);
  });

  it("name the owner in every hint that names a setting", () => {
    const settings = new RegExp(
      `\\b(${describeConfig({})
        .map(({ name }) => name)
        .join("|")})\\b`,
    );
    const hints = TEXTS.filter(({ name, text }) => name === "hint" && settings.test(text));
    expect(hints.length).toBeGreaterThan(4);
    expect(hints.filter(({ text }) => !/\bowner\b/.test(text))).toEqual([]);
  });

  it("are read from every file that is not listed as one for people", () => {
    const unused = FOR_PEOPLE.filter(([pattern]) => !SOURCES.some((file) => pattern.test(file)));
    expect(unused).toEqual([]);
    expect(TEXTS.length).toBeGreaterThan(5_000);
  });
});

describe("the check of a text", () => {
  it.each([
    "Run `market-signal doctor`.",
    'The owner creates keys with "market-signal keys create".',
    "npx market-signal config",
    "npm start",
    "more with --cursor abc",
    "GET /api/v1/health shows which providers respond.",
    "See the example in /docs#a2a.",
    "/openapi.json lists every route.",
    "Connect with ?toolsets=all for more tools.",
  ])("refuses %s", (text) => {
    expect(refusedInModelText(text)).not.toEqual([]);
  });

  it.each([
    "The owner of the server confirms the ticket in the terminal of the server; then call execute_trade.",
    "get_health shows which providers respond.",
    "Filed at https://disclosures.example/docs/2025.pdf",
    "Read market-signal://chart/AAPL/1d",
    "gap-up -- then a reversal",
  ])("accepts %s", (text) => {
    expect(refusedInModelText(text)).toEqual([]);
  });
});
