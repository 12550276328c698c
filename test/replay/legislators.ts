import { people } from "./tape/disclosed.ts";
import { json, type Vendor } from "./vendor.ts";

const PARTY = { D: "Democrat", R: "Republican", I: "Independent" } as const;
const TYPE = { house: "rep", senate: "sen" } as const;

/** The roster of a Congress that does not exist, in the shape of the project's own. */
export const legislatorsVendor: Vendor = {
  name: "legislators",
  key: null,
  latency: { p50: 60, p95: 200 },
  answer({ path }, world) {
    if (path !== "/congress-legislators/legislators-current.json")
      return { status: 404, body: "404: Not Found" };
    const year = new Date(world.now()).getUTCFullYear();
    return json(
      people().map(({ id, first, last, chamber, state, party }) => ({
        id: { bioguide: id, thomas: "1" },
        name: { first, last, official_full: `${first} ${last}` },
        terms: [
          {
            type: TYPE[chamber],
            start: `${year - 2}-01-03`,
            end: `${year + 2}-01-03`,
            state,
            party: PARTY[party],
          },
        ],
      })),
    );
  },
  limits: [{ status: 429, headers: { "retry-after": "60" }, body: "" }],
  unauthorised: [],
  blocks: [{ status: 200, headers: { "content-type": "text/html" }, body: "<!DOCTYPE html><html></html>" }],
};
