import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { catalogue } from "../src/app/catalogue.ts";
import { openapiDocument } from "../src/transports/openapi/openapi.ts";
import { type Installation, install } from "./support/installation.ts";
import { lintOpenapi } from "./support/openapi-lint.ts";
import { suiteDir } from "./support/temp-dir.ts";

describe("the product's OpenAPI document", () => {
  const suite = suiteDir();
  let installation: Installation;
  let served: Record<string, any>;
  beforeAll(async () => {
    installation = await install(suite.dir, "sample");
    served = (await (await fetch(`${installation.url}/openapi.json`)).json()) as Record<string, any>;
  });
  afterAll(async () => {
    await installation.stop();
    suite.remove();
  });

  it("passes the linter", async () => {
    expect(await lintOpenapi(served)).toEqual([]);
  }, 60_000);

  it("has an operation for every tool of the catalogue and is readable without a key", () => {
    const ids = Object.values<any>(served.paths).flatMap((path) =>
      Object.values<any>(path).map(({ operationId }) => operationId),
    );
    for (const { name } of Object.values(catalogue)) expect(ids).toContain(name);
    expect(served.openapi).toBe("3.1.0");
  });

  it("is the document that the registry describes", async () => {
    const settings = {
      version: "0.0.0",
      publicUrl: installation.url,
      allowedHosts: [],
      trustProxy: false,
      metricsToken: null,
    };
    expect(served).toEqual(
      JSON.parse(JSON.stringify(await openapiDocument({ registry: installation.app.registry, settings }))),
    );
  });
});
