// A host of MCP Apps as the official library builds it: bundled for a browser by the tests of views in chats.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  AppBridge,
  getToolUiResourceUri,
  PostMessageTransport,
  RESOURCE_MIME_TYPE,
} from "@modelcontextprotocol/ext-apps/app-bridge";

const READY = "ui/notifications/sandbox-proxy-ready";
const INFO = { name: "test-host", version: "1" };
let client;
let bridge;
const seen = { calls: [], answers: 0, sizes: [], logs: [] };

/** Connects to an MCP server with a key. Returns its tools and resources. */
async function connect(url, key, showsViews = true) {
  const extensions = { "io.modelcontextprotocol/ui": { mimeTypes: [RESOURCE_MIME_TYPE] } };
  client = new Client(INFO, { capabilities: showsViews ? { extensions } : {} });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  const { tools } = await client.listTools();
  const { resources } = await client.listResources();
  return { tools: tools.map((tool) => ({ ...tool, uri: getToolUiResourceUri(tool) ?? null })), resources };
}

const read = async (uri) => (await client.readResource({ uri })).contents;
const callTool = (name, args) => client.callTool({ name, arguments: args }, { timeout: 120_000 });

/** Opens a view in the sandbox of another origin, and passes a result on to it. */
async function open({
  html,
  sandbox,
  context,
  capabilities = { serverTools: {}, openLinks: {} },
  input,
  result,
}) {
  Object.assign(seen, { calls: [], answers: 0, sizes: [], logs: [] });
  document.querySelector("iframe")?.remove();
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts allow-same-origin allow-forms");
  frame.style.cssText = "border:0;width:100%;height:200px;display:block";
  const ready = new Promise((resolve) => {
    addEventListener("message", function listen({ source, data }) {
      if (source !== frame.contentWindow || data?.method !== READY) return;
      removeEventListener("message", listen);
      resolve();
    });
  });
  frame.src = sandbox;
  document.body.append(frame);
  await ready;
  bridge = new AppBridge(null, INFO, capabilities, { hostContext: context });
  if (capabilities.serverTools !== undefined)
    bridge.oncalltool = async (params) => {
      seen.calls.push(params);
      const answer =
        client === undefined
          ? { content: [], structuredContent: {} }
          : await callTool(params.name, params.arguments);
      seen.answers += 1;
      return answer;
    };
  bridge.onsizechange = ({ height }) => {
    seen.sizes.push(height);
    if (height) frame.style.height = `${height}px`;
  };
  bridge.onopenlink = async (params) => {
    seen.logs.push(params);
    return {};
  };
  const initialized = new Promise((resolve) => {
    bridge.oninitialized = resolve;
  });
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  await bridge.sendSandboxResourceReady({ html });
  await initialized;
  await bridge.sendToolInput({ arguments: input ?? {} });
  if (result !== undefined) await bridge.sendToolResult(result);
}

Object.assign(globalThis, {
  host: {
    seen,
    connect,
    read,
    callTool,
    open,
    sendResult: (result) => bridge.sendToolResult(result),
    setContext: (context) => bridge.setHostContext(context),
    teardown: () => bridge.teardownResource({}),
    ping: () => bridge.request({ method: "ping" }),
    app: () => bridge.getAppVersion(),
  },
});
