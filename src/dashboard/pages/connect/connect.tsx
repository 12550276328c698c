import "./connect.css";
import { Card } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { requestOf } from "../../../client/request.ts";
import { ROUTES } from "../../../client/tools.ts";
import { clientSetup } from "../../../transports/connect.ts";
import { call } from "../../api/client.ts";
import { ClientSettings } from "./client-settings.tsx";
import { ConnectionStatus } from "./connection-status.tsx";
import { Hosted } from "./hosted.tsx";
import { OtherWays, Widget } from "./other-ways.tsx";
import { Toolsets, toolsetsIn } from "./toolsets.tsx";
import { YourKey } from "./your-key.tsx";

/** Connects assistants, editors and programs, and shows their first call. */
export default function Connect() {
  const [key, setKey] = useState<string | null>(null);
  const [toolsets, setToolsets] = useState<readonly string[]>([]);
  const demo = useQuery({ queryKey: ["demo"], queryFn: () => call("get_demo", {}) });
  const symbol = demo.data?.symbol;
  const setup = clientSetup({
    url: location.origin,
    example: symbol === undefined ? "/openapi.json" : requestOf("", ROUTES.get_signal ?? "", { symbol }).url,
    key,
    toolsets: toolsetsIn(toolsets),
  });
  return (
    <div className="connect">
      <header className="page-head">
        <h1 className="page-title">Connect</h1>
        <p className="muted">
          One server, the same figures in an assistant, an editor, a program and a shell.
        </p>
      </header>
      <ConnectionStatus />
      <div className="connect-columns">
        <div className="stack">
          <Card withBorder>
            <h2 className="card-title">
              <span className="step">1</span> A key
            </h2>
            <YourKey onCreate={setKey} />
          </Card>
          <Card withBorder>
            <h2 className="card-title">
              <span className="step">2</span> Tools to list
            </h2>
            <Toolsets selected={toolsets} onChange={setToolsets} />
          </Card>
          <Hosted mcp={setup.mcp} />
          <Widget symbol={symbol ?? null} />
        </div>
        <div className="stack">
          <Card withBorder>
            <h2 className="card-title">
              <span className="step">3</span> The client
            </h2>
            <ClientSettings setup={setup} secret={key} toolsets={toolsetsIn(toolsets)} />
          </Card>
          <OtherWays setup={setup} />
        </div>
      </div>
    </div>
  );
}
