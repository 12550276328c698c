import { describe, expect, it } from "vitest";
import { Grade } from "../../../../src/domain/signal/signal.ts";
import { WYCKOFF_PHASES } from "../../../../src/domain/signal/structure.ts";
import { unservedIn } from "../../../../src/features/requests/details/criteria.ts";
import { filtersIn } from "../../../../src/features/requests/details/filters.ts";
import { SECTOR_NAMES } from "../../../../src/features/requests/details/sectors.ts";
import { topicsOf } from "../../../../src/features/requests/details/topics.ts";

const but = <Value>(all: readonly Value[], one: Value) => all.filter((value) => value !== one);
const sectorsBut = (sector: string) => but(SECTOR_NAMES, sector);

describe("the filters of a list", () => {
  it.each([
    ["stocks to avoid", { sort: "score_asc", asset_class: "equity" }],
    ["bottom three stocks", { sort: "score_asc", asset_class: "equity" }],
    ["stocks with a score over 80", { min_score: 80, asset_class: "equity" }],
    ["all A+ longs", { grade: "A+", bias: "LONG" }],
    ["stocks graded b-", { grade: "B-", asset_class: "equity" }],
    ["stage 2 stocks in accumulation", { phase: "Accumulation", stage: 2, asset_class: "equity" }],
    ["best stocks, no crypto", { asset_class: "equity" }],
    ["crypto stocks", { asset_class: "equity" }],
    ["stocks and ETFs", { asset_class: ["equity", "etf"] }],
    ["stocks or coins", { asset_class: ["equity", "crypto"] }],
    ["best large caps", { asset_class: "equity" }],
  ])("are passed to the screen that has them: %s", (query, filters) => {
    expect(topicsOf(query).filters).toEqual(filters);
  });

  it.each<[string, object, readonly string[]]>([
    ["stocks not in tech", { asset_class: "equity", sector: sectorsBut("Information Technology") }, []],
    ["all stocks except energy", { asset_class: "equity", sector: sectorsBut("Energy") }, []],
    [
      "stocks other than banks",
      { asset_class: "equity", sector: sectorsBut("Financials") },
      ["an industry within a sector"],
    ],
    ["stocks outside of health care", { asset_class: "equity", sector: sectorsBut("Health Care") }, []],
    ["everything but utilities", { asset_class: "equity", sector: sectorsBut("Utilities") }, []],
    [
      "best stocks, no oil or gas",
      { asset_class: "equity", sector: sectorsBut("Energy") },
      ["an industry within a sector"],
    ],
    ["non-tech stocks", { asset_class: "equity", sector: sectorsBut("Information Technology") }, []],
    [
      "top stocks, tech excluded",
      { asset_class: "equity", sector: sectorsBut("Information Technology") },
      [],
    ],
    ["strongest stocks, avoiding energy", { asset_class: "equity", sector: sectorsBut("Energy") }, []],
    [
      "stocks that aren't in the tech sector",
      { asset_class: "equity", sector: sectorsBut("Information Technology") },
      [],
    ],
    ["energy stocks, not tech", { asset_class: "equity", sector: "Energy" }, []],
    ["tech stocks but not software", { asset_class: "equity" }, ["an industry within a sector"]],
    ["stocks that are not LONG", { asset_class: "equity", bias: ["SHORT", "WAIT"], sort: "score_asc" }, []],
    ["coins that aren't bearish", { asset_class: "crypto", bias: ["LONG", "WAIT"] }, []],
    ["stocks I should not buy", { asset_class: "equity", sort: "score_asc" }, []],
    ["stocks not in stage 2", { asset_class: "equity", stage: [1, 3, 4] }, []],
    ["stocks not rated A", { asset_class: "equity", grade: but(Grade.options, "A") }, []],
    ["stocks without an A+ grade", { asset_class: "equity", grade: but(Grade.options, "A+") }, []],
    ["stocks not graded b-", { asset_class: "equity", grade: but(Grade.options, "B-") }, []],
    ["stocks not in accumulation", { asset_class: "equity", phase: but(WYCKOFF_PHASES, "Accumulation") }, []],
    ["best ideas except crypto", { asset_class: ["equity", "etf"] }, []],
    ["stocks not in stage 2 or 3", { asset_class: "equity", stage: [1, 4] }, []],
    ["stocks without crypto and utilities", { asset_class: "equity", sector: sectorsBut("Utilities") }, []],
    ["all sectors but energy", { asset_class: "equity", sector: sectorsBut("Energy") }, []],
    ["neither hot nor watch", { tier: "NEUTRAL" }, []],
    ["stocks not in stage 2-3", { asset_class: "equity" }, ["a range of stages"]],
    ["not grade F or better", { grade: but(Grade.options, "F") }, ["a range of grades"]],
    ["tech stocks without tech", { asset_class: "equity" }, ["a value that is both wanted and excluded"]],
    [
      "crypto and stocks except energy",
      { asset_class: ["equity", "crypto"], sector: sectorsBut("Energy") },
      ["a sector together with crypto or funds"],
    ],
    ["stocks not scored above 70", { asset_class: "equity", sort: "score_asc" }, ["a maximum score"]],
    ["score above 60 but not above 80", { sort: "score_asc" }, ["a maximum score"]],
  ])("are all other values for exclusions: %s", (query, filters, unserved) => {
    const { filters: found, unserved: told, rest } = filtersIn(query);
    expect({ filters: found, unserved: [...told, ...unservedIn(rest)] }).toEqual({ filters, unserved });
  });

  it.each<[string, object, readonly string[]]>([
    ["energy or utilities stocks", { asset_class: "equity", sector: ["Energy", "Utilities"] }, []],
    [
      "tech and health care stocks",
      { asset_class: "equity", sector: ["Information Technology", "Health Care"] },
      [],
    ],
    ["stocks in stage 1 or 4", { asset_class: "equity", stage: [1, 4] }, []],
    ["stocks in stage 2 or above", { asset_class: "equity" }, ["a range of stages"]],
    ["stages 1 through 3", {}, ["a range of stages"]],
    ["stage 5 or 2 stocks", { asset_class: "equity", stage: 2 }, ["a stage other than 1 to 4"]],
    [
      "crypto and energy stocks",
      { asset_class: ["equity", "crypto"], sector: "Energy" },
      ["a sector together with crypto or funds"],
    ],
    ["stage two stocks", { asset_class: "equity", stage: 2 }, []],
    ["stage 7 stocks", { asset_class: "equity" }, ["a stage other than 1 to 4"]],
    ["hot or warm stocks", { asset_class: "equity", tier: ["HOT", "WATCH"] }, []],
    ["phase B stocks", { asset_class: "equity" }, ["a phase by letter or number"]],
    ["Wyckoff phase C stocks", { asset_class: "equity" }, ["a phase by letter or number"]],
    ["stocks in phases A or B", { asset_class: "equity" }, ["a phase by letter or number"]],
    ["stocks in phase 3", { asset_class: "equity" }, ["a phase by letter or number"]],
    ["phase a stocks", { asset_class: "equity" }, []],
    ["B stocks in phase B or C", { asset_class: "equity", grade: "B" }, ["a phase by letter or number"]],
    ["A or A+ stocks", { asset_class: "equity", grade: ["A+", "A"] }, []],
    ["stocks with grade B+ and above", { asset_class: "equity" }, ["a range of grades"]],
    ["stocks graded b or better", { asset_class: "equity" }, ["a range of grades"]],
    ["coins with at least a B grade", { asset_class: "crypto" }, ["a range of grades"]],
    ["stocks between grade C and B", { asset_class: "equity" }, ["a range of grades"]],
    [
      "stocks in accumulation with B+ or better",
      { asset_class: "equity", phase: "Accumulation" },
      ["a range of grades"],
    ],
    ["stocks in accumulation or markup", { asset_class: "equity", phase: ["Accumulation", "Markup"] }, []],
    ["long and short stocks", { asset_class: "equity", bias: ["LONG", "SHORT"] }, []],
    ["F stocks", { asset_class: "equity", grade: "F" }, []],
    ["stocks rated a buy", { asset_class: "equity", bias: "LONG" }, []],
    ["coins with grade A plus", { asset_class: "crypto", grade: "A+" }, []],
  ])("may be several values, but no range: %s", (query, filters, unserved) => {
    const { filters: found, unserved: told, rest } = filtersIn(query);
    expect({ filters: found, unserved: [...told, ...unservedIn(rest)] }).toEqual({ filters, unserved });
  });

  it.each<[string, object, readonly string[]]>([
    ["bullish crypto", { asset_class: "crypto", bias: "LONG" }, []],
    ["most bullish stocks", { asset_class: "equity" }, []],
    ["least bullish stocks", { asset_class: "equity", sort: "score_asc" }, []],
    ["WAIT stocks", { asset_class: "equity", bias: "WAIT" }, []],
    ["long-term stocks", { asset_class: "equity" }, ["a span of time"]],
    ["a short list of stocks", { asset_class: "equity" }, []],
    ["Short squeeze candidates", {}, ["short interest"]],
    [
      "worst 3 banks",
      { asset_class: "equity", sector: "Financials", sort: "score_asc" },
      ["an industry within a sector"],
    ],
    ["best blue chips", { asset_class: "equity" }, ["size"]],
    ["stocks in an uptrend", { asset_class: "equity" }, ["a trend"]],
    ["which sectors are strongest", {}, ["a ranking of sectors"]],
    [
      "stocks that just turned bullish",
      { asset_class: "equity", bias: "LONG" },
      ["a change since an earlier run"],
    ],
    ["worst stocks to buy", { asset_class: "equity", sort: "score_asc" }, []],
    ["not sure which tech stocks to buy", { asset_class: "equity", sector: "Information Technology" }, []],
    ["not only tech stocks", { asset_class: "equity", sector: "Information Technology" }, []],
  ])("depend on the neighboring words: %s", (query, filters, unserved) => {
    const { filters: found, unserved: told, rest } = filtersIn(query);
    expect({ filters: found, unserved: [...told, ...unservedIn(rest)] }).toEqual({ filters, unserved });
  });

  it.each([
    ["oil stocks to buy", "LONG"],
    ["stocks to sell", "SHORT"],
    ["best stocks", null],
    ["long stocks to buy", null],
  ])("include the wanted direction: %s", (query, wants) => {
    expect(filtersIn(query).wants).toBe(wants);
  });
});
