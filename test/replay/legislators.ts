import { empty, json, page, type Vendor } from "./vendor.ts";

const PARTY = { D: "Democrat", R: "Republican", I: "Independent" } as const;
const TYPE = { house: "rep", senate: "sen" } as const;

/** The roster of the simulated Congress in the format of the unitedstates project. */
export const legislatorsVendor: Vendor = {
  name: "legislators",
  key: null,
  latency: { p50: 60, p95: 200 },
  answer({ path }, world) {
    if (path !== "/congress-legislators/legislators-current.json")
      return { status: 404, body: "404: Not Found" };
    const year = new Date(world.now()).getUTCFullYear();
    const term = { start: `${year - 2}-01-03`, end: `${year + 2}-01-03` };
    return json(
      world.legislators().map(({ id, first, last, chamber, state, party }) => ({
        id: { bioguide: id, thomas: "1" },
        name: { first, last, official_full: `${first} ${last}` },
        terms: [{ type: TYPE[chamber], ...term, state, party: PARTY[party] }],
      })),
    );
  },
  limits: [empty(429, { "retry-after": "60" })],
  unauthorised: [],
  blocks: [page(200)],
};
