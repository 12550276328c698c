import type { ReadResourceResult, Resource } from "@modelcontextprotocol/server";
import type { DashboardFiles } from "../../domain/dashboard-port.ts";
import type { Registry } from "../../kernel/registry.ts";
import type { ViewDef } from "../../kernel/tool.ts";

/** The extension of MCP by which hosts draw views. @see https://modelcontextprotocol.io/extensions/apps */
export const VIEWS_EXTENSION = "io.modelcontextprotocol/ui";
export const VIEW_MIME = "text/html;profile=mcp-app";

const uriOf = (name: string): string => `ui://market-signal/${name}`;
const pathOf = (name: string): string => `views/${name}.html`;
/** Views load nothing: their data come through the host. */
const RESOURCE_META = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } };

/** Returns the metadata by which hosts find the view of a tool; older ones read the key with a slash. */
export const viewMeta = ({ name }: ViewDef) => ({
  ui: { resourceUri: uriOf(name), visibility: ["model", "app"] },
  "ui/resourceUri": uriOf(name),
});

/** Returns the names of the views that the tools of this server name and that are built. */
function viewNames({ tools }: Pick<Registry, "tools">, files: DashboardFiles | undefined): readonly string[] {
  const built = new Set(files?.paths());
  const names = new Set(tools.flatMap(({ view }) => view?.name ?? []));
  return [...names].filter((name) => built.has(pathOf(name))).sort();
}

/** Returns the views as resources. */
export const viewResources = (
  registry: Pick<Registry, "tools">,
  files: DashboardFiles | undefined,
): readonly Resource[] =>
  viewNames(registry, files).map((name) => ({
    uri: uriOf(name),
    name: `view-${name}`,
    title: `View: ${name.replaceAll("-", " ")}`,
    description: "Page that a host shows beside the answer of a tool.",
    mimeType: VIEW_MIME,
    _meta: RESOURCE_META,
  }));

/** Reads the view with this URI; null for any other URI. */
export function readView(
  uri: string,
  registry: Pick<Registry, "tools">,
  files: DashboardFiles | undefined,
): ReadResourceResult | null {
  const name = viewNames(registry, files).find((each) => uriOf(each) === uri);
  if (name === undefined) return null;
  const text = files!.read(pathOf(name)).toString("utf8");
  return { contents: [{ uri, mimeType: VIEW_MIME, text, _meta: RESOURCE_META }] };
}
