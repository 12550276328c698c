import { describe, expect, it } from "vitest";
import { catalogue } from "../../../src/app/catalogue.ts";
import { endpointsOf } from "../../../src/transports/http/paths.ts";
import { useInstallation } from "../../support/installation.ts";

const origin = "https://blog.example";
const CORS = [
  "access-control-allow-origin",
  "access-control-allow-methods",
  "access-control-allow-headers",
  "access-control-allow-credentials",
  "access-control-max-age",
  "access-control-expose-headers",
  "cross-origin-resource-policy",
] as const;
const corsOf = ({ headers }: Response) =>
  Object.fromEntries(CORS.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)]] : [])));

const PUBLIC = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "Market-Data, Retry-After, X-Request-Id",
  "cross-origin-resource-policy": "cross-origin",
};

describe("the public demo, called by a page of another origin", () => {
  const installation = useInstallation("sample");
  const send = (path: string, init: RequestInit = {}) =>
    fetch(`${installation.url}${path}`, { ...init, headers: { origin, ...init.headers } });

  it.each(["/api/v1/demo", "/api/v1/demo/"])("is readable at %s, without credentials", async (path) => {
    const answer = await send(path);
    expect(answer.status).toBe(200);
    expect(corsOf(answer)).toEqual(PUBLIC);
    expect(await answer.json()).toMatchObject({ ok: true });
  });

  it("answers a preflight", async () => {
    const answer = await send("/api/v1/demo", {
      method: "OPTIONS",
      headers: { "access-control-request-method": "GET" },
    });
    expect(answer.status).toBe(204);
    expect(corsOf(answer)).toEqual({
      ...PUBLIC,
      "access-control-allow-methods": "GET, HEAD, OPTIONS",
      "access-control-allow-headers": "Accept, Content-Type, X-Request-Id",
      "access-control-max-age": "86400",
    });
  });

  it("shows its failures to the page too", async () => {
    const answer = await send("/api/v1/demo?min_field=1");
    expect(answer.status).toBe(400);
    expect(corsOf(answer)).toEqual(PUBLIC);
  });

  const others = endpointsOf(Object.values(catalogue)).filter(({ tool }) => tool.role !== "demo");
  it.each(others)("$verb $path stays closed", async ({ verb, path }) => {
    for (const method of [verb, "OPTIONS"]) {
      const answer = await send(path.replace(/:\w+/, "AAPL"), { method });
      expect(answer.status).toBe(403);
      expect(corsOf(answer)).toEqual({ "cross-origin-resource-policy": "same-origin" });
    }
  });
});
