import { GRADES } from "../../../src/analytics/score/grade.ts";
import { COUNTED, type Rates, type Verdicts } from "./rates.ts";
import { tableOf } from "./report.ts";

/** Rates measured once with the definitions, per 1,000 bars. */
const BASE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Spring after a decline": {
    "US files": "1.53",
    "shuffled returns": "1.67",
    "random walk": "2.4-2.6",
    "crypto files": "2.59",
  },
  "Spring in any context": {
    "US files": "9.35",
    "shuffled returns": "7.83",
    "random walk": "9.7-10.2",
    "crypto files": "7.07",
  },
  "UTAD after an advance": {
    "US files": "3.05",
    "shuffled returns": "2.91",
    "random walk": "2.4-2.7",
    "crypto files": "1.98",
  },
  LPS: { "US files": "0.84", "shuffled returns": "0.79", "random walk": "0.43-0.62", "crypto files": "0.53" },
};

/** Events per 1,000 bars of each market: detector, oracle, base rate. */
export function ratesText(markets: Readonly<Record<string, Rates>>): string {
  const names = Object.keys(markets);
  const rate = (count: number, { bars }: Rates) => ((1000 * count) / bars).toFixed(2);
  const rows = Object.keys(COUNTED).map((event) => [
    event,
    ...Object.entries(markets).map(([name, rates]) => {
      const detected = event.endsWith("any context") ? "-" : rate(rates.detector[event]!, rates);
      return `${detected} / ${rate(rates.oracle[event]!, rates)} / ${BASE[event]?.[name] ?? "-"}`;
    }),
  ]);
  const own = (name: string, value: (rates: Rates) => string) => [
    name,
    ...names.map((market) => value(markets[market]!)),
  ];
  return [
    "## Events per 1,000 bars",
    "Detector / oracle / base rate. Detectors report Springs and UTADs only after a decline or an advance. Geometry alone is as common in noise. Events of one type less than 5 bars apart are one: of two, the detector keeps the one known first, so that nothing said is taken back, and the oracle the earlier bar; they part there, and in what follows from it.",
    tableOf(
      ["", ...names],
      [
        own("bars", ({ bars }) => `${bars}`),
        ...rows,
        own("SC and BC", (rates) => rate(rates.climaxes, rates)),
        own("whole impulses detected", (rates) => rate(rates.impulses, rates)),
        own("bars with a count of waves", ({ counted }) => `${(100 * counted).toFixed(1)}%`),
        own("events of the same bars by both", ({ same }) => `${same}`),
        own("by the detector alone", ({ detectorAlone }) => `${detectorAlone}`),
        own("by the oracle alone", ({ oracleAlone }) => `${oracleAlone}`),
        own("of these next to one of the other's", ({ nearby }) => `${nearby}`),
      ],
    ),
  ].join("\n\n");
}

/** How often the consensus takes a side, and the distribution of its grades. */
export function verdictsText(markets: Readonly<Record<string, Verdicts>>): string {
  const own = (name: string, value: (verdicts: Verdicts) => number) => [
    name,
    ...Object.values(markets).map(
      (verdicts) => `${((100 * value(verdicts)) / verdicts.decisions).toFixed(1)}%`,
    ),
  ];
  return [
    "## Directions and grades",
    "The consensus of 500 bars up to the decision, from prices and volume alone: every 200th bar of made-up series, every 20th of files.",
    tableOf(
      ["", ...Object.keys(markets)],
      [
        ["decisions", ...Object.values(markets).map(({ decisions }) => `${decisions}`)],
        own("LONG", ({ long }) => long),
        own("SHORT", ({ short }) => short),
        own("LONG or SHORT", ({ long, short }) => long + short),
        ...GRADES.map((grade) => own(grade, ({ grades }) => grades[grade])),
      ],
    ),
  ].join("\n\n");
}
