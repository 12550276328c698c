import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  nearestPathOf,
  pathFields,
  pathOf,
  pathTable,
  queryFields,
} from "../../../src/transports/http/paths.ts";
import { HTTP_TOOLS } from "../../support/http-tools.ts";

it("orders literal segments before parameters, and symbol paths before currency-pair paths", () => {
  const rows = pathTable(HTTP_TOOLS).map(
    ({ path, endpoints }) =>
      `${endpoints.map(({ verb, tool }) => `${verb} ${tool.name}`).join(", ")} ${path}`,
  );
  expect(rows).toEqual([
    "GET get_echo /api/echo",
    "GET get_prints /api/options-flow/darkpool/:symbol",
    "GET get_prints /api/options-flow/darkpool/:symbol/:quote",
    "GET get_tide /api/options-flow/tide",
    "GET get_flow /api/options-flow/:symbol",
    "GET get_flow /api/options-flow/:symbol/:quote",
    "GET get_echo /api/v1/echo/:symbol",
    "GET get_echo /api/v1/echo/:symbol/:quote",
    "GET get_failure /api/v1/failure/:code",
    "GET get_failure /api/v1/failure/:code/:quote",
    "GET get_health /api/v1/health",
    "PUT save_note, DELETE drop_note /api/v1/notes/:id",
    "PUT save_note, DELETE drop_note /api/v1/notes/:id/:quote",
    "POST run_scan /api/v1/scan",
  ]);
});

it.each([
  ["http://a/b/c", "/b/c"],
  ["http://a:1/b/c/?d=/e", "/b/c"],
  ["http://a/b%2Fc#d", "/b%2Fc"],
  ["http://a/", "/"],
])("reads the path of %s as %s", (url, path) => {
  expect(pathOf(url)).toBe(path);
});

describe("percent-encoded text", () => {
  const text = fc.string({ unit: "grapheme", minLength: 1 });

  it("round-trips through a path", () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const url = `http://h/x/${encodeURIComponent(a)}/y/${encodeURIComponent(b)}?q`;
        expect(pathFields("/x/:a/y/:b", url)).toEqual({ a, b });
      }),
    );
  });

  it("round-trips through a query", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, fc.string({ unit: "grapheme" }))), (fields) => {
        const found = [...queryFields(`http://h/x?${new URLSearchParams(fields)}`)];
        const flat = found.flatMap(([name, values]) => values.map((value) => [name, value]));
        expect(flat.sort()).toEqual([...fields].sort());
      }),
    );
  });
});

it.each([
  ["/api/v1/qoute/AAPL", "/api/v1/quote/:symbol"],
  ["/api/v1/signals", "/api/v1/signals/:symbol"],
  ["/api/v1/signal/AAPL", "/api/v1/signals/:symbol"],
  ["/api/v1/signal", "/api/v1/signal"],
  ["/api/options-flow", "/api/options-flow/:symbol"],
  ["/wp-admin/setup.php", null],
  ["/", null],
])("finds the path nearest to %s: %s", (path, nearest) => {
  const known = [
    "/api/v1/quote/:symbol",
    "/api/v1/signal",
    "/api/v1/signals/:symbol",
    "/api/options-flow/:symbol",
  ];
  expect(nearestPathOf(known)(path)).toBe(nearest);
  expect(nearestPathOf([])(path)).toBeNull();
});
