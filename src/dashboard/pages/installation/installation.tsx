import "./installation.css";
import { isOwner } from "../../api/rights.ts";
import { useStatus } from "../../api/status.ts";
import { OwnerOnly } from "../shared/no-rights.tsx";
import { Backups } from "./backups.tsx";
import { Jobs } from "./jobs.tsx";
import { Keys } from "./keys.tsx";
import { LogTail } from "./log-tail.tsx";
import { Providers } from "./providers.tsx";
import { Runs } from "./runs.tsx";
import { Settings } from "./settings.tsx";

/** What the owner of a server looks after: keys, providers, runs, failed jobs, backups, the log and the settings. */
export default function Installation() {
  const { data } = useStatus();
  return (
    <>
      <header className="page-head">
        <h1 className="page-title">Installation</h1>
        <p className="muted">
          {data === undefined ? "This server" : `Market Signal ${data.version}, market: ${data.market}`}
        </p>
      </header>
      {isOwner() ? (
        <div className="installation">
          <Keys />
          <Providers />
          <Backups />
          <Runs />
          <Jobs />
          <LogTail />
          <Settings />
        </div>
      ) : (
        <OwnerOnly />
      )}
    </>
  );
}
