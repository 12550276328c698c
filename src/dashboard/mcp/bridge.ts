/** What a host says about itself. */
export interface HostContext {
  readonly theme?: "light" | "dark";
  readonly styles?: { readonly variables?: Readonly<Record<string, string>> };
  readonly toolInfo?: { readonly tool?: { readonly name?: string } };
}

/** The result of a tool, as hosts pass it on. */
export interface ToolResult {
  readonly structuredContent?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
}

interface BridgeHandlers {
  onInput(input: Readonly<Record<string, unknown>>): void;
  onResult(result: ToolResult): void;
  onContext(context: HostContext): void;
}

export interface Bridge {
  readonly context: HostContext;
  /** true if the host lets views call tools. */
  readonly canCall: boolean;
  callTool(name: string, input: object): Promise<ToolResult>;
  openLink(url: string): Promise<void>;
}

interface Message {
  readonly jsonrpc?: string;
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, any>> | null;
  readonly result?: any;
  readonly error?: { readonly message: string };
}

/** @see https://modelcontextprotocol.io/extensions/apps */
const PROTOCOL_VERSION = "2026-01-26";

/** Connects a view to its host: JSON-RPC over postMessage. Rejects if the host refuses. */
export async function connectToHost(
  appInfo: { readonly name: string; readonly version: string },
  handlers: BridgeHandlers,
): Promise<Bridge> {
  const host = window.parent;
  const pending = new Map<number | string, { ok(result: any): void; fail(error: Error): void }>();
  let lastId = 0;
  const send = (message: object) => host.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const request = (method: string, params: object) =>
    new Promise<any>((ok, fail) => {
      const id = ++lastId;
      pending.set(id, { ok, fail });
      send({ id, method, params });
    });

  function receive({ id, method, params: given, result, error }: Message): void {
    const params = given ?? {};
    if (method === undefined) {
      const caller = pending.get(id!);
      pending.delete(id!);
      if (error === undefined) caller?.ok(result);
      else caller?.fail(new Error(error.message));
    } else if (method === "ui/notifications/tool-input") handlers.onInput(params.arguments ?? {});
    else if (method === "ui/notifications/tool-result") handlers.onResult(params as ToolResult);
    else if (method === "ui/notifications/host-context-changed") handlers.onContext(params);
    else if (id !== undefined)
      send(
        method === "ping" || method === "ui/resource-teardown"
          ? { id, result: {} }
          : { id, error: { code: -32601, message: "Method not found" } },
      );
  }

  addEventListener("message", ({ source, data }) => {
    if (source === host && data?.jsonrpc === "2.0") receive(data);
  });
  const initialized = await request("ui/initialize", {
    appInfo,
    appCapabilities: {},
    protocolVersion: PROTOCOL_VERSION,
  });
  const context: HostContext = initialized.hostContext ?? {};
  handlers.onContext(context);
  send({ method: "ui/notifications/initialized", params: {} });
  new ResizeObserver(() => {
    const width = Math.ceil(document.documentElement.scrollWidth);
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    send({ method: "ui/notifications/size-changed", params: { width, height } });
  }).observe(document.body);
  return {
    context,
    canCall: initialized.hostCapabilities?.serverTools !== undefined,
    callTool: (name, input) => request("tools/call", { name, arguments: input }),
    openLink: (url) => request("ui/open-link", { url }),
  };
}
