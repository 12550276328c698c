import "../sections.css";
import type { Output } from "../../api/tools.ts";
import { Dial } from "../../charts/dial.tsx";
import { LineChart } from "../../charts/line-chart.tsx";
import { ShareScale } from "../../charts/share-scale.tsx";
import { DataTable } from "../data-table.tsx";
import { dayText, fixed, momentText, plainName } from "../format.ts";
import { MarketLabel, Rows } from "../parts.tsx";
import type { ViewProps } from "../view.ts";
import { partText } from "./part-text.ts";

type SignalIndex = Output<"get_signal_index">;
type ServiceIndex = Output<"get_service_index">;
type IndexOutput = SignalIndex | ServiceIndex;

/** An index of the market as a dial, with its parts and history. */
export function View({
  output,
}: Omit<ViewProps<"get_signal_index">, "output"> & { readonly output: IndexOutput }) {
  const { value, parts, market, notes = [], stale_notes = [] } = output;
  const isDaily = "band" in output;
  const name = isDaily ? "Signal Index" : "Service Index";
  const word = isDaily ? (output.band ?? "no value") : wordOf(value);
  return (
    <article className="view">
      <header className="view-head">
        <h2>{name}</h2>
        <span className="muted num">
          {isDaily ? `close of ${dayText(output.as_of)}` : `computed ${momentText(output.computed_at)}`}
        </span>
        <MarketLabel source={market} />
      </header>
      {stale_notes.map((note) => (
        <p className="note warn" key={note}>
          ◆ {note}
        </p>
      ))}
      <div className="dial-row">
        <div className="dial-box">
          <Dial
            value={value}
            label={`${name}: ${value === null ? "no value" : `${fixed(value, 0)} of 100, ${word}`}`}
          />
          <p className="dial-value">
            <b className="num">{fixed(value, 1)}</b> <span>{word}</span>
          </p>
        </div>
        <Rows label="Parts of the index">
          <table>
            <thead>
              <tr>
                <th scope="col">Part</th>
                <th scope="col">Value</th>
                <td className="wide" />
              </tr>
            </thead>
            <tbody>
              {parts.map((part) => (
                <tr key={part.part}>
                  <th scope="row">
                    {plainName(part.part)}
                    <small className="muted">{part.value === null ? part.reason : partText(part)}</small>
                  </th>
                  <td>
                    <b>{fixed(part.value, 0)}</b>
                  </td>
                  <td className="wide">
                    <ShareScale share={part.value === null ? null : part.value / 100} base={0.5} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Rows>
      </div>
      {isDaily && <History index={output} />}
      <p className="note muted num">{isDaily ? runText(output) : quotesText(output)}</p>
      {notes.map((note) => (
        <p className="note muted" key={note}>
          {note}
        </p>
      ))}
    </article>
  );
}

function History({ index: { history, as_of } }: { readonly index: SignalIndex }) {
  const points = history.flatMap((value, index) =>
    value === null ? [] : { x: index + 1 - history.length, y: value },
  );
  if (points.length < 2) return null;
  const nameOf = (x: number) => (x === 0 ? dayText(as_of) : `${-x} sessions earlier`);
  const first = points[0]!.x;
  return (
    <section>
      <h3>The last {history.length} sessions</h3>
      <LineChart
        label="Signal Index by session; the table below has its data"
        height={150}
        lines={[{ name: "Index", tone: "accent", points }]}
        levels={[{ y: 50, text: "neutral", tone: "flat" }]}
        ticks={[first, Math.round(first / 2), 0].map((x) => ({ x, text: nameOf(x) }))}
        format={(value) => fixed(value, 0)}
        formatX={nameOf}
      />
      <DataTable
        caption="History"
        columns={["Session", "Index"]}
        rows={points.toReversed().map(({ x, y }) => [nameOf(x), fixed(y, 1)])}
      />
    </section>
  );
}

const wordOf = (value: number | null): string =>
  value === null ? "no value" : value < 45 ? "weak" : value > 55 ? "strong" : "neutral";

const runText = ({ run }: SignalIndex): string =>
  `${run.computed} of ${run.members} members of ${run.universe}; 100 is extreme greed. ${run.runAt === null ? "The run is in progress" : `The run ended ${momentText(run.runAt)}`}.`;

const quotesText = ({ quotes }: ServiceIndex): string =>
  `${quotes.received} of ${quotes.requested} members have a current price; ${quotes.closed} signals are past their stop or target and count as neutral.`;
