import { useEffect, useState } from "react";

const ENDED = "session-ended";

/** Tells the pages that the session of this browser has ended. */
export const endSession = (): boolean => dispatchEvent(new Event(ENDED));

/** True once the server has refused the session of this browser. */
export function useSessionEnded(): boolean {
  const [isEnded, setEnded] = useState(false);
  useEffect(() => {
    const end = () => setEnded(true);
    addEventListener(ENDED, end);
    return () => removeEventListener(ENDED, end);
  }, []);
  return isEnded;
}
