import { describe, expect, it } from "vitest";
import { createDirectory } from "../../../../src/market/symbols/directory.ts";
import { readMentions } from "../../../../src/market/symbols/mentions/read-mentions.ts";
import { LISTINGS } from "../../../../src/providers/sample/listing.ts";

const symbols = createDirectory({ members: LISTINGS.map(({ instrument }) => instrument) });
const unresolved = (text: string) => readMentions(text, symbols).unresolved.join(", ");

describe("a name that nobody knows, where the whole market could be asked too", () => {
  it.each([
    ["dark pool prints in ZORB", "ZORB"],
    ["dark pool activity of Zorbex", "Zorbex"],
    ["dark pool activity in zorbex today", "zorbex"],
    ["block trades in zorbex", "zorbex"],
    ["options flow of Zorbex", "Zorbex"],
    ["options on Zorbex", "Zorbex"],
    ["open interest of zorbex", "zorbex"],
    ["short interest in Zorbex", "Zorbex"],
    ["insider buying at Zorbex", "Zorbex"],
    ["earnings of ZORB", "ZORB"],
    ["zorbex earnings", "zorbex"],
    ["Zorbex dark pool prints", "Zorbex"],
    ["when does Zorbex report?", "Zorbex"],
    ["did zorbex beat", "zorbex"],
    ["Did Congress buy Zorbex?", "Zorbex"],
    ["did congress buy zorbex", "zorbex"],
    ["who in congress owns ZORB", "ZORB"],
    ["did senators sell any Zorbex shares", "Zorbex"],
    ["congress trades in zorbex", "zorbex"],
    ["Apple news and Zorbex news", "Zorbex"],
    ["options flow of Zorbex and Apple", "Zorbex"],
  ])("is told from words of talk: %s", (question, name) => {
    expect(unresolved(question)).toBe(name);
  });

  it.each([
    "what did congress buy yesterday",
    "what did congress buy in March",
    "what is congress buying most",
    "is congress buying defense",
    "what are whales buying",
    "when do banks report",
    "when does everyone report",
    "who reports tomorrow",
    "upcoming earnings",
    "tech earnings this week",
    "earnings of banks",
    "earnings season",
    "unusual options flow",
    "Heavy options activity",
    "options flow today",
    "options on futures",
    "options for beginners",
    "weekly options",
    "flow of funds",
    "dark pool prints in December",
    "dark pool prints at VWAP",
    "biggest dark pool prints",
    "any Fed news",
    "news on inflation",
    "What Is The Latest Market News",
    "Show Me Unusual Options Flow",
    "is energy a buy",
  ])("is none in: %s", (question) => {
    expect(unresolved(question)).toBe("");
  });
});
