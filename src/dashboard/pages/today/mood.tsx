import { Modal, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { slowly } from "../../api/repeat.ts";
import { Dial } from "../../charts/dial.tsx";
import { View } from "../../views/dial/dial.tsx";
import { barDay, fixed } from "../../views/format.ts";

/** The Signal Index as a small dial, which opens its parts and history. */
export function Mood({ isRunFinished }: { readonly isRunFinished: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const { data, error } = useQuery({
    ...slowly,
    queryKey: ["signal-index"],
    enabled: isRunFinished,
    queryFn: () => call("get_signal_index", {}),
  });
  if (data === undefined)
    return (
      <div className="tile">
        <span className="tile-name">Signal Index</span>
        {error === null ? (
          <>
            <Skeleton width={90} height={18} />
            <span className="muted tile-note">{!isRunFinished && "after the nightly run"}</span>
          </>
        ) : (
          <span className="muted tile-note">{error.message}</span>
        )}
      </div>
    );
  const band = data.band?.replaceAll("_", " ") ?? "too few parts";
  return (
    <div className="tile mood">
      <div>
        <span className="tile-name">Signal Index</span>
        <b className="num">
          {fixed(data.value, 0)} <span className="tile-unit">{band}</span>
        </b>
        <span className="muted num">close of {barDay(data.as_of)}</span>
        <button type="button" className="more" onClick={() => setOpen(true)}>
          Parts and history
        </button>
      </div>
      <Dial value={data.value} label={`Signal Index: ${fixed(data.value, 0)} of 100, ${band}`} />
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title="Parts and history of the index"
        size="xl"
        lockScroll={false}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <View output={data} call={call} />
      </Modal>
    </div>
  );
}
