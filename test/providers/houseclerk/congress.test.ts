import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { houseclerk } from "../../../src/providers/houseclerk/congress.ts";
import { houseclerkVendor } from "../../replay/houseclerk.ts";
import { createWorld } from "../../replay/shared-world.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { plausibleFilings, remembered, request } from "../../support/filings-bench.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { zipOf } from "../../support/zip.ts";
import { signal } from "../requests.ts";

const now = Date.parse("2026-11-19T16:00:00Z");
const world = createWorld({ now: () => now });
const honest = fetchFrom(houseclerkVendor, world);
const truth = world
  .filings()
  .filter(({ member, filed }) => member.chamber === "house" && filed >= "2026-08-10");

/** Bytes are represented as text where responses are corrupted as text. */
const asText = remembered(houseclerkVendor, world);
const fromText =
  (fetch: typeof globalThis.fetch): typeof fetch =>
  async (input, init) => {
    const { body, status, headers } = await fetch(input, init);
    const letters = body?.pipeThrough(new TextDecoderStream());
    const bytes = letters?.pipeThrough(
      new TransformStream<string, Uint8Array>({
        transform: (chunk, out) => out.enqueue(Buffer.from(chunk, "latin1")),
      }),
    );
    return new Response(bytes ?? null, { status, headers });
  };

const LATELY = request({ since: "2026-11-14" });

describeProvider("the Clerk of the House", {
  make: (fetch) => houseclerk({ fetch: fromText(fetch) }),
  honest: asText,
  vendor: houseclerkVendor,
  good: LATELY,
  unsupported: request({ chamber: "senate" }),
  plausible: plausibleFilings(LATELY),
  filled: ({ trades }) => expect(trades.length).toBeGreaterThan(0),
});

describe("the first days of a year", () => {
  const newYear = Date.parse("2027-01-01T06:00:00Z");
  const inJanuary = fetchFrom(houseclerkVendor, createWorld({ now: () => newYear }));

  it("have no list of the House yet: what was filed before is returned, with a note", async () => {
    const range = request({ since: "2026-12-20", until: "2027-01-01" });
    const found = await houseclerk({ fetch: inJanuary }).call(range, { signal });
    expect(found.trades.length).toBeGreaterThan(0);
    expect(found.note).toBe(
      "The House has no list of filings of 2027 yet: nothing has been filed in that year so far",
    );
    const before = request({ since: "2026-12-20", until: "2026-12-31" });
    expect(await houseclerk({ fetch: inJanuary }).call(before, { signal })).not.toHaveProperty("note");
  });
});

describe("reports of the House", () => {
  it("are returned ten at a time, newest first, each once", async () => {
    const known = new Set<string>();
    const trades = new Map<string, string | null>();
    const unread: string[] = [];
    let complete: string | null = null;
    for (let more = true; more; ) {
      const result = await houseclerk({ fetch: honest }).call(request({ known }), { signal });
      for (const docId of result.read) {
        expect(known.has(docId)).toBe(false);
        known.add(docId);
      }
      for (const { id, ticker } of result.trades) trades.set(id, ticker);
      unread.push(
        ...result.unread.map(({ doc_id, why, retryable }) => `${doc_id} ${why.slice(0, 22)} ${retryable}`),
      );
      expect(complete === null || result.completeFrom! < complete).toBe(true);
      complete = result.completeFrom;
      more = result.more;
    }
    expect(complete).toBe("2026-08-10");
    expect([...known]).toEqual(truth.map(({ docId }) => docId));
    const rows = truth.flatMap(({ docId, report, trades: all }) =>
      report === "rows" ? all.map(({ ticker }, i) => [`houseclerk:${docId}:${i}`, ticker]) : [],
    );
    expect([...trades]).toEqual(rows);
    expect(unread).toEqual(
      truth.flatMap(({ docId, report }) =>
        report === "scan"
          ? [`${docId} The report contains no false`]
          : report === "gone"
            ? [`${docId} The report is not (yet true`]
            : [],
      ),
    );
    expect(new Set(truth.map(({ report }) => report)).size, "all kinds of reports").toBe(3);
  });

  it("are complete from the day after the next unread one", async () => {
    const { completeFrom, read } = await houseclerk({ fetch: honest }).call(request(), { signal });
    expect(read).toHaveLength(10);
    const next = new Date(Date.parse(truth[10]!.filed) + 86_400_000).toISOString().slice(0, 10);
    expect(completeFrom).toBe(next);
  });

  it("are returned up to a failed one, which is the next to be read", async () => {
    const failing = truth[3]!.docId;
    const broken: typeof fetch = async (input, init) =>
      String(input).includes(failing) ? new Response("", { status: 503 }) : honest(input, init);
    const { read, more, completeFrom } = await houseclerk({ fetch: broken }).call(request(), { signal });
    expect([read, more]).toEqual([truth.slice(0, 3).map(({ docId }) => docId), true]);
    expect(completeFrom! > truth[3]!.filed).toBe(true);
    const known = new Set(read);
    await expect(houseclerk({ fetch: broken }).call(request({ known }), { signal })).rejects.toMatchObject({
      kind: "down",
    });
  });

  it("require the list of each year, except for a year that has just begun", async () => {
    const seen: string[] = [];
    const gone: typeof fetch = async (input, init) => {
      seen.push(new URL(String(input)).pathname);
      return String(input).includes("2027FD") ? new Response("", { status: 404 }) : honest(input, init);
    };
    const result = await houseclerk({ fetch: gone }).call(request({ until: "2027-01-01" }), { signal });
    expect(seen.slice(0, 2)).toEqual([
      "/public_disc/financial-pdfs/2027FD.zip",
      "/public_disc/financial-pdfs/2026FD.zip",
    ]);
    expect(result.read).toHaveLength(10);
    const none = houseclerk({ fetch: async () => new Response("", { status: 404 }) });
    await expect(none.call(request(), { signal })).rejects.toMatchObject({ kind: "malformed" });
  });
});

describeWithData("reports as recorded", ["fixtures", "congress", "house"], (dir) => {
  const recorded: typeof fetch = async (input) => {
    const { pathname } = new URL(String(input));
    if (pathname.endsWith("FD.zip"))
      return new Response(zipOf("2026FD.xml", readFileSync(join(dir, "2026FD.xml"))));
    const known: Readonly<Record<string, string>> = {
      "20020055": "ptr_typical_single_row",
      "9115811": "ptr_scanned_paper_ptr",
    };
    const name = known[/(\d+)\.pdf$/.exec(pathname)?.[1] ?? ""];
    const file = name === undefined ? ["error_404_ptr_missing.html"] : [name, "input.pdf"];
    return new Response(readFileSync(join(dir, ...file)));
  };
  const source = houseclerk({ fetch: recorded });

  it("are each read, marked as a scan, or marked as missing", async () => {
    const question = request({ since: "2026-05-06", until: "2026-06-12" });
    const all = [];
    const known = new Set<string>();
    for (let more = true; more; ) {
      const result = await source.call({ ...question, known }, { signal });
      for (const docId of result.read) known.add(docId);
      all.push(result);
      more = result.more;
    }
    const trades = all.flatMap((result) => result.trades);
    expect(trades).toMatchObject([
      {
        id: "houseclerk:20020055:0",
        ticker: null,
        asset_type: "other",
        type: "buy",
        owner: "self",
        state: "AK",
        amount: { low: 250_001, high: 500_000 },
        transaction_date: "2026-05-13",
        filing_date: "2026-06-12",
        days_to_file: 30,
        late: false,
        doc_url: "https://disclosures-clerk.house.gov/public_disc/ptr-pdfs/2026/20020055.pdf",
      },
    ]);
    const unread = all.flatMap((result) => result.unread);
    expect(unread.find(({ doc_id }) => doc_id === "9115811")).toMatchObject({
      filing_date: "2026-05-06",
      why: "The report contains no text; it is probably a scan",
      retryable: false,
    });
    expect(unread.length + 1).toBe(known.size);
  });
});
