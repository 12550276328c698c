import type {
  CallToolResult,
  ReadResourceResult,
  Resource,
  Server,
  ServerContext,
} from "@modelcontextprotocol/server";
import type { DashboardFiles } from "../../domain/dashboard-port.ts";
import { withoutFile } from "../../domain/media.ts";
import type { Registry } from "../../kernel/registry.ts";
import type { Tool, ViewCall, ViewDef } from "../../kernel/tool.ts";
import { envelopeCapabilities } from "./choice.ts";
import type { SettingsStore } from "./client-settings.ts";

/** The extension of MCP by which hosts draw views. @see https://modelcontextprotocol.io/extensions/apps */
export const VIEWS_EXTENSION = "io.modelcontextprotocol/ui";
export const VIEW_MIME = "text/html;profile=mcp-app";

/** Key of a result's metadata with the data of a view, if the result has no structured content. */
const DATA_META_KEY = "market-signal/output";
/** Key of a result's metadata with calls of its view that have been made for it. */
const CALLS_META_KEY = "market-signal/calls";

const uriOf = (name: string): string => `ui://market-signal/${name}`;
const pathOf = (name: string): string => `views/${name}.html`;
/** Views load nothing: their data come through the host. */
const RESOURCE_META = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } };

/** Returns the metadata by which hosts find the view of a tool; older ones read the key with a slash. */
export const viewMeta = ({ name }: ViewDef) => ({
  ui: { resourceUri: uriOf(name), visibility: ["model", "app"] },
  "ui/resourceUri": uriOf(name),
});

/** Returns true if the declared capabilities of a client include views. */
export function supportsViews(capabilities: unknown): boolean {
  const { extensions } = (capabilities ?? {}) as { extensions?: Readonly<Record<string, unknown>> };
  const { mimeTypes } = (extensions?.[VIEWS_EXTENSION] ?? {}) as { mimeTypes?: unknown };
  return Array.isArray(mimeTypes) && mimeTypes.includes(VIEW_MIME);
}

/** Returns true if the client of a request draws views; before 2026-07-28 it says so when it connects. */
export const clientShowsViews = (
  ctx: ServerContext,
  server: Pick<Server, "getClientCapabilities">,
  settings: SettingsStore | null,
): boolean =>
  settings?.get().showsViews === true ||
  supportsViews(envelopeCapabilities(ctx) ?? server.getClientCapabilities());

/** Returns true if the results of a tool have data of its view in their metadata: those with a file, or a first call. */
export const hidesViewData = ({ view, output }: Tool): boolean =>
  view !== undefined && ("media" in output.shape || view.firstCall !== undefined);

/** A call of a view with its result. */
export interface MadeCall extends ViewCall {
  readonly output: object;
}

/** Returns a result with the data of its view in the metadata, which hosts do not show to the model. */
export function withViewData(
  result: CallToolResult,
  data: Readonly<Record<string, unknown>>,
  made: MadeCall | null,
): CallToolResult {
  const meta = {
    ...(result.structuredContent === undefined && { [DATA_META_KEY]: withoutFile(data) }),
    ...(made !== null && { [CALLS_META_KEY]: [made] }),
  };
  return Object.keys(meta).length === 0 ? result : { ...result, _meta: { ...result._meta, ...meta } };
}

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
