import { useEffect, useState } from "react";
import type { Call, Input, Output, ToolName } from "../api/tools.ts";

/** Returns the answer of a call for more data; null until it is there, without `call` or `input`, and after an error. */
export function useAnswer<Name extends ToolName>(
  call: Call | null,
  name: Name,
  input: Input<Name> | null,
): Output<Name> | null {
  const [answer, setAnswer] = useState<Output<Name> | null>(null);
  const key = JSON.stringify(input);
  useEffect(() => {
    setAnswer(null);
    const requested = JSON.parse(key) as Input<Name> | null;
    if (call === null || requested === null) return;
    let isCurrent = true;
    call(name, requested).then(
      (output) => isCurrent && setAnswer(output),
      () => isCurrent && setAnswer(null),
    );
    return () => {
      isCurrent = false;
    };
  }, [call, name, key]);
  return answer;
}
