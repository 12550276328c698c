import { Card, SegmentedControl, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { View } from "../../views/signal/signal.tsx";
import { CopyAs } from "../shared/copy-as.tsx";
import { Failure } from "../shared/failure.tsx";

const TIMEFRAMES = ["1d", "4h", "1h", "15m"] as const;

/** Everything about one symbol. */
export default function SymbolPage({ symbol }: { readonly symbol: string }) {
  const [timeframe, setTimeframe] = useState<(typeof TIMEFRAMES)[number]>("1d");
  const { data, error } = useQuery({
    queryKey: ["signal", symbol, timeframe],
    queryFn: () => call("get_signal", { symbol, timeframe, detail: "full" }),
    refetchInterval: 30_000,
  });
  return (
    <Card withBorder>
      <h1 className="hidden">{symbol}</h1>
      <SegmentedControl
        size="xs"
        aria-label="Timeframe"
        value={timeframe}
        onChange={(value) => setTimeframe(value as typeof timeframe)}
        data={[...TIMEFRAMES]}
      />
      <CopyAs tool="get_signal" input={{ symbol, timeframe }} />
      {error !== null && <Failure error={error} />}
      {data === undefined ? <Skeleton height={480} /> : <View output={data} call={call} />}
    </Card>
  );
}
