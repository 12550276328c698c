import { describe, expect, it } from "vitest";
import { openapiDocument } from "../../../src/transports/openapi/openapi.ts";
import { docsRoutes } from "../../../src/transports/web/docs.tsx";
import { collectingLog } from "../../support/context.ts";
import { asMember, httpApp, httpServerDeps } from "../../support/http.ts";
import { getTide } from "../../support/http-tools.ts";
import { drawFormat, drawOnRequest, drawPicture, PICTURE } from "../../support/picture-tool.ts";
import { resolvedPaths } from "../../support/resolve-references.ts";

const deps = httpServerDeps([drawPicture, drawOnRequest, drawFormat, getTide]);
const app = httpApp(deps);
const get = (query: string, headers: Record<string, string> = {}, path = "/api/v1/picture/aapl") =>
  app.request(`${path}${query}`, { headers: { ...asMember, ...headers } });
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
const isFile = (answer: Response) => answer.headers.get("content-type") === "image/png";

describe("a response with a file", () => {
  it("is JSON that contains the bytes by default", async () => {
    const answer = await get("");
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("vary")).toBe("Accept, Accept-Encoding");
    expect(answer.headers.has("content-disposition")).toBe(false);
    expect(await answer.json()).toMatchObject({
      symbol: "AAPL",
      media: { mime: "image/png", base64: PICTURE.toString("base64"), alt: "a picture" },
    });
  });

  it("is the file itself with ?format=png, with its own file name", async () => {
    const answer = await get("?format=png&timeframe=4h");
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "image/png",
      "content-disposition": 'inline; filename="draw-picture-AAPL-4h.png"',
      "cache-control": "no-store",
      vary: "Accept, Accept-Encoding",
      ratelimit: expect.any(String),
      "request-id": expect.any(String),
    });
    expect(await bytesOf(answer)).toEqual(PICTURE);
  });

  it.each([
    ["image/png", true],
    ["image/*", true],
    ["IMAGE/PNG", true],
    ["application/json;q=0.5, image/png", true],
    ["image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", true],
    ["image/png;q=0.3, application/json;q=0.3", false],
    ["image/png;q=0.2, */*;q=0.5", false],
    ["image/png;q=0", false],
    ["*/*", false],
    ["application/json", false],
    ["text/html,application/xhtml+xml,image/avif,image/webp,*/*;q=0.8", false],
    ["text/html", false],
    ["garbage;;;q=x", false],
  ])("for Accept: %s is a file: %s", async (accept, expected) => {
    expect(isFile(await get("", { accept }))).toBe(expected);
  });

  it("is drawn for a request of the file, even by a tool that draws only on request", async () => {
    const path = "/api/v1/on-request/AAPL";
    expect(await (await get("", {}, path)).json()).not.toHaveProperty("media");
    expect(await (await get("?picture=true", {}, path)).json()).toHaveProperty("media.mime", "image/png");
    expect(await bytesOf(await get("?format=png", {}, path))).toEqual(PICTURE);
    expect(await bytesOf(await get("", { accept: "image/png" }, path))).toEqual(PICTURE);
    expect(isFile(await get("?format=png&picture=false", {}, path))).toBe(false);
  });

  it("prefers the query parameter over the Accept header", async () => {
    expect(isFile(await get("?format=json", { accept: "image/png" }))).toBe(false);
    expect(isFile(await get("?format=png&format=png", { accept: "application/json" }))).toBe(true);
  });

  it.each(["pdf", "", "PNG", "image/png"])("rejects the format %j and names the choices", async (format) => {
    const answer = await get(`?format=${encodeURIComponent(format)}`, { accept: "image/png" });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([400, "application/problem+json"]);
    expect(await answer.json()).toMatchObject({
      code: "INVALID_INPUT",
      detail: "Invalid format: must be one of json, png",
      hint: "Use format json or png, or the header Accept: image/png.",
      errors: [{ pointer: "/format", detail: "must be one of json, png" }],
    });
  });

  it("rejects two formats at once", async () => {
    expect((await get("?format=png&format=json")).status).toBe(400);
  });

  it("is a JSON problem for failures, regardless of the Accept header", async () => {
    const answer = await get("?timeframe=2d", { accept: "image/png" });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([400, "application/problem+json"]);
    expect(answer.headers.get("vary")).toBe("Accept, Accept-Encoding");
    const nobody = await app.request("/api/v1/picture/aapl?format=pdf");
    expect(nobody.status).toBe(401);
  });

  it("is JSON when the response has no file", async () => {
    expect(await (await get("?format=png&none=true")).json()).toEqual({
      ok: true,
      symbol: "AAPL",
      timeframe: "1d",
    });
  });

  it("has the same headers for HEAD as for GET, without the bytes", async () => {
    const head = await app.request("/api/v1/picture/aapl?format=png", { method: "HEAD", headers: asMember });
    expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([
      200,
      "image/png",
      "",
    ]);
  });

  it("leaves `format` to a tool with an input field of that name", async () => {
    const own = await get("?format=png", {}, "/api/v1/format");
    expect(await own.json()).toMatchObject({ symbol: "png" });
    expect(isFile(await get("?format=wide", { accept: "image/png" }, "/api/v1/format"))).toBe(true);
  });

  it("is counted and logged like any other call", async () => {
    const { log, lines } = collectingLog();
    await httpApp(httpServerDeps([drawPicture], { ports: { log } })).request("/api/v1/picture/a?format=png", {
      headers: asMember,
    });
    expect(lines).toMatchObject([{ fields: { tool: "draw_picture", code: "OK" } }]);
  });
});

it("accepts no format for tools without a file", async () => {
  const answer = await app.request("/api/options-flow/tide?format=json", {
    headers: { authorization: "Bearer key-of-pro" },
  });
  expect(answer.status).toBe(400);
  expect(
    (
      await app.request("/api/options-flow/tide", { headers: { authorization: "Bearer key-of-pro" } })
    ).headers.get("vary"),
  ).toBe("Accept-Encoding");
});

it("documents the file only for tools with a file", async () => {
  const page = await (await docsRoutes(deps).request("/docs")).text();
  const notes = page.match(/Returns the file itself for <code>Accept: image\/png<\/code>[^;]*;/g);
  expect(notes?.map((note) => note.includes("?format=png"))).toEqual([true, true, false]);
});

describe("the OpenAPI document of a response with a file", async () => {
  const document = await openapiDocument(deps);
  const doc = { ...document, paths: resolvedPaths(document) } as any;

  it("lists the file, JSON and the format parameter", () => {
    const { parameters, responses } = doc.paths["/api/v1/picture/{symbol}"].get;
    expect(Object.keys(responses[200].content)).toEqual(["application/json", "image/png"]);
    expect(Object.keys(responses[200].headers)).toEqual(
      expect.arrayContaining(["Content-Disposition", "Vary"]),
    );
    expect(parameters.at(-1)).toMatchObject({
      name: "format",
      in: "query",
      schema: { enum: ["json", "png"] },
    });
    expect(parameters.at(-1)).not.toHaveProperty("required");
    const own = doc.paths["/api/v1/format"].get.parameters.filter(({ name }: any) => name === "format");
    expect(own).toMatchObject([{ description: "Its own word" }]);
    expect(Object.keys(doc.paths["/api/options-flow/tide"].get.responses[200].content)).toEqual([
      "application/json",
    ]);
  });
});
