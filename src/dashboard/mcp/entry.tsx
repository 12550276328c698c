import "../theme/tokens.css";
import "../views/view.css";
import "./host.css";
import { type ComponentType, useEffect, useMemo, useState } from "react";
import { createRoot } from "react-dom/client";
import type { Call } from "../api/tools.ts";
import { Boundary } from "../views/boundary.tsx";
import type { ViewProps } from "../views/view.ts";
import { type Bridge, connectToHost, type ToolResult } from "./bridge.ts";
import { applyHostStyle } from "./host-style.ts";

const UNDRAWN = "This answer cannot be drawn.";

/** Draws a view inside a chat: its host passes on the answer of the tool, and calls others for it. */
export function mountView(name: string, View: ComponentType<ViewProps<any>>): void {
  createRoot(document.getElementById("root")!).render(<HostedView name={name} View={View} />);
}

interface Answer {
  readonly result: ToolResult | null;
  /** Number of results so far. */
  readonly count: number;
}

function HostedView({ name, View }: { readonly name: string; readonly View: ComponentType<ViewProps<any>> }) {
  const [bridge, setBridge] = useState<Bridge | null>(null);
  const [{ result, count }, setAnswer] = useState<Answer>({ result: null, count: 0 });
  useEffect(() => {
    const onResult = (next: ToolResult) => setAnswer((last) => ({ result: next, count: last.count + 1 }));
    const info = { name: `market-signal/${name}`, version: "1" };
    const handlers = { onInput: () => {}, onResult, onContext: applyHostStyle };
    connectToHost(info, handlers).then(setBridge, () => setBridge(null));
  }, [name]);
  const call = useMemo(() => callOver(bridge, result), [bridge, result]);
  if (result === null) return <p className="view muted">Waiting for the answer…</p>;
  const output = outputOf(result);
  if (output === undefined)
    return <p className="view">{textOf(result) || "This answer has no data for the view."}</p>;
  return (
    <Boundary key={count} fallback={<p className="view">{textOf(result) || UNDRAWN}</p>}>
      <View output={output} call={call} />
    </Boundary>
  );
}

/** Calls that the server has made for the view of a result. */
type MadeCalls = readonly { readonly name: string; readonly input: object; readonly output: unknown }[];

/** Returns the calls of a view: those that came with its result, others over its host. Null if there are none. */
function callOver(bridge: Bridge | null, answer: ToolResult | null): Call | null {
  const made = (answer?._meta?.["market-signal/calls"] ?? []) as MadeCalls;
  const host = bridge?.canCall === true ? bridge : null;
  if (host === null && made.length === 0) return null;
  return (async (name: string, input: object) => {
    const key = JSON.stringify(input);
    const known = made.find((call) => call.name === name && JSON.stringify(call.input) === key);
    if (known !== undefined) return known.output;
    if (host === null) throw new Error("This host does not let views load data");
    const result = await host.callTool(name, input);
    const output = outputOf(result);
    if (output === undefined) throw new Error(textOf(result) || "The call returned no data");
    return output;
  }) as Call;
}

/** Returns the data of a result, which a result with a file has in its metadata; undefined after an error. */
const outputOf = ({ isError, structuredContent, _meta }: ToolResult): unknown =>
  isError === true ? undefined : (structuredContent ?? _meta?.["market-signal/output"]);

const textOf = ({ content }: ToolResult): string =>
  Array.isArray(content) ? content.flatMap((part) => part?.text ?? []).join("\n") : "";
